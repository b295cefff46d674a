//! Expressions as text: what is written is read again.

use papamu_values::conjecture::{Expression, OPERATORS, Operator};
use proptest::prelude::*;

fn names() -> Vec<String> {
    // With one that begins like another, one that is a function, and one that no language would
    // allow.
    ["a", "ab", "max", "moves_black", "is it * a+b?"].map(str::to_owned).to_vec()
}

fn expressions() -> impl Strategy<Value = Expression> {
    let invariant = (0..names().len()).prop_map(Expression::Invariant);
    invariant.prop_recursive(6, 40, 2, |inner| {
        (0..OPERATORS.len(), inner.clone(), inner).prop_map(|(operator, x, y)| {
            match OPERATORS[operator].1 {
                Operator::Unary(operator) => Expression::Unary(operator, Box::new(x)),
                Operator::Binary(operator) => {
                    Expression::Binary(operator, Box::new(x), Box::new(y))
                }
            }
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(expression in expressions()) {
        let text = expression.write(&names());
        prop_assert_eq!(Expression::read(&text, &names()), Ok(expression), "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-a+*/^(), .12maxsqrt_é]{0,40}") {
        if let Err(error) = Expression::read(&text, &names()) {
            prop_assert!(error.column >= 1 && error.column <= text.chars().count() + 1);
        }
    }
}

#[test]
fn usual_notation_has_its_usual_meaning() {
    let names = ["x", "y"].map(str::to_owned);
    let value = |text: &str| {
        let expression = Expression::read(text, &names).expect(text);
        expression.value(&|index| [3.0, 5.0][index])
    };
    for (text, expected) in [
        ("x", 3.0),
        ("1 + 2*x", 7.0),
        ("x - 1 - 1", 1.0),
        ("y/x*3", 5.0),
        ("-x^2", -9.0),
        ("2^x^2", 512.0),
        ("max(x, y) + 0.5", 5.5),
        ("( floor( (x + y)/3 ) )", 2.0),
        ("x - -y", 8.0),
        ("2 * 1/(x - 1)", 1.0),
    ] {
        assert!((value(text) - expected).abs() < 1e-12, "{text} is {}", value(text));
    }
}

#[test]
fn bad_expressions_name_the_column() {
    let names = ["x", "y"].map(str::to_owned);
    let error = |text: &str| Expression::read(text, &names).expect_err(text).to_string();
    assert_eq!(error("x + z"), "column 5: `z` is no invariant: there are x, y");
    assert_eq!(
        error("x +"),
        "column 4: expected an invariant, a function or a number, found the end"
    );
    assert_eq!(error("max(x)"), "column 6: expected `,`, found `)`");
    assert_eq!(error("x y"), "column 3: expected an operator, found `y`");
    assert_eq!(error("(x"), "column 3: expected `)`, found the end");
    assert_eq!(error("é"), "column 1: `é` is no invariant: there are x, y");
    assert_eq!(error("1.2.3"), "column 1: `1.2.3` is no invariant: there are x, y");
    assert!(error(&"(".repeat(3000)).contains("more than 200 brackets"));
    assert!(error(&"-".repeat(3000)).contains("more than 200 brackets"));
    assert!(error(&"x+".repeat(3000)).contains("up to 4000 characters"));
}
