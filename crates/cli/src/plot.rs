//! Plots as SVG.

use kuva::prelude::*;

/// One line of a plot.
pub(crate) struct Series {
    pub(crate) label: &'static str,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines over a common x axis, with a logarithmic y axis.
pub(crate) fn lines(title: &str, x_label: &str, y_label: &str, series: Vec<Series>) -> String {
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
    let layout = Layout::auto_from_plots(&plots)
        .with_log_y()
        .with_title(title)
        .with_x_label(x_label)
        .with_y_label(y_label);
    kuva::render_to_svg(plots, layout)
}
