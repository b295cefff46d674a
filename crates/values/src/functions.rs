//! Functions of the calculator.

use crate::dyadic::Dyadic;
use crate::forms::{Forms, Halt, Value};
use crate::thermograph::Thermographs;

/// A function of values.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The meaning of its arguments.
    pub parameters: &'static [&'static str],
    /// A short description of the result.
    pub summary: &'static str,
    pub(crate) apply: fn(&Forms, &[Value]) -> Result<Value, Halt>,
}

/// All functions. Each is called with as many values as it has parameters.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "cool",
        parameters: &["G", "t"],
        summary: "G with every move taxed by t",
        apply: |forms, v| forms.cool(v[0], v[1]),
    },
    Function {
        name: "heat",
        parameters: &["G", "t"],
        summary: "G with a prize of t for every move",
        apply: |forms, v| forms.heat(v[0], v[1]),
    },
    Function {
        name: "overheat",
        parameters: &["G", "s", "t"],
        summary: "G overheated from s to t: n becomes n games s, any other move gains t",
        apply: |forms, v| forms.overheat(v[0], v[1], v[2]),
    },
    Function {
        name: "norton",
        parameters: &["G", "U"],
        summary: "the Norton product of G and U, U above 0",
        apply: |forms, v| forms.norton(v[0], v[1]),
    },
    Function {
        name: "ordinal",
        parameters: &["G", "H"],
        summary: "the ordinal sum G:H",
        apply: |forms, v| forms.ordinal_sum(v[0], v[1]),
    },
    Function {
        name: "times",
        parameters: &["n", "G"],
        summary: "n games G side by side",
        apply: |forms, v| {
            let n = forms.as_number(v[0]).filter(|n| n.is_integer()).ok_or(Halt::NotAnInteger)?;
            forms.times(n.numerator(), v[1])
        },
    },
    Function {
        name: "reduce",
        parameters: &["G"],
        summary: "the reduced canonical form: G without infinitesimals",
        apply: |forms, v| forms.reduced(v[0]),
    },
    Function {
        name: "weight",
        parameters: &["G"],
        summary: "the atomic weight of an all-small G",
        apply: |forms, v| forms.atomic_weight(v[0])?.ok_or(Halt::NotAllSmall),
    },
    Function {
        name: "farstar",
        parameters: &["G"],
        summary: "a nimber as large as far star beside G",
        apply: |forms, v| forms.far_star(v[0]),
    },
    Function {
        name: "mean",
        parameters: &["G"],
        summary: "the mean value",
        apply: |forms, v| forms.number(Thermographs::new(forms).of(v[0])?.mean),
    },
    Function {
        name: "temperature",
        parameters: &["G"],
        summary: "the temperature",
        apply: |forms, v| forms.number(Thermographs::new(forms).of(v[0])?.temperature),
    },
    Function {
        name: "leftstop",
        parameters: &["G"],
        summary: "where play ends when Left begins",
        apply: |forms, v| forms.number(forms.left_stop(v[0])),
    },
    Function {
        name: "rightstop",
        parameters: &["G"],
        summary: "where play ends when Right begins",
        apply: |forms, v| forms.number(forms.right_stop(v[0])),
    },
    Function {
        name: "birthday",
        parameters: &["G"],
        summary: "the day on which the value is born",
        apply: |forms, v| {
            let birthday = Dyadic::new(i128::from(forms.birthday(v[0])?), 0);
            forms.number(birthday.ok_or(Halt::TooLarge)?)
        },
    },
];
