//! Values and thermographs of Konane positions, and of their sum.
//!
//! `cargo run --release -p papamu-values --example konane_sum -- ".ox./o..x/...." "xo.o."`

use papamu_values::konane::{Evaluator, Regions, Setup};
use papamu_values::{Forms, Halt, Limits, Thermographs, Value, Wall};

/// Parts of a value beyond so many characters are written as dots.
const MOST_CHARS: usize = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut boards: Vec<String> = std::env::args().skip(1).collect();
    if boards.is_empty() {
        boards = vec![".ox./o..x/....".to_owned(), "xo.o.".to_owned()];
    }
    let regions = Regions::new(Forms::new(Limits::default())?)?;
    let forms = regions.forms();
    let mut evaluator = Evaluator::new(&regions);
    let mut sum = Value::ZERO;
    for board in &boards {
        let value = evaluator.value(&Setup::read(board)?)?;
        show(forms, board, value)?;
        sum = forms.add(sum, value)?;
    }
    show(forms, "sum", sum)?;
    Ok(())
}

fn show(forms: &Forms, name: &str, value: Value) -> Result<(), Halt> {
    let thermograph = Thermographs::new(forms).of(value)?;
    println!("{name}");
    println!("  value        {}", forms.write(value, MOST_CHARS)?);
    println!("  mean         {}", thermograph.mean);
    println!("  temperature  {}", thermograph.temperature);
    println!("  left wall    {}", corners(&thermograph.left));
    println!("  right wall   {}", corners(&thermograph.right));
    Ok(())
}

/// What Left gets at which tax, at the corners of a wall.
fn corners(wall: &Wall) -> String {
    let corner = |(tax, value): &(_, _)| format!("{value} at {tax}");
    wall.corners.iter().map(corner).collect::<Vec<_>>().join(", ")
}
