//! The rules, the reduction and the nimbers of Sprouts against drawings on the sphere.

mod planar;

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use papamu_game::Game;
use papamu_games::Sprouts;
use planar::{Drawing, Graph, Lists, drawings, plies, reduced_positions};

/// Comparisons with drawings are made with 0 to 3 spots at the start; 4 take minutes.
const SPOTS: usize = 4;

/// All drawings, by the number of spots at the start. To find them is most of the work.
static DRAWN: LazyLock<Vec<Graph<Drawing>>> = LazyLock::new(|| (0..SPOTS).map(drawings).collect());

/// Zero where the second player wins, as Applegate, Jacobson and Sleator found for up to 11 spots.
const NIMBERS: [usize; SPOTS + 1] = [0, 0, 0, 1, 1];

/// Drawings up to deformation of the sphere and reflection, by the number of curves.
const DRAWINGS: [&[usize]; SPOTS + 1] = [
    &[1],
    &[1, 1, 1],
    &[1, 2, 6, 11, 17, 14],
    &[1, 3, 14, 55, 169, 407, 715, 840, 585],
    &[1, 3, 23, 130, 680, 2869, 9881, 26508, 54114, 80579, 78271, 43611],
];

/// Different reduced positions, at the first ply at which they occur.
const REDUCED: [&[usize]; SPOTS + 1] = [
    &[1],
    &[1, 1, 1],
    &[1, 2, 6, 5, 1],
    &[1, 3, 14, 37, 50, 28, 2],
    &[1, 3, 23, 99, 286, 464, 383, 116, 8],
];

/// Sequences of different options, reduced after each move.
const PERFT: [&[u64]; SPOTS + 1] = [
    &[0],
    &[1, 1, 0],
    &[2, 7, 17, 23, 13, 0],
    &[3, 18, 116, 700, 3146, 8011, 9064, 2740, 0],
    &[3, 30, 313, 3477, 35312, 298586, 1899067, 7420395, 14946127, 13469839, 2243144, 0],
];

/// What the fast implementation says about a position.
struct Answer {
    nimber: usize,
    /// The reduced position as it is written.
    form: String,
    /// Its different options as they are written, in any order.
    options: Vec<String>,
}

/// Reads a text (unreduced, all regions as one land) with the fast implementation.
fn fast(text: &str, nimbers: &mut Nimbers) -> Answer {
    let (game, position) = Sprouts::read(text).expect("a drawing");
    let mut options = Vec::new();
    game.moves(&position, &mut options);
    let options = options.iter().map(|option| game.write(option)).collect();
    Answer { nimber: nimber(&game, &position, nimbers), form: game.write(&position), options }
}

/// Nimbers of positions of the fast implementation.
type Nimbers = HashMap<<Sprouts as Game>::Position, usize>;

fn nimber(game: &Sprouts, position: &<Sprouts as Game>::Position, known: &mut Nimbers) -> usize {
    if let Some(&nimber) = known.get(position) {
        return nimber;
    }
    let mut options = Vec::new();
    game.moves(position, &mut options);
    let reached: BTreeSet<usize> =
        options.iter().map(|option| nimber(game, option, known)).collect();
    let least = (0..).find(|n| !reached.contains(n)).unwrap_or_default();
    known.insert(position.clone(), least);
    least
}

/// Numbers for sets of sets: positions with the same number have the same game tree, if equal
/// options count once, and so the same outcome in all sums and in misere play as well.
#[derive(Default)]
struct Trees(HashMap<BTreeSet<usize>, usize>);

impl Trees {
    fn of<P>(&mut self, graph: &Graph<P>) -> Vec<usize> {
        graph.values(|options| {
            let new = self.0.len();
            *self.0.entry(options.iter().copied().collect()).or_insert(new)
        })
    }
}

#[test]
fn nimbers_of_starts() {
    for (spots, graph) in DRAWN.iter().enumerate() {
        assert_eq!(graph.nimbers()[0], NIMBERS[spots], "{spots} spots");
    }
}

#[test]
fn numbers_of_positions_and_of_sequences() {
    for (spots, graph) in DRAWN.iter().enumerate() {
        assert_eq!(graph.plies(), DRAWINGS[spots], "{spots} spots");
    }
    for spots in 0..=SPOTS {
        let reduced = reduced_positions(spots);
        assert_eq!(reduced.nimbers()[0], NIMBERS[spots], "{spots} spots");
        assert_eq!(reduced.plies(), REDUCED[spots], "{spots} spots");
        assert_eq!(reduced.perft(PERFT[spots].len()), PERFT[spots], "{spots} spots");
    }
}

#[test]
fn drawings_stay_planar_and_their_codes_ignore_names() {
    for node in DRAWN.iter().flat_map(|graph| &graph.nodes) {
        let drawing = &node.position;
        assert!(drawing.is_planar(), "{}", drawing.text());
        assert_eq!(drawing.renamed().code(), drawing.code(), "{}", drawing.text());
    }
}

#[test]
fn texts_are_read_as_they_were_written() {
    for node in DRAWN.iter().flat_map(|graph| &graph.nodes) {
        let lists = node.position.lists();
        assert_eq!(Lists::read(&lists.text()).canonical(), lists.canonical());
        let reduced = lists.reduced();
        let form = reduced.canonical();
        assert_eq!(Lists::read(&reduced.text()).canonical(), form);
        assert_eq!(Lists::read(&form).canonical(), form);
        assert_eq!(Lists::read(&form).reduced().canonical(), form, "reduced once is reduced");
    }
    assert_eq!(Lists::read("0*3.1aA'a|A'2").canonical(), Lists::read("2A|0.0.0.aAa1").canonical());
}

/// The textual rules of moves, applied to what is not reduced.
#[test]
fn moves_in_the_notation_are_the_drawn_ones() {
    for node in DRAWN.iter().flat_map(|graph| &graph.nodes) {
        let drawn = node.position.options();
        let drawn: BTreeSet<String> = drawn.iter().map(|d| d.lists().canonical()).collect();
        let written = node.position.lists().options();
        let written: BTreeSet<String> = written.iter().map(Lists::canonical).collect();
        assert_eq!(written, drawn, "{}", node.position.text());
    }
}

/// Drawings with the same reduced form have the same game tree, which is that of the form, whose
/// moves are made after reduction; and nothing arises in the one way only.
///
/// The reduced options themselves need not be the same: `12` is reduced to `0`, and a loop at its
/// `1` leads to `1`, but `0` has the option `AB|AB` only. Both of these end with the next move.
fn compare_with_reduced(drawn: &Graph<Drawing>, spots: usize) {
    let reduced = reduced_positions(spots);
    let mut trees = Trees::default();
    let numbers = trees.of(&reduced).into_iter().zip(reduced.nimbers());
    let forms = reduced.nodes.iter().map(|node| node.position.canonical());
    let known: HashMap<String, (usize, usize)> = forms.zip(numbers).collect();

    let numbers = trees.of(drawn).into_iter().zip(drawn.nimbers());
    let mut first_plies: HashMap<String, usize> = HashMap::new();
    for (node, numbers) in drawn.nodes.iter().zip(numbers) {
        let form = node.position.lists().reduced().canonical();
        assert_eq!(known.get(&form), Some(&numbers), "{form} {}", node.position.text());
        let first = first_plies.entry(form).or_insert(node.ply);
        *first = node.ply.min(*first);
    }
    assert_eq!(plies(first_plies.into_values()), REDUCED[spots], "{spots} spots");
}

#[test]
fn reduction_keeps_nimbers_and_game_trees() {
    for (spots, drawn) in DRAWN.iter().enumerate() {
        compare_with_reduced(drawn, spots);
    }
}

#[test]
#[ignore = "takes minutes: cargo test --release -p papamu-games --test sprouts_planar -- --ignored"]
fn reduction_keeps_nimbers_and_game_trees_of_four_spots() {
    let drawn = drawings(4);
    assert_eq!(drawn.plies(), DRAWINGS[4]);
    assert_eq!(drawn.nimbers()[0], NIMBERS[4]);
    compare_with_reduced(&drawn, 4);
}

/// The forms of the options of a reduced position.
fn option_forms(position: &Lists) -> Vec<String> {
    let forms = position.options().into_iter().map(|option| option.reduced().canonical());
    forms.collect::<BTreeSet<String>>().into_iter().collect()
}

/// Every drawing of up to three spots, read by the fast implementation. What it writes is read
/// and compared by the reference; equal positions have to be written in only one way.
#[test]
fn fast_positions_are_the_drawn_ones() {
    for (spots, graph) in DRAWN.iter().enumerate() {
        let mut written: HashMap<String, String> = HashMap::new();
        let mut nimbers = Nimbers::new();
        for (node, nimber) in graph.nodes.iter().zip(graph.nimbers()) {
            let text = node.position.text();
            let answer = fast(&text, &mut nimbers);
            assert_eq!(answer.nimber, nimber, "{text}");
            let reduced = node.position.lists().reduced();
            let form = reduced.canonical();
            assert_eq!(Lists::read(&answer.form).canonical(), form, "{text}");
            let options = answer.options.iter().map(|option| Lists::read(option).canonical());
            let mut options: Vec<String> = options.collect();
            options.sort();
            assert_eq!(options, option_forms(&reduced), "{text}");
            let known = written.entry(form).or_insert_with(|| answer.form.clone());
            assert_eq!(*known, answer.form, "{text}");
        }
        assert_eq!(written.len(), REDUCED[spots].iter().sum::<usize>(), "{spots} spots");
    }
}
