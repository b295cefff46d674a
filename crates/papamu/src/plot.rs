//! Plots as SVG.

use std::path::Path;

use papamu_base::file::{AtomicFile, FileError};

use crate::Error;

/// Two files for plots in a directory, which is created if it does not exist.
pub(crate) fn files(directory: &Path, names: [&str; 2]) -> Result<[AtomicFile; 2], Error> {
    make_directory(directory)?;
    let [first, second] = names.map(|name| AtomicFile::new(&directory.join(name)));
    Ok([first?, second?])
}

/// Creates a directory if it does not exist.
pub(crate) fn make_directory(directory: &Path) -> Result<(), Error> {
    let made = std::fs::create_dir_all(directory);
    made.map_err(|error| FileError::new("make the directory", directory, error))?;
    Ok(())
}

/// One line of a plot.
pub(crate) struct Series {
    pub(crate) label: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// The scale of the y axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
}

/// Refuses plots in a program that was built without them.
pub(crate) fn check_available(is_wanted: bool) -> Result<(), Error> {
    check_available_for("plot", is_wanted)
}

/// The same for an option of another name.
pub(crate) fn check_available_for(option: &'static str, is_wanted: bool) -> Result<(), Error> {
    if is_wanted && !cfg!(feature = "plots") {
        return Err(Error::option(option, "this program was built without plots"));
    }
    Ok(())
}

/// Lines over a common x axis.
#[cfg(feature = "plots")]
pub(crate) fn lines(
    title: &str,
    x_label: &str,
    y_label: &str,
    scale: Scale,
    series: Vec<Series>,
) -> String {
    let mut svg = String::new();
    // Writing into a string does not fail, and the ranges are not empty.
    let _ = draw(&mut svg, [title, x_label, y_label], scale, &series);
    svg
}

/// Pixels of a plot.
#[cfg(feature = "plots")]
const SIZE: (u32, u32) = (720, 480);

#[cfg(feature = "plots")]
fn draw(
    svg: &mut String,
    [title, x_label, y_label]: [&str; 3],
    scale: Scale,
    series: &[Series],
) -> Result<(), Box<dyn std::error::Error>> {
    use plotters::prelude::{
        ChartBuilder, IntoDrawingArea, IntoFont, IntoLogRange, RGBColor, SVGBackend, WHITE,
    };

    let points = || series.iter().flat_map(|series| &series.points);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let least = points().map(of).fold(f64::INFINITY, f64::min);
        let most = points().map(of).fold(f64::NEG_INFINITY, f64::max);
        match () {
            () if least < most => least..most,
            () if least.is_finite() => least - 1.0..least + 1.0,
            // There are no points.
            () => 0.0..1.0,
        }
    };
    let (x, y) = (range(|point| point.0), range(|point| point.1));
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area);
    chart.caption(title, ("sans-serif", 18).into_font()).margin(12);
    chart.x_label_area_size(44).y_label_area_size(76);
    let colours = [(0x1f, 0x5a, 0x8a), (0xc2, 0x57, 0x1a), (0x3c, 0x8d, 0x40), (0x7a, 0x4a, 0x9c)];
    let colours = colours.into_iter().cycle().map(|(r, g, b)| RGBColor(r, g, b));
    // The two kinds of axes are two types.
    macro_rules! draw_in {
        ($chart:expr) => {{
            let mut chart = $chart;
            chart.configure_mesh().x_desc(x_label).y_desc(y_label).draw()?;
            for (series, colour) in series.iter().zip(colours) {
                draw_line(&mut chart, series, colour)?;
            }
            chart.configure_series_labels().border_style(RGBColor(0x99, 0x99, 0x99)).draw()?;
        }};
    }
    match scale {
        Scale::Linear => draw_in!(chart.build_cartesian_2d(x, y)?),
        // Nothing below one is drawn there.
        Scale::Logarithmic => {
            draw_in!(chart.build_cartesian_2d(x, (y.start.max(1.0)..y.end.max(2.0)).log_scale())?)
        }
    }
    area.present()?;
    Ok(())
}

#[cfg(feature = "plots")]
fn draw_line<'a, 'b, DB, CT>(
    chart: &mut plotters::prelude::ChartContext<'a, DB, CT>,
    series: &Series,
    colour: plotters::prelude::RGBColor,
) -> Result<(), Box<dyn std::error::Error>>
where
    DB: plotters::prelude::DrawingBackend + 'a,
    DB::ErrorType: 'static,
    CT: plotters::coord::CoordTranslate<From = (f64, f64)>,
    'a: 'b,
{
    use plotters::prelude::{LineSeries, PathElement};

    let line = LineSeries::new(series.points.iter().copied(), &colour);
    chart
        .draw_series(line)?
        .label(series.label)
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour));
    Ok(())
}

/// Draws nothing: [`check_available`] has refused before.
#[cfg(not(feature = "plots"))]
pub(crate) fn lines(_: &str, _: &str, _: &str, _: Scale, series: Vec<Series>) -> String {
    let points = |series: Series| format!("{}: {} points", series.label, series.points.len());
    series.into_iter().map(points).collect()
}
