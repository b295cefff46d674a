//! What a certificate claims of a player.

use std::fmt;

use papamu_game::{Game, Player, Question};

/// What a player achieves against any play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// He wins.
    Wins,
    /// He wins or draws.
    Holds,
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Claim::Wins => "wins",
            Claim::Holds => "holds",
        })
    }
}

/// A claim and the player of whom it is made, the owner of the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    /// Whose strategy it is.
    pub owner: Player,
    /// What it achieves.
    pub claim: Claim,
}

impl Goal {
    /// A player wins.
    pub fn wins(owner: Player) -> Goal {
        Goal { owner, claim: Claim::Wins }
    }

    /// A player wins or draws.
    pub fn holds(owner: Player) -> Goal {
        Goal { owner, claim: Claim::Holds }
    }

    /// Whether the owner is to move.
    #[inline]
    pub fn owner_moves<G: Game>(self, game: &G, position: &G::Position) -> bool {
        game.to_move(position) == self.owner
    }

    /// The question for the player to move that decides the claim: the owner wants a yes, his
    /// opponent must get a no. Without draws both ask whether they win, as searches do.
    #[inline]
    pub fn question<G: Game>(self, game: &G, position: &G::Position) -> Question {
        let question = match self.claim {
            Claim::Wins => Question::Wins,
            Claim::Holds => Question::Holds,
        };
        match () {
            () if !G::DRAWS => Question::Wins,
            () if self.owner_moves(game, position) => question,
            () => question.opposite(),
        }
    }

    /// Whether a position without moves is as the claim says.
    #[inline]
    pub fn is_good_end<G: Game>(self, game: &G, position: &G::Position) -> bool {
        let answer = self.question(game, position).answer(game.final_value(position));
        answer == self.owner_moves(game, position)
    }

    /// Whether records have ranks: play could go in circles, and then nobody wins.
    pub fn has_ranks<G: Game>(self) -> bool {
        G::CYCLIC && self.claim == Claim::Wins
    }
}

#[cfg(test)]
mod tests {
    use papamu_game::tiny::{Dodgem, TicTacToe};

    use super::*;

    #[test]
    fn ends_are_good_for_one_claim_or_the_other() {
        let (game, draw) = TicTacToe::read("xox/xxo/oxo o").expect("a full board");
        let (_, lost) = TicTacToe::read("xxx/oo./... o").expect("a line");
        let (x, o) = (Player::First, Player::Second);
        assert!(Goal::holds(x).is_good_end(&game, &draw));
        assert!(Goal::holds(o).is_good_end(&game, &draw));
        assert!(!Goal::wins(x).is_good_end(&game, &draw));
        assert!(!Goal::wins(o).is_good_end(&game, &draw));
        assert!(
            Goal::wins(x).is_good_end(&game, &lost) && Goal::holds(x).is_good_end(&game, &lost)
        );
        assert!(!Goal::holds(o).is_good_end(&game, &lost));
        assert!(!Goal::wins(x).has_ranks::<TicTacToe>());
        assert!(Goal::wins(x).has_ranks::<Dodgem>() && !Goal::holds(x).has_ranks::<Dodgem>());
    }
}
