//! How large the second-level trees of PN2 may grow.

use std::fmt;
use std::str::FromStr;

/// No second-level tree is smaller than this.
const LEAST: usize = 100;

/// The size of a second-level tree, from the size of the first-level tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// A share that grows along the logistic curve: f(N) N with f(N) = 1 / (1 + exp((a - N) / b))
    /// (D. Breuker and others, 1999).
    Logistic {
        /// The size at which the share is one half.
        a: f64,
        /// How slowly the share grows.
        b: f64,
    },
    /// As large as the first-level tree (L. V. Allis, 1994).
    Equal,
    /// min(N, M - N), where M is the largest number of nodes that fit into memory (M. Winands and
    /// M. Schadd, 2011).
    Remaining,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::Logistic { a: 150_000.0, b: 30_000.0 }
    }
}

impl Budget {
    /// The size of the second-level tree while the first level has `first_level` of at most
    /// `capacity` nodes.
    pub fn nodes(self, first_level: usize, capacity: usize) -> usize {
        let size = first_level as f64;
        let nodes = match self {
            Budget::Logistic { a, b } => (size / (1.0 + ((a - size) / b).exp())) as usize,
            Budget::Equal => first_level,
            Budget::Remaining => first_level.min(capacity.saturating_sub(first_level)),
        };
        nodes.clamp(LEAST, capacity.max(LEAST))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Logistic { a, b } => write!(f, "logistic:{a},{b}"),
            Budget::Equal => f.write_str("equal"),
            Budget::Remaining => f.write_str("min(x, M-x)"),
        }
    }
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        let logistic = |numbers: &str| {
            let (a, b) = numbers.split_once(',')?;
            let (a, b): (f64, f64) = (a.trim().parse().ok()?, b.trim().parse().ok()?);
            (a.is_finite() && b.is_finite() && b > 0.0).then_some(Budget::Logistic { a, b })
        };
        let compact: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let budget = match compact.as_str() {
            "equal" => Some(Budget::Equal),
            "min(x,M-x)" => Some(Budget::Remaining),
            other => other.strip_prefix("logistic:").and_then(logistic),
        };
        budget.ok_or_else(|| {
            "it is logistic:a,b (such as logistic:150000,30000, with b above 0), equal or min(x, M-x)".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_as_defined() {
        let logistic = Budget::default();
        assert_eq!(logistic.nodes(150_000, usize::MAX), 75_000);
        assert_eq!(logistic.nodes(1000, usize::MAX), 100);
        assert!(logistic.nodes(1_000_000, usize::MAX) > 999_000);
        assert_eq!(Budget::Equal.nodes(5000, usize::MAX), 5000);
        assert_eq!(Budget::Remaining.nodes(700, 1000), 300);
        assert_eq!(Budget::Remaining.nodes(950, 1000), 100);
    }

    #[test]
    fn text_round_trips() {
        for text in ["logistic:150000,30000", "equal", "min(x, M-x)"] {
            assert_eq!(
                text.parse::<Budget>().map(|budget| budget.to_string()),
                Ok(text.to_owned())
            );
        }
        for bad in ["", "logistic", "logistic:1", "logistic:1,0", "logistic:nan,1", "half"] {
            assert!(bad.parse::<Budget>().is_err(), "{bad}");
        }
    }
}
