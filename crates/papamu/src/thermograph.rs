//! Thermographs as SVG or TikZ. Left's side is on the left, as usual.

use std::path::Path;

use papamu_base::file::AtomicFile;
use papamu_values::{Dyadic, Notation, Thermograph, Wall};

use crate::Error;
use crate::plot::{self, Scale, Series};

/// A file for a thermograph.
pub(crate) struct Plot {
    target: AtomicFile,
    is_tikz: bool,
}

impl Plot {
    /// The ending of the name tells what is drawn: TikZ for .tex, otherwise SVG.
    pub(crate) fn new(path: &Path) -> Result<Plot, Error> {
        let is_tikz = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tex"));
        Ok(Plot { target: AtomicFile::new(path)?, is_tikz })
    }

    pub(crate) fn write(&self, title: &str, thermograph: &Thermograph) -> Result<(), Error> {
        let drawn = if self.is_tikz { tikz(thermograph) } else { svg(title, thermograph) };
        Ok(self.target.write(drawn.as_bytes())?)
    }
}

/// Where the drawn part of the mast ends.
fn top(thermograph: &Thermograph) -> f64 {
    thermograph.temperature.to_f64().max(0.0) * 1.25 + 0.5
}

/// The corners of a wall and a bit of the mast.
fn points(wall: &Wall, thermograph: &Thermograph) -> Vec<(f64, f64)> {
    let point = |&(tax, value): &(Dyadic, Dyadic)| (-value.to_f64(), tax.to_f64());
    let end = (-thermograph.mean.to_f64(), top(thermograph));
    wall.corners.iter().map(point).chain([end]).collect()
}

fn svg(title: &str, thermograph: &Thermograph) -> String {
    let series = vec![
        Series { label: "Left begins", points: points(&thermograph.left, thermograph) },
        Series { label: "Right begins", points: points(&thermograph.right, thermograph) },
    ];
    plot::lines(
        title,
        "minus the value, so that Left is on the left",
        "tax on every move",
        Scale::Linear,
        series,
    )
}

/// The largest size of the drawing, in centimetres.
const WIDTH: f64 = 8.0;
const HEIGHT: f64 = 5.0;

/// A `tikzpicture` with the walls, the stops, the mean and the temperature.
fn tikz(thermograph: &Thermograph) -> String {
    let Thermograph { left, right, mean, temperature } = thermograph;
    let walls = [left, right].map(|wall| points(wall, thermograph));
    let across = || walls.iter().flatten().map(|point| point.0);
    let first = across().fold(f64::INFINITY, f64::min);
    let last = across().fold(f64::NEG_INFINITY, f64::max);
    // The same unit for value and tax, so that walls have the right slope.
    let unit = (WIDTH / (last - first).max(f64::MIN_POSITIVE)).min(HEIGHT / top(thermograph));
    let at = |(x, tax): (f64, f64)| format!("({:.3},{:.3})", (x - first) * unit, tax * unit);
    let stop = |wall: &Wall| wall.corners.first().map(|corner| corner.1);
    let mut numbers: Vec<Dyadic> =
        [stop(left), stop(right), Some(*mean)].into_iter().flatten().collect();
    numbers.sort_unstable();
    numbers.dedup();

    let mut lines = vec!["\\begin{tikzpicture}[thick]".to_owned()];
    lines.push(format!("  \\draw[thin, gray] {} -- {};", at((first, 0.0)), at((last, 0.0))));
    for (wall, colour) in walls.iter().zip(["blue", "red"]) {
        let corners: Vec<String> = wall.iter().map(|&point| at(point)).collect();
        lines.push(format!("  \\draw[{colour}] {};", corners.join(" -- ")));
    }
    let written = |number: Dyadic| Notation::Latex.number(number);
    for number in numbers {
        let place = at((-number.to_f64(), 0.0));
        let written = written(number);
        lines.push(format!("  \\draw[thin] {place} -- ++(0,-0.1) node[below] {{${written}$}};"));
    }
    // Numbers are colder than 0, where nothing is drawn.
    if *temperature >= Dyadic::ZERO {
        let place = at((-mean.to_f64(), temperature.to_f64()));
        lines.push(format!("  \\node[right] at {place} {{$t = {}$}};", written(*temperature)));
    }
    lines.push("\\end{tikzpicture}\n".to_owned());
    lines.join("\n")
}
