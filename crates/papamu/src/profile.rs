//! `profile`: how complex a game is, estimated by self-play.
//!
//! The estimates are those of M. Schadd, "Selective Search in Games of Different Complexity"
//! (Maastricht, 2011), sections 4.3 and 4.4.

use std::path::PathBuf;
use std::time::Instant;

use papamu_base::file::AtomicFile;
use papamu_base::{Progress, Stopped};
use papamu_game::self_play::{Ends, PlyTally, SelfPlay, SizeTally, Tally, self_play};
use serde::Serialize;

use crate::build::pool;
use crate::kit::{PublishedDatabase, PublishedProfile, Registered};
use crate::plot::{self, Scale, Series};
use crate::report::Report;
use crate::request::request;
use crate::subject::Held;
use crate::watch::with_progress;
use crate::{Error, Registry, Watch};

request! {
    /// Play games and estimate how complex a game is: branching, length, positions, captures
    Profile, "profile",
        details "Both sides move at random, but take a move that wins at once; with a depth of 0 \
                 they do not. From a depth of 2 on they look so many plies ahead for wins and \
                 captures, and choose among the best moves at random. A position that comes back \
                 ends the game as a draw. The size of the game tree is the mean branching factor \
                 to the power of the mean length. If positions have sizes, such as stones, the \
                 table tells for each size what games would be like if a database ended them \
                 there. Where there are published figures, they are printed beside.";
    /// Name of the game; `papamu games` lists them
    game: Option<String>, "GAME", Always, place Word;
    /// Position in the notation of the game; a board size such as 6x6 is the start
    position: Option<String>, "POSITION", Always, place Words;
    /// Games to play
    games: Option<u64>, "N", Always, default 1000, range 1..=1_000_000_000, short 'g';
    /// Seed of the random moves
    seed: Option<u64>, "N", Always, default 1;
    /// Plies that players look ahead
    depth: Option<u32>, "PLIES", Always, default 1, range 0..=20, short 'd';
    /// Break off games that are longer
    most_plies: Option<u32>, "PLIES", Always, default 1000, range 1..=1_000_000;
    /// Threads [default: all cores]
    threads: Option<u16>, "N", Always, range 1..=1024, short 't';
    /// Draw `branching.svg` into this directory, and if positions have sizes `captures.svg`,
    /// `sizes.svg` and `databases.svg`
    plot: Option<PathBuf>, "DIR", Always;
}

/// What games are like.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ProfileReport {
    /// The game.
    pub game: &'static str,
    /// The position as it was given.
    pub position: String,
    /// Games played.
    pub games: u64,
    /// Seed of the random moves.
    pub seed: u64,
    /// Plies that players looked ahead.
    pub depth: u32,
    /// How games ended.
    pub ends: ProfileEnds,
    /// Without a database.
    #[serde(flatten)]
    pub complexity: Complexity,
    /// An upper bound of the number of positions, as a power of ten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log10_states: Option<f64>,
    /// Entries of the index of the board, which are positions up to symmetry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_entries: Option<u64>,
    /// What the size of a position counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// Below this size, fewer than half of the moves capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endgame_below: Option<u64>,
    /// What was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedProfile>,
    /// By size.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<ProfileSize>,
    /// By ply.
    pub plies: Vec<ProfilePly>,
    /// Time.
    pub seconds: f64,
    /// The names of the players, the one who began first.
    #[serde(skip)]
    pub players: [&'static str; 2],
    /// When games were broken off.
    #[serde(skip)]
    pub most_plies: u32,
}

/// How games ended.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ProfileEnds {
    /// Won by the player who began.
    pub first_wins: u64,
    /// Won by the other player.
    pub second_wins: u64,
    /// Drawn by the rules.
    pub draws: u64,
    /// Drawn because a position came back.
    pub repetitions: u64,
    /// Broken off.
    pub unfinished: u64,
}

/// The size of a game tree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Complexity {
    /// Mean number of moves.
    pub branching: f64,
    /// Mean length of a game, in plies.
    pub length: f64,
    /// Branching to the power of length, as a power of ten.
    pub log10_tree: f64,
}

/// Positions of a size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ProfileSize {
    /// The size.
    pub size: u64,
    /// An upper bound of the number of positions that have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<f64>,
    /// Moves made.
    pub turns: u64,
    /// The share of them that led to a smaller size.
    pub captures: f64,
    /// Mean number of moves.
    pub branching: f64,
    /// What games are like if they end at this size or below.
    pub database: Complexity,
    /// What was published about that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<PublishedDatabase>,
}

/// Positions after a number of moves.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ProfilePly {
    /// Moves made before.
    pub ply: u32,
    /// Games that got there.
    pub games: u64,
    /// Mean size, if positions have sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<f64>,
    /// Mean number of moves, of games that went on.
    pub branching: f64,
}

impl Report for ProfileReport {}

/// Plays games.
pub fn profile(
    registry: &Registry,
    request: &Profile,
    watch: &dyn Watch,
) -> Result<ProfileReport, Error> {
    let (game, text) = crate::position_of(&request.game, &request.position)?;
    let entry = registry.entry(game)?;
    let position = entry.read(&text)?;
    plot::check_available(request.plot.is_some())?;
    let plots = request.plot.as_deref().map(Plots::new).transpose()?;
    let play = SelfPlay {
        games: request.games(),
        seed: request.seed(),
        depth: request.depth(),
        most_plies: request.most_plies(),
    };
    let pool = pool(request.threads)?;
    let started = Instant::now();
    let played = with_progress(watch, "games", |progress| {
        pool.install(|| position.self_play(&play, progress))
    })?;
    let published = entry.published().and_then(|published| published.profile(&text));
    let Ends { first_wins, second_wins, draws, repetitions, unfinished } = played.tally.ends;
    let names = position.game().players;
    let begins = position.to_move();
    let report = ProfileReport {
        game: position.game().name,
        position: text,
        games: play.games,
        seed: play.seed,
        depth: play.depth,
        ends: ProfileEnds { first_wins, second_wins, draws, repetitions, unfinished },
        complexity: played.tally.complexity(),
        log10_states: played.log10_states(),
        index_entries: played.index_entries,
        unit: played.unit,
        endgame_below: endgame_below(&played.tally),
        sizes: played.sizes(published.as_ref()),
        published,
        plies: played.plies(),
        seconds: started.elapsed().as_secs_f64(),
        players: [names[begins.index()], names[(!begins).index()]],
        most_plies: play.most_plies,
    };
    plots.map_or(Ok(()), |plots| plots.draw(&report))?;
    Ok(report)
}

/// Games that were played, with what is known about the positions of the board.
#[derive(Debug, Default)]
pub struct Played {
    tally: Tally,
    unit: Option<&'static str>,
    /// By size, from 0 to the size of the position: how many positions there may be.
    positions: Vec<u128>,
    index_entries: Option<u64>,
}

/// Plays games from a position.
pub(crate) fn play_held<G: Registered>(
    held: &Held<G>,
    play: &SelfPlay,
    progress: &Progress,
) -> Result<Played, Stopped> {
    let Held { kit, game, position } = held;
    let size_of = kit.capabilities.numbering.map(|numbering| numbering.size);
    let tally = self_play(game, position, size_of, play, progress)?;
    let index = kit.capabilities.index.and_then(|make| make(game));
    let index_entries = index.map(|(index, _)| {
        (0..index.classes()).fold(0_u64, |sum, class| sum.saturating_add(index.entries(class)))
    });
    let positions = match (size_of, kit.sizes.positions) {
        (Some(size_of), Some(positions)) => {
            (0..=size_of(game, position)).map(|size| positions(game, size)).collect()
        }
        _ => Vec::new(),
    };
    Ok(Played { tally, unit: size_of.map(|_| kit.sizes.unit), positions, index_entries })
}

/// A mean; nothing has the mean 0.
fn mean(sum: u64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}

impl Complexity {
    /// Of a number of games with so many turns in all, and so many legal moves in these turns.
    fn new(games: u64, turns: u64, moves: u64) -> Complexity {
        let (branching, length) = (mean(moves, turns), mean(turns, games));
        let log10_tree = if turns == 0 { 0.0 } else { length * branching.log10() };
        Complexity { branching, length, log10_tree }
    }
}

trait Estimates {
    fn complexity(&self) -> Complexity;

    /// A virtual database: no move makes positions larger, so the turns in larger positions are
    /// those before the game meets the database.
    fn complexity_above(&self, size: u64) -> Complexity;
}

impl Estimates for Tally {
    fn complexity(&self) -> Complexity {
        let sum = |of: fn(&PlyTally) -> u64| self.plies.iter().map(of).sum();
        Complexity::new(self.ends.games(), sum(|ply| ply.turns), sum(|ply| ply.moves))
    }

    fn complexity_above(&self, size: u64) -> Complexity {
        let larger = self.sizes.range(size + 1..);
        let (turns, moves) =
            larger.fold((0, 0), |(turns, moves), (_, of)| (turns + of.turns, moves + of.moves));
        Complexity::new(self.ends.games(), turns, moves)
    }
}

/// The size below which captures become rarer than other moves; none if they never do, or if they
/// are rare from the beginning.
fn endgame_below(tally: &Tally) -> Option<u64> {
    let is_quiet = |of: &SizeTally| 2 * of.captures < of.turns;
    let (&largest_quiet, _) = tally.sizes.iter().rev().find(|(_, of)| is_quiet(of))?;
    let (&largest, _) = tally.sizes.last_key_value()?;
    (largest_quiet < largest).then_some(largest_quiet + 1)
}

impl Played {
    fn log10_states(&self) -> Option<f64> {
        let all: u128 = self.positions.iter().sum();
        (all > 0).then(|| (all as f64).log10())
    }

    /// One row for each size that was met or that something was published about.
    fn sizes(&self, published: Option<&PublishedProfile>) -> Vec<ProfileSize> {
        let published = published.map_or(&[][..], |published| &published.databases);
        let published_of = |size: u64| published.iter().find(|(of, _)| *of == size);
        let Some(&most) = self.tally.sizes.keys().next_back() else { return Vec::new() };
        let of_size = |size: u64| {
            let published = published_of(size).filter(|_| size > 0).map(|(_, of)| *of);
            let of = self.tally.sizes.get(&size).copied();
            let SizeTally { turns, moves, captures } = match (of, published) {
                (None, None) => return None,
                (of, _) => of.unwrap_or_default(),
            };
            Some(ProfileSize {
                size,
                positions: self.positions.get(size as usize).map(|&count| count as f64),
                turns,
                captures: mean(captures, turns),
                branching: mean(moves, turns),
                database: self.tally.complexity_above(size),
                published,
            })
        };
        (0..=most).filter_map(of_size).collect()
    }

    fn plies(&self) -> Vec<ProfilePly> {
        let of_ply = |(ply, of): (u32, &PlyTally)| ProfilePly {
            ply,
            games: of.games,
            size: self.unit.map(|_| mean(of.sizes, of.games)),
            branching: mean(of.moves, of.turns),
        };
        (0..).zip(&self.tally.plies).map(of_ply).collect()
    }
}

/// Files for plots.
struct Plots {
    captures: AtomicFile,
    branching: AtomicFile,
    sizes: AtomicFile,
    databases: AtomicFile,
}

impl Plots {
    fn new(directory: &std::path::Path) -> Result<Plots, Error> {
        plot::make_directory(directory)?;
        let file = |name: &str| AtomicFile::new(&directory.join(name));
        Ok(Plots {
            captures: file("captures.svg")?,
            branching: file("branching.svg")?,
            sizes: file("sizes.svg")?,
            databases: file("databases.svg")?,
        })
    }

    /// The counterparts of figures 4.5, 4.6 and 4.7 and of table 4.1 of the thesis.
    fn draw(&self, report: &ProfileReport) -> Result<(), Error> {
        let of = format!("{} {}", report.game, report.position);
        let moved = || report.plies.iter().filter(|ply| ply.branching > 0.0);
        let by_ply = |label, number: fn(&ProfilePly) -> f64| Series {
            label,
            points: moved().map(|ply| (f64::from(ply.ply), number(ply))).collect(),
        };
        let Some(unit) = report.unit else {
            let series = vec![by_ply("moves", |ply| ply.branching)];
            let svg = plot::lines(
                &format!("Branching factor of {of}"),
                "ply",
                "moves",
                Scale::Linear,
                series,
            );
            return Ok(self.branching.write(svg.as_bytes())?);
        };
        let met = || report.sizes.iter().filter(|size| size.turns > 0);
        let by_size = |label, number: &dyn Fn(&ProfileSize) -> f64| Series {
            label,
            points: met().map(|size| (size.size as f64, number(size))).collect(),
        };
        let captures = vec![
            by_size("captures", &|size| size.captures * 100.0),
            by_size("other moves", &|size| 100.0 - size.captures * 100.0),
        ];
        let lines = |title: &str, x: &str, y: &str, series| {
            plot::lines(&format!("{title} of {of}"), x, y, Scale::Linear, series)
        };
        let svg = lines("Captures", unit, "% of the moves made", captures);
        self.captures.write(svg.as_bytes())?;
        let branching = vec![by_size("moves", &|size| size.branching)];
        let svg = lines("Branching factor", unit, "moves", branching);
        self.branching.write(svg.as_bytes())?;
        let sizes = vec![by_ply("mean", |ply| ply.size.unwrap_or_default())];
        self.sizes.write(lines("Positions", "ply", unit, sizes).as_bytes())?;
        let without = (0.0, report.complexity.log10_tree);
        let with = report.sizes.iter().map(|size| (size.size as f64, size.database.log10_tree));
        let points = std::iter::once(without).chain(with.filter(|point| point.0 > 0.0)).collect();
        let mut databases = vec![Series { label: "here", points }];
        if let Some(published) = &report.published {
            let rows = published.databases.iter();
            let points = rows.map(|(size, of)| (*size as f64, of.log10_tree)).collect();
            databases.push(Series { label: "published", points });
        }
        let x = format!("{unit} of a database that ends games");
        let svg = lines("Game tree", &x, "positions, as a power of ten", databases);
        Ok(self.databases.write(svg.as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    fn profile_of(game: &str, position: &str, games: u64, depth: u32) -> ProfileReport {
        let request = Profile {
            game: Some(game.to_owned()),
            position: Some(position.to_owned()),
            games: Some(games),
            depth: Some(depth),
            ..Profile::default()
        };
        profile(&Registry::standard(), &request, &Silent).expect("a profile")
    }

    /// No game of tic-tac-toe ends before the fifth move: with a database of positions with five
    /// empty squares all games have four moves, of which there are 9, 8, 7 and 6.
    #[test]
    fn a_virtual_database_ends_games() {
        let report = profile_of("tic-tac-toe", "start", 200, 1);
        let database =
            |size: u64| report.sizes.iter().find(|of| of.size == size).expect("the size").database;
        let Complexity { branching, length, log10_tree } = database(5);
        assert_eq!((branching, length), (7.5, 4.0));
        assert!((log10_tree - 4.0 * 7.5_f64.log10()).abs() < 1e-9);
        assert_eq!(database(9), Complexity { branching: 0.0, length: 0.0, log10_tree: 0.0 });
        // Nothing is smaller than one empty square with a move left, and then there was no
        // database.
        assert!(database(1).length <= report.complexity.length);
        // 5,478 positions can be reached, 765 up to symmetry; the index also has those that cannot.
        assert!(report.index_entries.is_some_and(|entries| (765..2000).contains(&entries)));
        assert_eq!((report.endgame_below, report.unit), (None, Some("empty squares")));
    }

    #[test]
    fn published_figures_stand_beside_their_sizes() {
        let report = profile_of("fanorona", "5x9", 3, 1);
        let of_seven = report.sizes.iter().find(|of| of.size == 7).expect("the size");
        assert_eq!(of_seven.positions, Some(5_717_832_120.0));
        assert_eq!(of_seven.published.map(|of| of.length), Some(22.98));
        assert_eq!(report.published.as_ref().map(|of| of.branching), Some(11.19));
        // 3^45 placements, without those of one colour and those of all points.
        assert!(report.log10_states.is_some_and(|log10| (21.4..21.5).contains(&log10)));
        assert!(profile_of("fanorona", "5x5", 3, 1).published.is_none());
    }

    #[test]
    fn the_endgame_begins_when_captures_become_rare() {
        let of = |captures: &[(u64, u64)]| {
            let row = |&(size, captures): &(u64, u64)| {
                (size, SizeTally { turns: 10, moves: 30, captures })
            };
            endgame_below(&Tally { sizes: captures.iter().map(row).collect(), ..Tally::default() })
        };
        assert_eq!(of(&[(2, 1), (3, 0), (5, 4), (6, 5), (8, 10)]), Some(6));
        assert_eq!(of(&[(2, 7), (3, 8)]), None);
        assert_eq!(of(&[(2, 7), (3, 2)]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn games_without_sizes_have_plies() {
        let report = profile_of("kayles", "12", 50, 1);
        assert!(report.sizes.is_empty() && report.unit.is_none() && report.log10_states.is_none());
        // Up to symmetry there are six ways to take one of twelve pins, and six to take two.
        assert_eq!((report.plies[0].games, report.plies[0].branching), (50, 12.0));
        assert_eq!(profile_of("kayles", "0", 5, 1).complexity.log10_tree, 0.0);
    }

    #[test]
    fn konane_has_two_to_the_squares_positions_for_each_player() {
        let report = profile_of("konane", "6x6", 5, 1);
        assert!(
            report.log10_states.is_some_and(|log10| (log10 - 37.0 * 2_f64.log10()).abs() < 1e-6)
        );
        assert!(report.sizes.iter().all(|of| of.captures == 1.0));
    }
}
