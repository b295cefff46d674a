//! Values of Konane positions by their independent regions: on boards of up to 256 squares, with
//! stones of any colour anywhere.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use papamu_base::Stop;
use papamu_game::notation::read_size;
use papamu_game::{Game, Player, Value as Outcome};
use papamu_games::Konane;
use papamu_games::konane::{Position, Setup, Square};
use papamu_search::problem::Oracle;
use papamu_values::conjecture::InvariantTable;
use papamu_values::konane::boards::{BadBoard, Boards, Colours, random, read_list};
use papamu_values::konane::families::{
    Family as Pattern, Published, somewhat_solid, somewhat_solid_published,
};
use papamu_values::konane::{
    Evaluator, FindError, Partial, Regions, invariants, moves as moves_of, region_of_squares,
    regions as regions_of, smallest,
};
use papamu_values::{Forms, Halt, Limits, Value as GameValue};

use super::picture::square;
use crate::calc::refuse;
use crate::conjecture::RandomTable;
use crate::family::{FamilyMember, FamilyPeriod};
use crate::find::StoneColours;
use crate::kit::{Answers, Values};
use crate::picture::{Fill, LegendEntry, Picture};
use crate::theory::{Style, TheoryLimits, style_and_limits};
use crate::value::{PartialValue, ValuedComponent, WholeValue, explanation, moves};
use crate::watch::{Pulse, with_progress, with_pulse};
use crate::winners::BoardSize;
use crate::{
    Error, Family, FamilyReport, Find, FindReport, Invariants, InvariantsReport, Value, ValueFacts,
    ValueReport, Watch,
};

/// The values of Konane.
pub(super) struct KonaneValues;

/// The default time limit of the search for the winner.
const SEARCH: Duration = Duration::from_secs(60);

/// Recursion of values may be deep.
const STACK_BYTES: usize = 1 << 28;

/// Threads for work with values. They are created before the values, which may take all address
/// space that is left.
fn pool(threads: u16) -> Result<rayon::ThreadPool, Error> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|_| Error::NoThreads)
}

/// The pulse of a computation of values: the number of known regions.
fn pulse(regions: &Regions) -> Pulse {
    Pulse { done: regions.count() as u64, ..Pulse::default() }
}

fn colours(colours: StoneColours) -> Colours {
    match colours {
        StoneColours::Game => Colours::Game,
        StoneColours::Any => Colours::Any,
    }
}

impl Values<Konane> for KonaneValues {
    fn value(&self, request: &Value, watch: &dyn Watch) -> Result<ValueReport, Error> {
        let text = request.position.as_deref().unwrap_or_default().trim();
        if read_size(text).is_some() {
            let problem = format!(
                "`{text}` is a board before stones are removed, which has no value: give a position in which both jump, such as `.ox./o..x/....`"
            );
            return Err(Error::option("position", problem));
        }
        let setup = Setup::read(text)?.with_side(None);
        let (style, limits) = style_and_limits!(request, watch);
        // The other half is for the search for the winner.
        let regions = Regions::new(limits.forms_within(limits.half_of_the_time())?)?;
        let mut value = None;
        let whole = with_pulse(watch, "regions", &|| pulse(&regions), || {
            whole(&setup, &regions, style, request.explain, &mut value)
        });
        match whole {
            Ok(whole) => Ok(ValueReport::Whole(Box::new(whole))),
            Err(halt @ (Halt::Time | Halt::Memory)) => {
                // The value may be known although other facts about it are not.
                let value = value.and_then(|value| style.write(regions.forms(), value).ok());
                drop(regions);
                let mut partial = partial(&setup, &limits, style, watch)?;
                partial.value = value;
                partial.failure = Some(halt.into());
                Ok(ValueReport::Partial(partial))
            }
            Err(halt) => Err(halt.into()),
        }
    }

    fn oracle(
        &self,
        game: &Konane,
        most_squares: u32,
        memory_bytes: u64,
    ) -> Result<Box<dyn Answers<Konane>>, Error> {
        if game.board().stride != ROW {
            let problem = "values of regions are for boards of up to 8x8";
            return Err(Error::option("region_values", problem));
        }
        let limits = Limits { deadline: None, memory_bytes, stop: Stop::new() };
        Ok(Box::new(RegionOracle {
            regions: Regions::new(Forms::new(limits)?)?,
            most_squares,
            hits: AtomicU64::new(0),
            is_full: AtomicBool::new(false),
        }))
    }

    fn family(&self, request: &Family, watch: &dyn Watch) -> Result<FamilyReport, Error> {
        let (style, limits) = style_and_limits!(request, watch);
        let (name, first, pending) = pending(request)?;
        crate::theory::deep(|| {
            with_progress(watch, "members", |progress| {
                progress.add_total(pending.len() as u64);
                let regions = Regions::new(limits.forms()?)?;
                let forms = regions.forms();
                let mut evaluator = Evaluator::new(&regions);
                let (mut members, mut values) = (Vec::new(), Vec::new());
                for Pending { n, setup, published } in pending {
                    let value = evaluator.value(&setup)?;
                    values.push(value);
                    let agrees = published.as_ref().map(|p| p.agrees(forms, value)).transpose()?;
                    members.push(FamilyMember {
                        n,
                        position: setup.to_string(),
                        value: style.write(forms, value)?,
                        outcome: forms.outcome(value)?.letter(),
                        agrees,
                        source: published.as_ref().map(|p| p.source),
                        published: published.map(|p| p.value),
                    });
                    progress.add(1);
                }
                let period = first.map(|first| period(forms, &values, first, style)).transpose()?;
                Ok(FamilyReport::new(name, members, period.flatten()))
            })
        })
    }

    fn families(&self) -> Vec<(&'static str, &'static str)> {
        let patterns = Pattern::ALL.into_iter().map(|family| (family.name(), family.summary()));
        let s = "somewhat solid rows S(a,b,...): rows with single gaps, the first stone white";
        patterns.chain([(SOMEWHAT_SOLID, s)]).collect()
    }

    fn find(&self, request: &Find, watch: &dyn Watch) -> Result<FindReport, Error> {
        let within = request.within.ok_or(Error::Missing { option: "within" })?;
        let text = request.value.as_deref().unwrap_or_default();
        let (style, limits) = style_and_limits!(request, watch);
        let pool = pool(request.threads())?;
        let regions = Regions::new(limits.forms()?)?;
        let forms = regions.forms();
        let wanted =
            pool.install(|| forms.read(text).map_err(|error| refuse("value", text, error)))?;
        let (found, positions) = with_progress(watch, "positions", |progress| {
            let size = (within.rows, within.cols);
            let colours = colours(request.colours());
            let found = pool.install(|| smallest(wanted, size, colours, &regions, progress));
            (found, progress.done())
        });
        let found = found.map_err(|error| match error {
            FindError::Halt(halt) => halt.into(),
            error => Error::option("within", error.to_string()),
        })?;
        Ok(FindReport {
            value: style.write(forms, wanted)?,
            position: found.as_ref().map(ToString::to_string),
            size: found.as_ref().map(|setup| format!("{}x{}", setup.rows(), setup.columns())),
            stones: found.as_ref().map(Setup::stones),
            positions,
            within: within.to_string(),
        })
    }

    fn invariants(
        &self,
        request: &Invariants,
        watch: &dyn Watch,
    ) -> Result<InvariantsReport, Error> {
        let limits =
            TheoryLimits { timeout: request.timeout, memory: request.memory(), stop: watch.stop() };
        let pool = pool(request.threads())?;
        let setups = listed(request, &pool, watch)?;
        let regions = Regions::new(limits.forms()?)?;
        let mut rows = with_progress(watch, "positions", |progress| {
            pool.install(|| invariants::rows(&setups, &regions, progress))
        })?;
        let names: Vec<&str> = if request.properties {
            invariants::names().collect()
        } else {
            invariants::NAMES.to_vec()
        };
        rows.iter_mut().for_each(|row| row.truncate(names.len()));
        let objects = setups.iter().map(Setup::to_string).collect();
        Ok(InvariantsReport::new(names, objects, rows))
    }

    fn random_table(
        &self,
        request: &RandomTable<'_>,
        watch: &dyn Watch,
    ) -> Result<InvariantTable, Error> {
        let BoardSize { rows, cols } = request.size;
        let setups = random(rows, cols, request.count, request.seed)?;
        let limits = Limits { deadline: None, memory_bytes: RANDOM_BYTES, stop: watch.stop() };
        let pool = pool(1)?;
        let regions = Regions::new(Forms::new(limits)?)?;
        let table = with_progress(watch, "positions", |progress| {
            pool.install(|| invariants::table(&setups, request.names, &regions, progress))
        });
        table.map_err(|error| match error {
            invariants::TableError::Halt(halt) => halt.into(),
            error => {
                Error::option("test_random", format!("{error}; choose others with `invariants`"))
            }
        })
    }
}

/// Memory for the values of random positions.
const RANDOM_BYTES: u64 = 4 << 30;

/// The positions whose invariants are wanted.
fn listed(
    request: &Invariants,
    pool: &rayon::ThreadPool,
    watch: &dyn Watch,
) -> Result<Vec<Setup>, Error> {
    if let Some(family) = &request.family {
        if family == SOMEWHAT_SOLID {
            let problem = "the family s has no numbered members; write its positions into a file";
            return Err(Error::option("family", problem));
        }
        let family: Pattern =
            family.parse().map_err(|error| Error::option("family", format!("{error}")))?;
        let members = request.n.as_ref().map_or(1..=12, |members| members.0.clone());
        let members = members.filter(|&n| n >= family.first());
        return members.map(|n| member(family, n)).collect();
    }
    if let Some(file) = &request.file {
        return read_positions(file);
    }
    let BoardSize { rows, cols } = request.all.ok_or(Error::Missing { option: "all" })?;
    let colours = colours(request.colours.unwrap_or(StoneColours::Game));
    let bad = |error: BadBoard| Error::option("all", error.to_string());
    let boards = Boards::new(rows, cols, colours).map_err(bad)?;
    let setups = with_progress(watch, "positions", |progress| {
        pool.install(|| boards.up_to_symmetry(progress))
    });
    Ok(setups?)
}

fn member(family: Pattern, n: usize) -> Result<Setup, Error> {
    family.member(n).map_err(|error| Error::option("n", format!("member {n}: {error}")))
}

fn read_positions(file: &Path) -> Result<Vec<Setup>, Error> {
    read_list(&crate::text_file::read(file)?)
        .map_err(|error| Error::Input { path: file.to_owned(), problem: error.to_string() })
}

/// The family of patterns with several numbers.
const SOMEWHAT_SOLID: &str = "s";

/// A member whose value is not computed yet.
struct Pending {
    n: String,
    setup: Setup,
    published: Option<Published>,
}

/// The name of a family, its first member if they are numbered, and its members.
fn pending(request: &Family) -> Result<(String, Option<usize>, Vec<Pending>), Error> {
    let name = request.family.as_deref().ok_or(Error::Missing { option: "family" })?;
    if name == SOMEWHAT_SOLID {
        if request.blocks.is_empty() {
            let problem = "the family s needs them, such as 1,2,1";
            return Err(Error::option("blocks", problem));
        }
        let member = |lengths: &[usize]| {
            let texts: Vec<String> = lengths.iter().map(ToString::to_string).collect();
            let setup = somewhat_solid(lengths);
            let setup = setup.map_err(|error| Error::option("blocks", error.to_string()))?;
            let published = somewhat_solid_published(lengths);
            Ok(Pending { n: texts.join(","), setup, published })
        };
        let members = request.blocks.iter().map(|blocks| member(&blocks.0));
        return Ok((name.to_owned(), None, members.collect::<Result<_, Error>>()?));
    }
    if !request.blocks.is_empty() {
        return Err(Error::option("blocks", "they are for the family s"));
    }
    let family: Pattern = name
        .parse()
        .map_err(|error| Error::option("family", format!("{error} and {SOMEWHAT_SOLID}")))?;
    let range = request.n().0;
    let first = family.first().max(*range.start());
    let members = range.filter(|&n| n >= family.first()).map(|n| {
        let (setup, published) = (member(family, n)?, family.published(n));
        Ok(Pending { n: n.to_string(), setup, published })
    });
    Ok((name.to_owned(), Some(first), members.collect::<Result<_, Error>>()?))
}

fn period(
    forms: &Forms,
    values: &[GameValue],
    first: usize,
    style: Style,
) -> Result<Option<FamilyPeriod>, Halt> {
    let Some(period) = forms.period(values)? else { return Ok(None) };
    let saltus = style.write(forms, period.saltus)?;
    Ok(Some(FamilyPeriod { from: first + period.preperiod, period: period.period, saltus }))
}

/// Longer values are not written into pictures.
const LONGEST_LABEL: usize = 60;

fn whole(
    setup: &Setup,
    regions: &Regions,
    style: Style,
    explain: bool,
    found: &mut Option<GameValue>,
) -> Result<WholeValue, Halt> {
    let forms = regions.forms();
    let mut evaluator = Evaluator::new(regions);
    let value = evaluator.value(setup)?;
    *found = Some(value);
    let (mut components, mut legend) = (Vec::new(), Vec::new());
    for region in regions_of(setup) {
        let value = evaluator.value(&region.setup)?;
        legend.push(label(forms, &region.at, value)?);
        components.push(ValuedComponent {
            at: region.at,
            text: region.setup.to_string(),
            value: style.write(forms, value)?,
        });
    }
    let mut options = Vec::new();
    for player in [Player::First, Player::Second] {
        let mut values = Vec::new();
        for mv in moves_of(setup, player) {
            values.push((mv.name, evaluator.value(&mv.after)?));
        }
        options.push(values);
    }
    let [left, right] = [&options[0][..], &options[1][..]];
    Ok(WholeValue {
        game: Konane::NAME,
        position: setup.to_string(),
        facts: ValueFacts::new(forms, value, style)?,
        components,
        left_moves: moves(forms, left, true, style)?,
        right_moves: moves(forms, right, false, style)?,
        explanation: explanation(forms, [left, right], explain, style)?,
        picture: Some(picture(setup).with_legend(legend)),
    })
}

fn label(forms: &Forms, at: &str, value: GameValue) -> Result<LegendEntry, Halt> {
    let plain = forms.write(value, LONGEST_LABEL)?;
    let (plain, latex) = if plain.len() > LONGEST_LABEL {
        ("...".to_owned(), r"\ldots".to_owned())
    } else {
        let notation = papamu_values::Notation::Latex;
        (plain, forms.write_in(notation, value, 10 * LONGEST_LABEL)?)
    };
    Ok(LegendEntry { text: format!("{at}: {plain}"), latex: format!("{at}: ${latex}$") })
}

/// A picture with the regions in colours of their own.
fn picture(setup: &Setup) -> Picture {
    let regions = region_of_squares(setup);
    let squares = setup.squares().iter().zip(regions).map(|(&of, region)| {
        let mut square = square(of);
        if let (Some(region), false) = (region, of == Square::Wall) {
            square.fill = Fill::Region(region);
        }
        square
    });
    Picture::new(setup.columns(), squares.collect())
}

/// The partial result that the other half of the time gives.
fn partial(
    setup: &Setup,
    limits: &TheoryLimits,
    style: Style,
    watch: &dyn Watch,
) -> Result<PartialValue, Error> {
    let time = limits.half_of_the_time().unwrap_or(SEARCH);
    let regions = Regions::new(limits.forms_within(Some(time))?)?;
    let unit = "regions, to find out who wins";
    let partial = with_pulse(watch, unit, &|| pulse(&regions), || Partial::new(setup, &regions))?;
    let write = |value: GameValue| style.write(regions.forms(), value).ok();
    let [lower, upper] = partial.bounds.map_or([None, None], |bounds| bounds.map(Some));
    let [left, right] = partial.wins;
    Ok(PartialValue {
        game: Konane::NAME,
        position: setup.to_string(),
        value: None,
        lower_bound: lower.and_then(write),
        upper_bound: upper.and_then(write),
        left_wins_if_beginning: left,
        right_wins_if_beginning: right,
        outcome: partial.outcome().map(papamu_values::Outcome::letter),
        failure: None,
    })
}

/// The stride of the boards whose regions can be valued in searches.
const ROW: u32 = 8;

/// Exact values of regions as an oracle of searches: the sum of the values decides a position that
/// consists of small regions.
struct RegionOracle {
    regions: Regions,
    most_squares: u32,
    hits: AtomicU64,
    /// There is no memory for more values, so no more positions are decided.
    is_full: AtomicBool,
}

impl RegionOracle {
    /// Whether the player to move wins, if the regions are small and there is memory left.
    fn wins(&self, game: &Konane, position: &Position) -> Option<bool> {
        let mut evaluator = Evaluator::new(&self.regions);
        let board = game.board();
        let [black, white] = [board.black, board.white].map(|stones| stones & position.occupied);
        let value = evaluator.of_small_regions(board.squares, [black, white], self.most_squares);
        if value.is_err() {
            self.is_full.store(true, Ordering::Relaxed);
        }
        let value = value.ok()??;
        let forms = self.regions.forms();
        // Left, who has the black stones, wins moving first unless the value is at most zero.
        let loses = match position.side {
            Player::First => forms.is_at_most(value, GameValue::ZERO),
            Player::Second => forms.is_at_most(GameValue::ZERO, value),
        };
        loses.ok().map(|loses| !loses)
    }
}

impl Oracle<Konane> for RegionOracle {
    fn value(&self, game: &Konane, position: &Position) -> Option<Outcome> {
        if self.is_full.load(Ordering::Relaxed) || game.is_removal(position) {
            return None;
        }
        let wins = self.wins(game, position)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(if wins { Outcome::Win } else { Outcome::Loss })
    }
}

impl Answers<Konane> for RegionOracle {
    fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }
}
