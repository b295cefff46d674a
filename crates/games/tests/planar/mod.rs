//! Sprouts from its definition, for tests: curves drawn on a sphere, and nothing else.
//!
//! `Drawing` is the reference: a planar map with all dead spots and regions kept. `Lists` is the
//! notation (regions of boundaries of spots) with the textual rules of moves and of reduction, so
//! that these rules can be compared with the drawings. Everything is naive on purpose.

#![allow(dead_code, reason = "each test file uses its own part of this module")]

use std::collections::{BTreeSet, HashMap};

/// One direction of an edge: twice the edge's number, plus one for the way back.
type Dart = usize;

fn twin(dart: Dart) -> Dart {
    dart ^ 1
}

/// A place at a spot where a curve can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Corner {
    /// All around an isolated spot.
    Around(usize),
    /// The angle just before this dart in the rotation of the spot that it leaves.
    Before(Dart),
}

/// A walk once round a component inside a region; a single corner for an isolated spot.
type Walk = Vec<Corner>;

/// A drawing on the sphere: a combinatorial map, not connected in general.
///
/// Rotations fix the faces of every component, but not which components lie in which face of
/// each other. Hence every dart knows the region that its walk bounds, as does an isolated spot.
#[derive(Clone)]
pub(crate) struct Drawing {
    /// The darts that leave each spot, in the order of rotation.
    spots: Vec<Vec<Dart>>,
    /// The spot that each dart leaves.
    tails: Vec<usize>,
    dart_regions: Vec<usize>,
    /// Meaningless for a spot with edges.
    spot_regions: Vec<usize>,
    regions: usize,
}

impl Drawing {
    /// Isolated spots in the only region.
    pub(crate) fn start(spots: usize) -> Drawing {
        Drawing {
            spots: vec![Vec::new(); spots],
            tails: Vec::new(),
            dart_regions: Vec::new(),
            spot_regions: vec![0; spots],
            regions: 1,
        }
    }

    fn lives(&self, spot: usize) -> usize {
        3 - self.spots[spot].len()
    }

    fn spot(&self, corner: Corner) -> usize {
        match corner {
            Corner::Around(spot) => spot,
            Corner::Before(dart) => self.tails[dart],
        }
    }

    /// The dart `steps` places after `dart` around their spot.
    fn rotated(&self, dart: Dart, steps: usize) -> Dart {
        let around = &self.spots[self.tails[dart]];
        let place = around.iter().position(|&other| other == dart).expect("a dart of its spot");
        around[(place + steps) % around.len()]
    }

    /// The darts of the face on the one side of `dart`: at each spot take the next one.
    fn trace(&self, dart: Dart) -> Vec<Dart> {
        let mut darts = vec![dart];
        loop {
            let next = self.rotated(twin(darts[darts.len() - 1]), 1);
            if next == dart {
                return darts;
            }
            darts.push(next);
        }
    }

    fn walks(&self, region: usize) -> Vec<Walk> {
        let isolated =
            |&spot: &usize| self.spots[spot].is_empty() && self.spot_regions[spot] == region;
        let spots = (0..self.spots.len()).filter(isolated);
        let mut walks: Vec<Walk> = spots.map(|spot| vec![Corner::Around(spot)]).collect();
        let mut seen = vec![false; self.tails.len()];
        for dart in 0..self.tails.len() {
            if self.dart_regions[dart] == region && !seen[dart] {
                let darts = self.trace(dart);
                darts.iter().for_each(|&dart| seen[dart] = true);
                walks.push(darts.into_iter().map(Corner::Before).collect());
            }
        }
        walks
    }

    /// Every move once for each way to draw it; many of the results are isomorphic.
    pub(crate) fn options(&self) -> Vec<Drawing> {
        (0..self.regions).flat_map(|region| self.options_in(region)).collect()
    }

    fn options_in(&self, region: usize) -> Vec<Drawing> {
        let walks = self.walks(region);
        let corners: Vec<Corner> = walks.iter().flatten().copied().collect();
        let mut options = Vec::new();
        for (i, &from) in corners.iter().enumerate() {
            for &to in corners[i..].iter().filter(|&&to| self.may_connect(from, to)) {
                let untouched = |walk: &&Walk| !walk.contains(&from) && !walk.contains(&to);
                let others: Vec<&Walk> = walks.iter().filter(untouched).collect();
                options.extend(self.connected(from, to, region, &others));
            }
        }
        options
    }

    fn may_connect(&self, from: Corner, to: Corner) -> bool {
        let (from, to) = (self.spot(from), self.spot(to));
        if from == to { self.lives(from) >= 2 } else { self.lives(from) > 0 && self.lives(to) > 0 }
    }

    /// Draws a curve with a new spot on it. If the curve divides the region, the walks that it does
    /// not touch (`others`) are distributed over its two sides in every way.
    fn connected(&self, from: Corner, to: Corner, region: usize, others: &[&Walk]) -> Vec<Drawing> {
        let mut drawing = self.clone();
        let middle = drawing.spots.len();
        let out = drawing.tails.len();
        let (back, on, home) = (out + 1, out + 2, out + 3);
        drawing.tails.extend([self.spot(from), middle, middle, self.spot(to)]);
        drawing.dart_regions.extend([region; 4]);
        drawing.insert(out, from);
        drawing.insert(home, to);
        drawing.spots.push(vec![back, on]);
        drawing.spot_regions.push(region);
        let side = drawing.trace(out);
        if side.contains(&back) {
            return vec![drawing];
        }
        let beyond = drawing.regions;
        drawing.regions += 1;
        side.iter().for_each(|&dart| drawing.dart_regions[dart] = beyond);
        (0..1_usize << others.len()).map(|set| drawing.with_beyond(others, set)).collect()
    }

    fn insert(&mut self, dart: Dart, corner: Corner) {
        let around = &mut self.spots[self.tails[dart]];
        let before = |next| around.iter().position(|&other| other == next);
        let place = match corner {
            Corner::Around(_) => around.len(),
            Corner::Before(next) => before(next).expect("a dart of its spot"),
        };
        around.insert(place, dart);
    }

    /// A copy with a set of walks moved to the newest region.
    fn with_beyond(&self, walks: &[&Walk], set: usize) -> Drawing {
        let mut drawing = self.clone();
        for (_, walk) in walks.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1) {
            for &corner in walk.iter() {
                match corner {
                    Corner::Around(spot) => drawing.spot_regions[spot] = self.regions - 1,
                    Corner::Before(dart) => drawing.dart_regions[dart] = self.regions - 1,
                }
            }
        }
        drawing
    }

    /// Seen from behind: the face on the one side of a dart is now that on the other.
    fn mirrored(&self) -> Drawing {
        let mut mirrored = self.clone();
        mirrored.spots.iter_mut().for_each(|darts| darts.reverse());
        for (dart, region) in mirrored.dart_regions.iter_mut().enumerate() {
            *region = self.dart_regions[twin(dart)];
        }
        mirrored
    }

    /// The same drawing with all names and all starts of lists changed.
    pub(crate) fn renamed(&self) -> Drawing {
        let (spots, darts) = (self.spots.len(), self.tails.len());
        let mut renamed = self.clone();
        for around in &mut renamed.spots {
            around.iter_mut().for_each(|dart| *dart = darts - 1 - *dart);
            let steps = around.len().min(1);
            around.rotate_left(steps);
        }
        renamed.tails.iter_mut().for_each(|tail| *tail = spots - 1 - *tail);
        let regions = renamed.dart_regions.iter_mut().chain(&mut renamed.spot_regions);
        regions.for_each(|region| *region = self.regions - 1 - *region);
        renamed.spots.reverse();
        renamed.tails.reverse();
        renamed.dart_regions.reverse();
        renamed.spot_regions.reverse();
        renamed
    }

    /// Euler's formula: spots - edges + regions = 1 + components.
    pub(crate) fn is_planar(&self) -> bool {
        let mut labels: Vec<usize> = (0..self.spots.len()).collect();
        for edge in self.tails.chunks(2) {
            let (kept, lost) = (labels[edge[0]], labels[edge[1]]);
            labels.iter_mut().filter(|label| **label == lost).for_each(|label| *label = kept);
        }
        let components = labels.into_iter().collect::<BTreeSet<usize>>().len();
        self.spots.len() + self.regions == 1 + components + self.tails.len() / 2
    }

    /// The same for two drawings exactly if the sphere can be deformed, or mirrored as a whole, so
    /// that the one becomes the other.
    pub(crate) fn code(&self) -> Vec<u8> {
        Coder::new(self).code().min(Coder::new(&self.mirrored()).code())
    }

    /// The position in the notation, unreduced.
    pub(crate) fn lists(&self) -> Lists {
        let spots = |walk: Walk| walk.into_iter().map(|corner| self.spot(corner)).collect();
        let boundaries = |region| self.walks(region).into_iter().map(spots).collect();
        Lists {
            lives: (0..self.spots.len()).map(|spot| self.lives(spot)).collect(),
            regions: (0..self.regions).map(boundaries).collect(),
        }
    }

    /// The unreduced text: every region, dead spots as `3`.
    pub(crate) fn text(&self) -> String {
        self.lists().text()
    }
}

/// Writes codes of drawings without regard to names of spots, darts and regions.
///
/// Components and regions, linked where the one bounds the other, make a tree, as the surface is
/// a sphere. The code is that of the tree from the best region as its root; each component is
/// entered through each corner of the walk that leads to the root.
struct Coder<'a> {
    drawing: &'a Drawing,
    walks: Vec<Vec<Walk>>,
}

impl Coder<'_> {
    fn new(drawing: &Drawing) -> Coder<'_> {
        Coder { drawing, walks: (0..drawing.regions).map(|region| drawing.walks(region)).collect() }
    }

    fn code(&self) -> Vec<u8> {
        let codes = (0..self.walks.len()).map(|region| self.region(region, None));
        codes.min().expect("a region")
    }

    /// All components that bound a region but the one that it is entered from.
    fn region(&self, region: usize, entry: Option<Dart>) -> Vec<u8> {
        let entered = |walk: &Walk| entry.is_some_and(|dart| walk.contains(&Corner::Before(dart)));
        let walks = self.walks[region].iter().filter(|walk| !entered(walk));
        let component = |walk: &Walk| walk.iter().map(|&corner| self.component(corner)).min();
        let mut codes: Vec<Vec<u8>> = walks.filter_map(component).collect();
        codes.sort();
        let mut code = vec![codes.len() as u8];
        code.extend(codes.into_iter().flatten());
        code
    }

    /// The number of spots, the rotations around them, and what lies in all other regions.
    fn component(&self, root: Corner) -> Vec<u8> {
        let Corner::Before(root) = root else { return vec![1, 0] };
        let (spots, darts) = self.numbered(root);
        let number = |dart| darts.iter().position(|&other| other == dart).expect("reached") as u8;
        let mut code = vec![spots];
        for &dart in &darts {
            let degree = self.drawing.spots[self.drawing.tails[dart]].len() as u8;
            code.extend([degree, number(twin(dart))]);
        }
        let mut seen = self.drawing.trace(root);
        for dart in darts {
            if !seen.contains(&dart) {
                code.extend(self.region(self.drawing.dart_regions[dart], Some(dart)));
                seen.extend(self.drawing.trace(dart));
            }
        }
        code
    }

    /// The number of spots of a component, and its darts breadth first from one of them.
    fn numbered(&self, root: Dart) -> (u8, Vec<Dart>) {
        let mut entries = vec![root];
        let mut darts: Vec<Dart> = Vec::new();
        let mut spots = 0;
        while let Some(&entry) = entries.get(spots) {
            spots += 1;
            for steps in 0..self.drawing.spots[self.drawing.tails[entry]].len() {
                let dart = self.drawing.rotated(entry, steps);
                darts.push(dart);
                let head = self.drawing.tails[twin(dart)];
                if entries.iter().all(|&entry| self.drawing.tails[entry] != head) {
                    entries.push(twin(dart));
                }
            }
        }
        (spots as u8, darts)
    }
}

/// A position as a node of the graph of all positions.
pub(crate) struct Node<P> {
    pub(crate) position: P,
    /// The different options: their indices in `Graph::nodes`.
    pub(crate) options: Vec<usize>,
    /// The least number of moves from the start.
    pub(crate) ply: usize,
}

/// All positions that can be reached from a start, which is the first node.
pub(crate) struct Graph<P> {
    pub(crate) nodes: Vec<Node<P>>,
}

impl<P> Graph<P> {
    /// Breadth first; positions with the same key are the same.
    fn new<K>(start: P, key: impl Fn(&P) -> K, options: impl Fn(&P) -> Vec<P>) -> Graph<P>
    where
        K: std::hash::Hash + Eq,
    {
        let mut indices = HashMap::from([(key(&start), 0)]);
        let mut nodes = vec![Node { position: start, options: Vec::new(), ply: 0 }];
        let mut done = 0;
        while done < nodes.len() {
            let ply = nodes[done].ply + 1;
            let mut found = BTreeSet::new();
            for option in options(&nodes[done].position) {
                let new = nodes.len();
                let index = *indices.entry(key(&option)).or_insert(new);
                if index == new {
                    nodes.push(Node { position: option, options: Vec::new(), ply });
                }
                found.insert(index);
            }
            nodes[done].options = found.into_iter().collect();
            done += 1;
        }
        Graph { nodes }
    }

    /// A value of every position, from the values of its options.
    pub(crate) fn values(&self, mut value: impl FnMut(&[usize]) -> usize) -> Vec<usize> {
        let mut values = vec![None; self.nodes.len()];
        for index in 0..self.nodes.len() {
            self.settle(index, &mut values, &mut value);
        }
        values.into_iter().flatten().collect()
    }

    /// Depth first: a game is short, but an option need not come after its position.
    fn settle(
        &self,
        index: usize,
        values: &mut [Option<usize>],
        value: &mut impl FnMut(&[usize]) -> usize,
    ) -> usize {
        if let Some(known) = values[index] {
            return known;
        }
        let options = self.nodes[index].options.iter();
        let options: Vec<usize> =
            options.map(|&option| self.settle(option, values, value)).collect();
        *values[index].insert(value(&options))
    }

    pub(crate) fn nimbers(&self) -> Vec<usize> {
        self.values(mex)
    }

    /// How many positions there are whose least number of moves is 0, 1, 2 and so on.
    pub(crate) fn plies(&self) -> Vec<usize> {
        plies(self.nodes.iter().map(|node| node.ply))
    }

    /// The number of sequences of moves from the start, for lengths from 1 to `depth`.
    pub(crate) fn perft(&self, depth: usize) -> Vec<u64> {
        let mut counts = vec![1_u64; self.nodes.len()];
        let mut perft = Vec::new();
        for _ in 0..depth {
            let sum = |node: &Node<P>| node.options.iter().map(|&option| counts[option]).sum();
            counts = self.nodes.iter().map(sum).collect();
            perft.push(counts[0]);
        }
        perft
    }
}

/// The mex.
pub(crate) fn mex(options: &[usize]) -> usize {
    (0..).find(|number| !options.contains(number)).expect("finitely many options")
}

/// How often each number occurs, from 0 to the greatest.
pub(crate) fn plies(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut counts = Vec::new();
    for number in numbers {
        counts.resize(counts.len().max(number + 1), 0);
        counts[number] += 1;
    }
    counts
}

/// All drawings that arise from isolated spots, up to isomorphism.
pub(crate) fn drawings(spots: usize) -> Graph<Drawing> {
    Graph::new(Drawing::start(spots), Drawing::code, Drawing::options)
}

/// All reduced positions that arise from isolated spots by the textual rules, where each move is
/// made in the reduced position.
pub(crate) fn reduced_positions(spots: usize) -> Graph<Lists> {
    let options = |position: &Lists| position.options().iter().map(Lists::reduced).collect();
    Graph::new(Drawing::start(spots).lists().reduced(), Lists::canonical, options)
}

type Boundary = Vec<usize>;
type Region = Vec<Boundary>;

/// A position in the notation: regions are lists of boundaries, boundaries of spots.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Lists {
    /// The lives that each spot has left.
    lives: Vec<usize>,
    regions: Vec<Region>,
}

impl Lists {
    /// Reads what is well written: separators, not terminators, and no white space.
    pub(crate) fn read(text: &str) -> Lists {
        let mut reader = Reader { lives: Vec::new(), letters: HashMap::new() };
        let mut regions = Vec::new();
        for (land, text) in text.trim_end_matches('!').split('+').enumerate() {
            for text in text.split('|').filter(|text| !text.is_empty()) {
                regions.push(reader.region(text, land));
            }
        }
        Lists { lives: reader.lives, regions }
    }

    /// Where a spot occurs: region and boundary, once for each occurrence.
    fn occurrences(&self, spot: usize) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        for (r, region) in self.regions.iter().enumerate() {
            for (b, boundary) in region.iter().enumerate() {
                let times = boundary.iter().filter(|&&other| other == spot).count();
                places.extend(std::iter::repeat_n((r, b), times));
            }
        }
        places
    }

    /// Letters are the spots of one life that occur twice; `Some(true)` is an upper-case one.
    fn letter(&self, spot: usize) -> Option<bool> {
        match self.occurrences(spot)[..] {
            [one, two] if self.lives[spot] == 1 => Some(one != two),
            _ => None,
        }
    }

    fn is_shared(&self, spot: usize) -> bool {
        self.letter(spot) == Some(true)
    }

    /// The lives in a region, counting each spot once.
    fn lives_in(&self, region: &Region) -> usize {
        spots_of(region).iter().map(|&spot| self.lives[spot]).sum()
    }

    /// Rules R1 to R5. None of the later steps gives an earlier one more to do: R1 and R2 leave
    /// the lives alone that R4 counts, R3 needs R1 only, R5 leaves every region two lives or more.
    pub(crate) fn reduced(&self) -> Lists {
        let mut lists = self.clone();
        for boundary in lists.regions.iter_mut().flatten() {
            boundary.retain(|&spot| self.lives[spot] > 0);
        }
        lists.regions.iter_mut().for_each(|region| region.retain(|boundary| !boundary.is_empty()));
        lists.regions.retain(|region| self.lives_in(region) >= 2);
        lists.regions.iter_mut().flatten().for_each(merge_neighbours);
        lists.unite_boundaries();
        lists
    }

    /// Rule R5.
    fn unite_boundaries(&mut self) {
        for index in 0..self.regions.len() {
            let spots = spots_of(&self.regions[index]);
            if self.lives_in(&self.regions[index]) > 3 {
                continue;
            }
            let (mut boundary, own): (Boundary, Boundary) =
                spots.into_iter().partition(|&spot| self.is_shared(spot));
            if !own.is_empty() {
                boundary.insert(0, self.lives.len());
                self.lives.push(own.iter().map(|&spot| self.lives[spot]).sum());
            }
            self.regions[index] = vec![boundary];
        }
    }

    /// All moves by the textual rules, unreduced.
    pub(crate) fn options(&self) -> Vec<Lists> {
        let mut options = Vec::new();
        for (index, region) in self.regions.iter().enumerate() {
            for (one, boundary) in region.iter().enumerate() {
                for two in one + 1..region.len() {
                    self.joins(index, one, two, &mut options);
                }
                self.splits(index, one, boundary, &mut options);
            }
        }
        options
    }

    /// Curves between two boundaries of a region.
    fn joins(&self, index: usize, one: usize, two: usize, options: &mut Vec<Lists>) {
        let region = &self.regions[index];
        for i in 0..region[one].len() {
            for j in 0..region[two].len() {
                let ends = [region[one][i], region[two][j]];
                let Some((mut lists, new)) = self.connected(ends) else { continue };
                let around = [self.around(&region[one], i), self.around(&region[two], j)];
                let joined = around.map(|part| [&part[..], &[new]].concat()).concat();
                lists.regions[index] = without(region, &[one, two]);
                lists.regions[index].push(joined);
                options.push(lists);
            }
        }
    }

    /// Curves from a boundary to itself.
    fn splits(&self, index: usize, one: usize, boundary: &Boundary, options: &mut Vec<Lists>) {
        let others = without(&self.regions[index], &[one]);
        for i in 0..boundary.len() {
            for j in i..boundary.len() {
                let Some((lists, new)) = self.connected([boundary[i], boundary[j]]) else {
                    continue;
                };
                let inner = &boundary[i..=j];
                let outer = match i == j {
                    true => self.around(boundary, i),
                    false => [&boundary[j..], &boundary[..=i]].concat(),
                };
                let sides = [[inner, &[new]].concat(), [&outer[..], &[new]].concat()];
                options.extend(lists.with_parted(index, &sides, &others));
            }
        }
    }

    /// A region replaced by two, with the other boundaries distributed in every way.
    fn with_parted(&self, index: usize, sides: &[Boundary; 2], others: &Region) -> Vec<Lists> {
        let parted = |set: usize| {
            let side = |which: usize| {
                let chosen = |&i: &usize| set >> i & 1 == which;
                let boundaries = (0..others.len()).filter(chosen).map(|i| others[i].clone());
                boundaries.chain([sides[which].clone()]).collect::<Region>()
            };
            let mut lists = self.clone();
            lists.regions[index] = side(0);
            lists.regions.push(side(1));
            lists
        };
        (0..1 << others.len()).map(parted).collect()
    }

    /// Takes the lives of the ends of a curve, if there are enough, and makes its new spot.
    fn connected(&self, ends: [usize; 2]) -> Option<(Lists, usize)> {
        let mut lists = self.clone();
        for end in ends {
            lists.lives[end] = lists.lives[end].checked_sub(1)?;
        }
        lists.lives.push(1);
        Some((lists, self.lives.len()))
    }

    /// A boundary from an occurrence all round to the same one; an isolated spot is met only once.
    fn around(&self, boundary: &Boundary, i: usize) -> Boundary {
        match self.lives[boundary[i]] {
            3 => vec![boundary[i]],
            _ => [&boundary[i..], &boundary[..=i]].concat(),
        }
    }

    /// The position as it stands.
    pub(crate) fn text(&self) -> String {
        let writer = Writer::new(self);
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        let mut boundary = |boundary: &Boundary| writer.boundary(boundary, &mut upper, &mut lower);
        let mut regions = Vec::new();
        for region in &self.regions {
            regions.push(region.iter().map(&mut boundary).collect::<Vec<String>>().join("."));
        }
        or_end(regions.join("|"))
    }

    /// The same for two positions exactly if they are equal: the least text in which letters are
    /// named in the order of their first appearance.
    pub(crate) fn canonical(&self) -> String {
        let writer = Writer::new(self);
        let lands = self.lands().into_iter();
        let mut lands: Vec<String> = lands.map(|regions| writer.land_form(&regions)).collect();
        lands.sort();
        or_end(lands.join("+"))
    }

    /// Rule R6: regions linked by letters.
    fn lands(&self) -> Vec<Vec<usize>> {
        let mut lands: Vec<(Vec<usize>, BTreeSet<usize>)> = Vec::new();
        for (index, region) in self.regions.iter().enumerate() {
            let shared = spots_of(region).into_iter().filter(|&spot| self.is_shared(spot));
            let mut land = (vec![index], shared.collect::<BTreeSet<usize>>());
            let (linked, apart): (Vec<_>, Vec<_>) =
                lands.into_iter().partition(|other| !other.1.is_disjoint(&land.1));
            for (regions, spots) in linked {
                land.0.extend(regions);
                land.1.extend(spots);
            }
            lands = apart;
            lands.push(land);
        }
        lands.into_iter().map(|(regions, _)| regions).collect()
    }
}

/// Makes spots of digits and letters.
struct Reader {
    lives: Vec<usize>,
    /// The spots of letters, by land and name; lower-case ones are forgotten after a boundary.
    letters: HashMap<(usize, String), usize>,
}

impl Reader {
    fn region(&mut self, text: &str, land: usize) -> Region {
        let mut region = Region::new();
        for text in text.split('.') {
            let (text, times) = text.split_once('*').unwrap_or((text, "1"));
            for _ in 0..times.parse().expect("a number") {
                self.letters.retain(|(_, name), _| name.starts_with(char::is_uppercase));
                region.push(self.boundary(text, land));
            }
        }
        region
    }

    fn boundary(&mut self, text: &str, land: usize) -> Boundary {
        let apostrophes = |rest: &str| rest.chars().take_while(|&c| c == '\'').count();
        let mut boundary = Boundary::new();
        for (at, first) in text.char_indices().filter(|&(_, first)| first != '\'') {
            let new = self.lives.len();
            let name = &text[at..=at + apostrophes(&text[at + 1..])];
            let (spot, lives) = match first.to_digit(10) {
                Some(digit) => (new, 3 - digit as usize),
                None => (*self.letters.entry((land, name.to_owned())).or_insert(new), 1),
            };
            if spot == new {
                self.lives.push(lives);
            }
            boundary.push(spot);
        }
        boundary
    }
}

/// Spots in the order in which they got their letters.
type Names = Vec<usize>;

/// A text, and the names of upper-case letters that are given after it.
type Form = (String, Names);

/// Writes boundaries, regions and lands.
struct Writer<'a> {
    lists: &'a Lists,
    /// `Lists::letter` of every spot.
    letters: Vec<Option<bool>>,
}

impl Writer<'_> {
    fn new(lists: &Lists) -> Writer<'_> {
        let letters = (0..lists.lives.len()).map(|spot| lists.letter(spot)).collect();
        Writer { lists, letters }
    }

    /// One boundary; letters that are met for the first time join the names.
    fn boundary(&self, boundary: &[usize], upper: &mut Names, lower: &mut Names) -> String {
        let mut text = String::new();
        for &spot in boundary {
            match self.letters[spot] {
                None => text += &(3 - self.lists.lives[spot]).to_string(),
                Some(true) => text += &letter('A', number_in(upper, spot)),
                Some(false) => text += &letter('a', number_in(lower, spot)),
            }
        }
        text
    }

    fn land_form(&self, regions: &[usize]) -> String {
        let forms = |place: usize, names: &Names| {
            let region = &self.lists.regions[regions[place]];
            let turned = region.iter().map(|boundary| boundary.iter().rev().copied().collect());
            let mut forms = self.region_forms(region, names);
            forms.extend(self.region_forms(&turned.collect(), names));
            forms
        };
        arranged(regions.len(), &Names::new(), forms).0.join("|")
    }

    /// The least text of a region after `names`, with all the names that it can lead to.
    fn region_forms(&self, region: &Region, names: &Names) -> Vec<Form> {
        let forms = |place: usize, names: &Names| {
            let starts = 0..region[place].len();
            starts.map(|first| self.boundary_form(&region[place], first, names)).collect()
        };
        let (texts, all) = arranged(region.len(), names, forms);
        all.into_iter().map(|names| (texts.join("."), names)).collect()
    }

    fn boundary_form(&self, boundary: &Boundary, first: usize, names: &Names) -> Form {
        let mut names = names.clone();
        let rotated = [&boundary[first..], &boundary[..first]].concat();
        (self.boundary(&rotated, &mut names, &mut Names::new()), names)
    }
}

/// Puts things into the order that makes their texts least, and gives all the names that this can
/// lead to. The least first text is the right one; where several things have it, or one has it in
/// several ways, all of them are followed up.
fn arranged(
    things: usize,
    names: &Names,
    forms: impl Fn(usize, &Names) -> Vec<Form>,
) -> (Vec<String>, BTreeSet<Names>) {
    let mut texts = Vec::new();
    let mut ways = BTreeSet::from([(names.clone(), (0..things).collect::<Vec<usize>>())]);
    for _ in 0..things {
        let mut longer = BTreeSet::new();
        for (names, left) in &ways {
            for &thing in left {
                let rest: Vec<usize> = left.iter().copied().filter(|&i| i != thing).collect();
                let forms = forms(thing, names).into_iter();
                longer.extend(forms.map(|(text, names)| (text, (names, rest.clone()))));
            }
        }
        let least = longer.first().expect("a thing is left").0.clone();
        ways = longer.into_iter().filter(|(text, _)| *text == least).map(|(_, way)| way).collect();
        texts.push(least);
    }
    (texts, ways.into_iter().map(|(names, _)| names).collect())
}

/// There is a sign for the position without any spots.
fn or_end(text: String) -> String {
    if text.is_empty() { "!".to_owned() } else { text }
}

/// The place of a spot among the names, which it joins if need be.
fn number_in(names: &mut Names, spot: usize) -> usize {
    names.iter().position(|&other| other == spot).unwrap_or_else(|| {
        names.push(spot);
        names.len() - 1
    })
}

/// Letters from `first` on; after 26 of them again with an apostrophe, then with two.
fn letter(first: char, number: usize) -> String {
    let letter = char::from(first as u8 + (number % 26) as u8);
    format!("{letter}{}", "'".repeat(number / 26))
}

fn without(region: &Region, places: &[usize]) -> Region {
    let kept = (0..region.len()).filter(|place| !places.contains(place));
    kept.map(|place| region[place].clone()).collect()
}

fn spots_of(region: &Region) -> BTreeSet<usize> {
    region.iter().flatten().copied().collect()
}

/// Rule R3: both occurrences of a spot side by side become one, until there are no such.
fn merge_neighbours(boundary: &mut Boundary) {
    let double = |boundary: &Boundary| {
        let next = |i: usize| boundary[(i + 1) % boundary.len()];
        (0..boundary.len()).find(|&i| boundary.len() > 1 && boundary[i] == next(i))
    };
    while let Some(place) = double(boundary) {
        boundary.remove(place);
    }
}
