//! Positions as drawings: stones, walls, and regions in colours of their own with their values
//! below.

use papamu_game::notation::column_name;
use papamu_games::konane::{Setup, Square};

use super::position::region_of_squares;
use crate::forms::{Forms, Halt, Value};
use crate::notation::Notation;

/// A position to be drawn.
#[derive(Clone, Debug)]
pub struct Drawing {
    setup: Setup,
    /// The region of each square, row by row.
    regions: Vec<Option<usize>>,
    labels: Vec<Label>,
}

/// What is written about a region.
#[derive(Clone, Debug)]
pub struct Label {
    at: String,
    plain: String,
    latex: String,
}

/// Longer values are not written into drawings.
const LONGEST: usize = 60;

impl Label {
    /// The value of the region whose top left corner is at that square.
    pub fn new(forms: &Forms, at: &str, value: Value) -> Result<Label, Halt> {
        let plain = forms.write(value, LONGEST)?;
        let (plain, latex) = if plain.len() > LONGEST {
            ("...".to_owned(), r"\ldots".to_owned())
        } else {
            (plain, forms.write_in(Notation::Latex, value, 10 * LONGEST)?)
        };
        Ok(Label { at: at.to_owned(), plain, latex })
    }
}

/// Colours of regions: in SVG and, as mixed by xcolor, in TikZ. They come again after the last.
const COLOURS: [(&str, &str); 6] = [
    ("#d9e5f7", "blue!15"),
    ("#fbe3c8", "orange!25"),
    ("#d8efd3", "green!20"),
    ("#ecd9f2", "violet!20"),
    ("#fbf3bd", "yellow!35"),
    ("#cdeff0", "cyan!20"),
];
const OUTSIDE: (&str, &str) = ("#ffffff", "white");
const WALL: (&str, &str) = ("#777777", "gray");

fn colour(region: usize) -> (&'static str, &'static str) {
    COLOURS[region % COLOURS.len()]
}

/// Pixels of a square, and of the letters of a value.
const SQUARE: usize = 40;
const LETTER: usize = 9;

impl Drawing {
    /// A position with its regions; the labels are in the order of [`regions`](super::regions).
    pub fn new(setup: &Setup, labels: Vec<Label>) -> Drawing {
        Drawing { setup: setup.clone(), regions: region_of_squares(setup), labels }
    }

    /// A position alone.
    pub fn bare(setup: Setup) -> Drawing {
        let regions = vec![None; setup.rows() * setup.columns()];
        Drawing { setup, regions, labels: Vec::new() }
    }

    /// Row, column, what is there and its colours.
    fn squares(
        &self,
    ) -> impl Iterator<Item = (usize, usize, Square, (&'static str, &'static str))> {
        let columns = self.setup.columns();
        self.regions.iter().enumerate().map(move |(i, region)| {
            let (row, column) = (i / columns, i % columns);
            let square = self.setup.get(row, column);
            let colours = match (square, region) {
                (Square::Wall, _) => WALL,
                (_, Some(region)) => colour(*region),
                (_, None) => OUTSIDE,
            };
            (row, column, square, colours)
        })
    }

    /// Names of rows and columns, with the row and column of the square they stand beside.
    fn names(&self) -> Vec<(String, f64, f64)> {
        let (rows, columns) = (self.setup.rows(), self.setup.columns());
        let row = |row: usize| ((rows - row).to_string(), row as f64, -0.8);
        let column = |column: usize| (column_name(column), rows as f64 - 0.2, column as f64);
        (0..rows).map(row).chain((0..columns).map(column)).collect()
    }

    /// The drawing as SVG.
    pub fn svg(&self) -> String {
        let (rows, columns) = (self.setup.rows(), self.setup.columns());
        let letters = self.labels.iter().map(|label| label.plain.len() + label.at.len()).max();
        let width = ((columns + 1) * SQUARE).max(letters.map_or(0, |n| 2 * SQUARE + n * LETTER));
        let height = (rows + 1 + self.labels.len()) * SQUARE;
        let at = |place: f64| (place * SQUARE as f64).round();
        let mut lines = vec![format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \
             viewBox=\"-{SQUARE} 0 {} {height}\" \
             font-family=\"sans-serif\" font-size=\"15\" stroke-width=\"1.5\">",
            width + SQUARE / 4,
        )];
        for (row, column, square, (fill, _)) in self.squares() {
            let (x, y) = (column * SQUARE, row * SQUARE);
            lines.push(format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" \
                 fill=\"{fill}\" stroke=\"#999999\"/>"
            ));
            if let Square::Black | Square::White = square {
                let fill = if square == Square::Black { "#222222" } else { "#ffffff" };
                let (x, y, radius) = (x + SQUARE / 2, y + SQUARE / 2, SQUARE * 3 / 8);
                lines.push(format!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"#222222\"/>"
                ));
            }
        }
        for (name, row, column) in self.names() {
            let (x, y) = (at(column + 0.5), at(row + 0.63));
            lines.push(format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{name}</text>"));
        }
        for (i, Label { at, plain, .. }) in self.labels.iter().enumerate() {
            let (y, half, (fill, _)) = ((rows + 1 + i) * SQUARE, SQUARE / 2, colour(i));
            lines.push(format!(
                "<rect x=\"0\" y=\"{y}\" width=\"{half}\" height=\"{half}\" \
                 fill=\"{fill}\" stroke=\"#999999\"/>"
            ));
            let (y, text) = (y + SQUARE * 3 / 8, escaped(&format!("{at}: {plain}")));
            lines.push(format!("<text x=\"{}\" y=\"{y}\">{text}</text>", SQUARE * 3 / 4));
        }
        lines.push("</svg>\n".to_owned());
        lines.join("\n")
    }

    /// A `tikzpicture`; it needs amsmath and no library of TikZ.
    pub fn tikz(&self) -> String {
        // Rows go down as they do on the screen.
        let mut lines = vec!["\\begin{tikzpicture}[x=6mm,y=-6mm]".to_owned()];
        let mut line = |line: String| lines.push(format!("  {line}"));
        for (row, column, square, (_, fill)) in self.squares() {
            line(format!("\\filldraw[fill={fill},draw=gray] ({column},{row}) rectangle ++(1,1);"));
            if let Square::Black | Square::White = square {
                let fill = if square == Square::Black { "black" } else { "white" };
                line(format!(
                    "\\filldraw[fill={fill},draw=black] ({column}.5,{row}.5) circle[radius=2.2mm];"
                ));
            }
        }
        for (name, row, column) in self.names() {
            line(format!("\\node at ({:.1},{:.1}) {{\\small {name}}};", column + 0.5, row + 0.5));
        }
        for (i, Label { at, latex, .. }) in self.labels.iter().enumerate() {
            let (row, (_, fill)) = (self.setup.rows() + 1 + i, colour(i));
            line(format!("\\filldraw[fill={fill},draw=gray] (0,{row}) rectangle ++(0.5,0.5);"));
            line(format!("\\node[anchor=west] at (0.6,{row}.25) {{{at}: ${latex}$}};"));
        }
        lines.push("\\end{tikzpicture}\n".to_owned());
        lines.join("\n")
    }
}

/// Text between tags of SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
