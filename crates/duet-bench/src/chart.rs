//! Charts as SVG: bars in groups, lines, heat maps. No library and no network.

use std::fmt::Write as _;

use crate::page::escape;

/// A chart.
#[derive(Clone, PartialEq, Debug)]
pub enum Chart {
    /// For each label a bar for each series.
    Bars {
        /// Along the bottom.
        labels: Vec<String>,
        /// Name and values, one for each label.
        series: Vec<(String, Vec<f64>)>,
        /// What the values are.
        unit: String,
    },
    /// For each series a line through its values.
    Lines {
        /// Along the bottom.
        labels: Vec<String>,
        /// Name and values, one for each label.
        series: Vec<(String, Vec<f64>)>,
        /// What the values are.
        unit: String,
    },
    /// A number for each pair.
    HeatMap {
        /// Down the side.
        rows: Vec<String>,
        /// Along the top.
        columns: Vec<String>,
        /// By row.
        values: Vec<Vec<f64>>,
    },
}

const COLOURS: [&str; 6] = ["#3b6ea5", "#d08a2e", "#4f9d69", "#a44a4a", "#7a63a8", "#777"];
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 320.0;
/// Room for numbers at the left, and for labels at the bottom.
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 90.0;
const TOP: f64 = 30.0;

impl Chart {
    /// As an `<svg>` element.
    pub fn to_svg(&self) -> String {
        match self {
            Chart::Bars { labels, series, unit } => {
                let mut svg = Drawing::axes(labels, series, unit);
                svg.bars(labels.len(), series);
                svg.finish()
            }
            Chart::Lines { labels, series, unit } => {
                let mut svg = Drawing::axes(labels, series, unit);
                svg.lines(labels.len(), series);
                svg.finish()
            }
            Chart::HeatMap { rows, columns, values } => heat_map(rows, columns, values),
        }
    }
}

/// A picture with a scale.
struct Drawing {
    body: String,
    most: f64,
}

impl Drawing {
    /// The frame: numbers at the left, labels at the bottom, a legend at the top.
    fn axes(labels: &[String], series: &[(String, Vec<f64>)], unit: &str) -> Drawing {
        let values = series.iter().flat_map(|(_, values)| values);
        let most = values.copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
        let mut drawing =
            Drawing { body: String::new(), most: if most > 0.0 { most } else { 1.0 } };
        for step in 0..=4 {
            let value = drawing.most * f64::from(step) / 4.0;
            let y = drawing.y(value);
            let _ = writeln!(
                drawing.body,
                "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                short(value)
            );
        }
        let _ = writeln!(drawing.body, "<text x=\"0\" y=\"14\">{}</text>", escape(unit));
        for (number, label) in labels.iter().enumerate() {
            let (x, y) = (centre(number, labels.len()), HEIGHT - BOTTOM + 14.0);
            let _ = writeln!(
                drawing.body,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\" \
                 transform=\"rotate(-35 {x:.1} {y:.1})\">{}</text>",
                escape(label)
            );
        }
        drawing.legend(series);
        drawing
    }

    fn legend(&mut self, series: &[(String, Vec<f64>)]) {
        for (number, (name, _)) in series.iter().enumerate() {
            let x = LEFT + 110.0 + 160.0 * number as f64;
            let _ = writeln!(
                self.body,
                "<rect x=\"{x}\" y=\"4\" width=\"12\" height=\"12\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"14\">{}</text>",
                colour(number),
                x + 17.0,
                escape(name)
            );
        }
    }

    fn y(&self, value: f64) -> f64 {
        let room = HEIGHT - BOTTOM - TOP;
        HEIGHT - BOTTOM - room * (value.max(0.0) / self.most).min(1.0)
    }

    fn bars(&mut self, labels: usize, series: &[(String, Vec<f64>)]) {
        let group = (WIDTH - LEFT) / labels.max(1) as f64;
        let width = group * 0.8 / series.len().max(1) as f64;
        for (number, (name, values)) in series.iter().enumerate() {
            for (at, value) in values.iter().enumerate() {
                let x = centre(at, labels) - group * 0.4 + width * number as f64;
                let y = self.y(*value);
                let _ = writeln!(
                    self.body,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" \
                     fill=\"{}\"><title>{}: {}</title></rect>",
                    HEIGHT - BOTTOM - y,
                    colour(number),
                    escape(name),
                    short(*value)
                );
            }
        }
    }

    fn lines(&mut self, labels: usize, series: &[(String, Vec<f64>)]) {
        for (number, (name, values)) in series.iter().enumerate() {
            let point = |(at, value): (usize, &f64)| {
                format!("{:.1},{:.1}", centre(at, labels), self.y(*value))
            };
            let points: Vec<String> = values.iter().enumerate().map(point).collect();
            let _ = writeln!(
                self.body,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\">\
                 <title>{}</title></polyline>",
                points.join(" "),
                colour(number),
                escape(name)
            );
        }
    }

    fn finish(self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             role=\"img\">\n{}</svg>",
            self.body
        )
    }
}

fn heat_map(rows: &[String], columns: &[String], values: &[Vec<f64>]) -> String {
    const CELL: f64 = 26.0;
    const SIDE: f64 = 230.0;
    let most = values.iter().flatten().copied().fold(0.0, f64::max).max(1.0);
    let mut body = String::new();
    for (at, column) in columns.iter().enumerate() {
        let x = SIDE + CELL * (at as f64 + 0.6);
        let _ = writeln!(
            body,
            "<text x=\"{x:.1}\" y=\"{:.1}\" transform=\"rotate(-60 {x:.1} {:.1})\">{}</text>",
            SIDE - 6.0,
            SIDE - 6.0,
            escape(column)
        );
    }
    for (at, (row, cells)) in rows.iter().zip(values).enumerate() {
        let y = SIDE + CELL * at as f64;
        let _ = writeln!(
            body,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            SIDE - 6.0,
            y + 17.0,
            escape(row)
        );
        for (place, value) in cells.iter().enumerate() {
            let x = SIDE + CELL * place as f64;
            let strength = value / most;
            let _ = writeln!(
                body,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{CELL}\" height=\"{CELL}\" \
                 fill=\"#a44a4a\" fill-opacity=\"{strength:.2}\" stroke=\"#ddd\"/>"
            );
            if *value > 0.0 {
                let _ = writeln!(
                    body,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    x + CELL / 2.0,
                    y + 17.0,
                    short(*value)
                );
            }
        }
    }
    let width = SIDE + CELL * columns.len() as f64 + 60.0;
    let height = SIDE + CELL * rows.len() as f64 + 10.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" role=\"img\">\n{body}</svg>"
    )
}

/// The middle of a label's place.
fn centre(number: usize, all: usize) -> f64 {
    LEFT + (WIDTH - LEFT) * (number as f64 + 0.5) / all.max(1) as f64
}

fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// At most three digits that matter.
fn short(value: f64) -> String {
    match value {
        value if value.fract() == 0.0 || value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}
