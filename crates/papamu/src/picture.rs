//! Pictures of positions on boards of squares, as SVG and TikZ.

use papamu_game::notation::column_name;

/// A position to be drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    columns: usize,
    /// Row by row from the top.
    squares: Vec<PictureSquare>,
    legend: Vec<LegendEntry>,
}

/// A square of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureSquare {
    /// Its colour.
    pub fill: Fill,
    /// The stone on it.
    pub stone: Option<Stone>,
}

/// The colour of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// White.
    #[default]
    Plain,
    /// Not part of the board.
    Wall,
    /// Part of the region with that number.
    Region(usize),
}

/// A stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stone {
    /// Of the first player.
    Black,
    /// Of the second player.
    White,
}

/// The text about a region below the board.
#[derive(Clone, Debug)]
pub struct LegendEntry {
    /// As text.
    pub text: String,
    /// For LaTeX.
    pub latex: String,
}

/// Colours of regions: in SVG and, as mixed by xcolor, in TikZ. They repeat after the last.
const COLOURS: [(&str, &str); 6] = [
    ("#d9e5f7", "blue!15"),
    ("#fbe3c8", "orange!25"),
    ("#d8efd3", "green!20"),
    ("#ecd9f2", "violet!20"),
    ("#fbf3bd", "yellow!35"),
    ("#cdeff0", "cyan!20"),
];

impl Fill {
    fn colours(self) -> (&'static str, &'static str) {
        match self {
            Fill::Plain => ("#ffffff", "white"),
            Fill::Wall => ("#777777", "gray"),
            Fill::Region(region) => COLOURS[region % COLOURS.len()],
        }
    }
}

/// Pixels of a square, and of a letter.
const SQUARE: usize = 40;
const LETTER: usize = 9;

impl Picture {
    /// A board of that many columns, with its squares row by row from the top.
    pub fn new(columns: usize, squares: Vec<PictureSquare>) -> Picture {
        Picture { columns: columns.max(1), squares, legend: Vec::new() }
    }

    /// The same with a line below the board for each region, in their order.
    pub fn with_legend(mut self, legend: Vec<LegendEntry>) -> Picture {
        self.legend = legend;
        self
    }

    fn rows(&self) -> usize {
        self.squares.len().div_ceil(self.columns)
    }

    fn placed(&self) -> impl Iterator<Item = (usize, usize, PictureSquare)> {
        let columns = self.columns;
        self.squares.iter().enumerate().map(move |(i, &square)| (i / columns, i % columns, square))
    }

    /// Names of rows and columns, with the row and column of the square they stand beside.
    fn names(&self) -> Vec<(String, f64, f64)> {
        let rows = self.rows();
        let row = |row: usize| ((rows - row).to_string(), row as f64, -0.8);
        let column = |column: usize| (column_name(column), rows as f64 - 0.2, column as f64);
        (0..rows).map(row).chain((0..self.columns).map(column)).collect()
    }

    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let (rows, columns) = (self.rows(), self.columns);
        let letters = self.legend.iter().map(|entry| entry.text.len()).max();
        let width = ((columns + 1) * SQUARE).max(letters.map_or(0, |n| 2 * SQUARE + n * LETTER));
        let height = (rows + 1 + self.legend.len()) * SQUARE;
        let at = |place: f64| (place * SQUARE as f64).round();
        let mut lines = vec![format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-{SQUARE} 0 {} {height}\" font-family=\"sans-serif\" font-size=\"15\" stroke-width=\"1.5\">",
            width + SQUARE / 4,
        )];
        for (row, column, square) in self.placed() {
            let (x, y, (fill, _)) = (column * SQUARE, row * SQUARE, square.fill.colours());
            lines.push(format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\" stroke=\"#999999\"/>"
            ));
            if let Some(stone) = square.stone {
                let fill = if stone == Stone::Black { "#222222" } else { "#ffffff" };
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
        for (i, entry) in self.legend.iter().enumerate() {
            let (y, half) = ((rows + 1 + i) * SQUARE, SQUARE / 2);
            let (fill, _) = Fill::Region(i).colours();
            lines.push(format!(
                "<rect x=\"0\" y=\"{y}\" width=\"{half}\" height=\"{half}\" fill=\"{fill}\" stroke=\"#999999\"/>"
            ));
            let (y, text) = (y + SQUARE * 3 / 8, escaped(&entry.text));
            lines.push(format!("<text x=\"{}\" y=\"{y}\">{text}</text>", SQUARE * 3 / 4));
        }
        lines.push("</svg>\n".to_owned());
        lines.join("\n")
    }

    /// The picture as a `tikzpicture`; it needs amsmath and no library of TikZ.
    pub fn tikz(&self) -> String {
        // Rows go down as they do on the screen.
        let mut lines = vec!["\\begin{tikzpicture}[x=6mm,y=-6mm]".to_owned()];
        let mut line = |line: String| lines.push(format!("  {line}"));
        for (row, column, square) in self.placed() {
            let (_, fill) = square.fill.colours();
            line(format!("\\filldraw[fill={fill},draw=gray] ({column},{row}) rectangle ++(1,1);"));
            if let Some(stone) = square.stone {
                let fill = if stone == Stone::Black { "black" } else { "white" };
                line(format!(
                    "\\filldraw[fill={fill},draw=black] ({column}.5,{row}.5) circle[radius=2.2mm];"
                ));
            }
        }
        for (name, row, column) in self.names() {
            line(format!("\\node at ({:.1},{:.1}) {{\\small {name}}};", column + 0.5, row + 0.5));
        }
        for (i, entry) in self.legend.iter().enumerate() {
            let (row, (_, fill)) = (self.rows() + 1 + i, Fill::Region(i).colours());
            line(format!("\\filldraw[fill={fill},draw=gray] (0,{row}) rectangle ++(0.5,0.5);"));
            line(format!("\\node[anchor=west] at (0.6,{row}.25) {{{}}};", entry.latex));
        }
        lines.push("\\end{tikzpicture}\n".to_owned());
        lines.join("\n")
    }
}

/// Text between tags of SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
