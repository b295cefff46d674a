//! From options to the canonical form: no option is dominated, none is reversible (J. Conway,
//! 1976).

use smallvec::SmallVec;

use crate::compare::by_stops;
use crate::dyadic::{Bound, Dyadic};
use crate::forms::{Forms, Halt, Value};
use crate::simple::Simple;

/// Options of one player.
pub type Side = SmallVec<[Value; 16]>;

/// The player whose options are examined, as an index.
const LEFT: usize = 0;
const RIGHT: usize = 1;

/// Up to this many options are compared with each other without a look at the limits.
const FEW: usize = 32;

impl Forms {
    /// The value of the game with these options of Left and Right.
    pub fn from_options(&self, mut options: [Side; 2]) -> Result<Value, Halt> {
        for side in &mut options {
            side.sort_unstable();
            side.dedup();
        }
        if let Some(number) = self.number_between(&options)? {
            return self.number(number);
        }
        loop {
            for player in [LEFT, RIGHT] {
                self.remove_dominated(&mut options[player], player)?;
            }
            let mut changed = false;
            for player in [LEFT, RIGHT] {
                changed |= self.bypass_reversible(&mut options, player)?;
            }
            if !changed {
                break;
            }
        }
        options.iter_mut().for_each(|side| side.sort_unstable());
        self.of_canonical(&options)
    }

    /// The value with these options, which are canonical, sorted, and do not make it a number.
    fn of_canonical(&self, options: &[Side; 2]) -> Result<Value, Halt> {
        match self.recognise(options) {
            Some(simple) => self.simple(simple),
            None => self.general([&options[LEFT], &options[RIGHT]]),
        }
    }

    /// Whether `a` is no better than `b` for a player.
    #[inline]
    fn is_no_better(&self, a: Value, b: Value, player: usize) -> Result<bool, Halt> {
        if player == LEFT { self.is_at_most(a, b) } else { self.is_at_most(b, a) }
    }

    /// The simplicity theorem: if a number fits between the options, that is, no option of Left is
    /// at least the number and no option of Right at most, then the value is the simplest such
    /// number.
    fn number_between(&self, options: &[Side; 2]) -> Result<Option<Dyadic>, Halt> {
        // After Left's move Right is to move.
        let low = options[LEFT].iter().map(|&l| self.right_stop(l)).max();
        let high = options[RIGHT].iter().map(|&r| self.left_stop(r)).min();
        if matches!((low, high), (Some(low), Some(high)) if low > high) {
            return Ok(None);
        }
        let low = self.bound(&options[LEFT], low, LEFT)?;
        let high = self.bound(&options[RIGHT], high, RIGHT)?;
        if let (Some(low), Some(high)) = (low, high)
            && low.at == high.at
            && !(low.closed && high.closed)
        {
            return Ok(None);
        }
        Dyadic::simplest(low, high).map(Some).ok_or(Halt::TooLarge)
    }

    /// One end of the interval of numbers that no option of the player reaches. It lies at the best
    /// stop, which belongs to the interval if no option with that stop is as good.
    pub(crate) fn bound(
        &self,
        options: &[Value],
        stop: Option<Dyadic>,
        player: usize,
    ) -> Result<Option<Bound>, Halt> {
        let Some(at) = stop else { return Ok(None) };
        let mut number = None;
        for &option in options.iter().filter(|&&o| self.node(o).stops[1 - player] == at) {
            // Most options with that stop are closed forms and need no entry.
            let is_as_good = match self.as_simple(option) {
                Some(simple) if player == LEFT => Simple::number(at).is_at_most(simple),
                Some(simple) => simple.is_at_most(Simple::number(at)),
                None => {
                    let number = match number {
                        Some(number) => number,
                        None => *number.insert(self.number(at)?),
                    };
                    self.is_no_better(number, option, player)?
                }
            };
            if is_as_good {
                return Ok(Some(Bound { at, closed: false }));
            }
        }
        Ok(Some(Bound { at, closed: true }))
    }

    /// Removes dominated options.
    pub(crate) fn remove_dominated(&self, options: &mut Side, player: usize) -> Result<(), Halt> {
        let mut i = 0;
        'options: while i < options.len() {
            if options.len() > FEW {
                self.step()?;
            }
            let mut j = i + 1;
            while j < options.len() {
                if self.is_no_better(options[i], options[j], player)? {
                    options.swap_remove(i);
                    continue 'options;
                }
                if self.is_no_better(options[j], options[i], player)? {
                    options.swap_remove(j);
                } else {
                    j += 1;
                }
            }
            i += 1;
        }
        Ok(())
    }

    /// Bypasses reversible options. An option is reversible if the opponent has an answer that is
    /// no worse for him than the game itself. It is replaced by the player's options after that
    /// answer. Returns whether any was.
    fn bypass_reversible(&self, options: &mut [Side; 2], player: usize) -> Result<bool, Halt> {
        let mut changed = false;
        let mut i = 0;
        while i < options[player].len() {
            let option = options[player][i];
            match self.reversing_answer(option, options, player)? {
                None => i += 1,
                Some(answer) => {
                    changed = true;
                    options[player].swap_remove(i);
                    for &next in self.options(answer)?[player] {
                        self.step()?;
                        if !options[player].contains(&next) {
                            options[player].push(next);
                        }
                    }
                }
            }
        }
        Ok(changed)
    }

    fn reversing_answer(
        &self,
        option: Value,
        options: &[Side; 2],
        player: usize,
    ) -> Result<Option<Value>, Halt> {
        let game = Unnamed::new(self, options);
        for &answer in self.options(option)?[1 - player] {
            let reverses = match player {
                LEFT => game.is_at_least(answer)?,
                _ => game.is_at_most(answer)?,
            };
            if reverses {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// The closed form of canonical options, if there is one. See [`Forms::options`].
    fn recognise(&self, [left, right]: &[Side; 2]) -> Option<Simple> {
        let first = self.as_simple(*left.first()?)?;
        let number = first.number;
        let simple = |value: Value| self.as_simple(value).filter(|simple| simple.number == number);
        if left == right {
            let mut seen = 0_u64;
            for &value in left {
                let Simple { ups, nimber, .. } = simple(value)?;
                if ups != 0 || nimber as usize >= left.len() {
                    return None;
                }
                seen += u64::from(nimber);
            }
            // Different nimbers that are all below their count: all nimbers up to it.
            let count = left.len() as u64;
            return (seen == count * (count - 1) / 2).then_some(Simple {
                number,
                ups: 0,
                nimber: count as u32,
            });
        }
        self.recognise_ups([left, right], number, 1)
            .or_else(|| self.recognise_ups([right, left], number, -1))
    }

    /// The same for ups, and for downs with the players exchanged and the sign changed.
    fn recognise_ups(
        &self,
        [own, other]: [&[Value]; 2],
        number: Dyadic,
        sign: i32,
    ) -> Option<Simple> {
        let simple = |value: Value| {
            self.as_simple(value)
                .filter(|simple| simple.number == number)
                .map(|simple| Simple { ups: sign * simple.ups, ..simple })
        };
        let is_zero = |simple: Simple| simple.ups == 0 && simple.nimber == 0;
        match (own, other) {
            (&[zero], &[answer]) => {
                let (zero, answer) = (simple(zero)?, simple(answer)?);
                let is_one = answer.ups > 0 || (answer.ups == 0 && answer.nimber > 0);
                (is_zero(zero) && is_one).then(|| Simple {
                    number,
                    ups: sign * (answer.ups + 1),
                    nimber: answer.nimber ^ 1,
                })
            }
            (&[a, b], &[zero]) => {
                let (a, b) = (simple(a)?, simple(b)?);
                let star = Simple { number, ups: 0, nimber: 1 };
                let pair = (is_zero(a) && b == star) || (is_zero(b) && a == star);
                (pair && is_zero(simple(zero)?)).then_some(Simple { number, ups: sign, nimber: 1 })
            }
            _ => None,
        }
    }
}

/// A game that is no number and has no entry yet.
struct Unnamed<'a> {
    forms: &'a Forms,
    options: &'a [Side; 2],
    stops: [Dyadic; 2],
}

impl<'a> Unnamed<'a> {
    fn new(forms: &'a Forms, options: &'a [Side; 2]) -> Unnamed<'a> {
        let left = options[LEFT].iter().map(|&l| forms.right_stop(l)).max().unwrap_or_default();
        let right = options[RIGHT].iter().map(|&r| forms.left_stop(r)).min().unwrap_or_default();
        Unnamed { forms, options, stops: [left, right] }
    }

    /// Whether the value is at most the game.
    fn is_at_least(&self, value: Value) -> Result<bool, Halt> {
        if let Some(holds) = by_stops(self.forms.node(value).stops, self.stops) {
            return Ok(holds);
        }
        self.forms.step()?;
        for &r in &self.options[RIGHT] {
            if self.forms.is_at_most(r, value)? {
                return Ok(false);
            }
        }
        for &l in self.forms.options(value)?[LEFT] {
            if self.is_at_most(l)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the game is at most the value.
    fn is_at_most(&self, value: Value) -> Result<bool, Halt> {
        if let Some(holds) = by_stops(self.stops, self.forms.node(value).stops) {
            return Ok(holds);
        }
        self.forms.step()?;
        for &l in &self.options[LEFT] {
            if self.forms.is_at_most(value, l)? {
                return Ok(false);
            }
        }
        for &r in self.forms.options(value)?[RIGHT] {
            if self.is_at_least(r)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
