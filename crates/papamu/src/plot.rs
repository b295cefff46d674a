//! Plots as SVG.

use std::path::Path;

use papamu_base::file::{AtomicFile, FileError};

use crate::Error;

/// Two files for plots in a directory, which is made if it is not there.
pub(crate) fn files(directory: &Path, names: [&str; 2]) -> Result<[AtomicFile; 2], Error> {
    let made = std::fs::create_dir_all(directory);
    made.map_err(|error| FileError::new("make the directory", directory, error))?;
    let [first, second] = names.map(|name| AtomicFile::new(&directory.join(name)));
    Ok([first?, second?])
}

/// One line of a plot.
pub(crate) struct Series {
    pub(crate) label: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// How the y axis is divided.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
}

/// Refuses plots in a program that was built without them.
pub(crate) fn check_available(is_wanted: bool) -> Result<(), Error> {
    if is_wanted && !cfg!(feature = "plots") {
        return Err(Error::option("plot", "this program was built without plots"));
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
    use kuva::prelude::{Layout, LinePlot, Plot};

    let colours = ["#1f5a8a", "#c2571a", "#3c8d40", "#7a4a9c"];
    let plots: Vec<Plot> = series
        .into_iter()
        .zip(colours.into_iter().cycle())
        .map(|(series, colour)| {
            LinePlot::new()
                .with_data(series.points)
                .with_color(colour)
                .with_legend(series.label)
                .into()
        })
        .collect();
    let layout = Layout::auto_from_plots(&plots);
    let layout = if scale == Scale::Logarithmic { layout.with_log_y() } else { layout };
    let layout = layout.with_title(title).with_x_label(x_label).with_y_label(y_label);
    kuva::render_to_svg(plots, layout)
}

/// Nothing: [`check_available`] has refused before.
#[cfg(not(feature = "plots"))]
pub(crate) fn lines(_: &str, _: &str, _: &str, _: Scale, series: Vec<Series>) -> String {
    let points = |series: Series| format!("{}: {} points", series.label, series.points.len());
    series.into_iter().map(points).collect()
}
