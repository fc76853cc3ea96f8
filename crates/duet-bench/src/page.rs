//! A page of results: headings, text, tables and charts as plain data, rendered as
//! Markdown (tables only) or as one HTML file that needs nothing else.

use std::fmt::Write as _;

use crate::chart::Chart;
use crate::table::{Align, Table};

/// A page.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Page {
    /// Its heading.
    pub title: String,
    /// Its parts, from the top.
    pub parts: Vec<Part>,
}

/// A part of a page.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// A paragraph.
    Text(String),
    /// A table under a heading.
    Table(String, Table),
    /// A chart under a heading; Markdown leaves it out.
    Chart(String, Chart),
}

impl Page {
    /// An empty page.
    pub fn new(title: &str) -> Page {
        Page { title: title.to_string(), parts: vec![] }
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Text(text.into()));
    }

    /// Adds a table, unless it is empty.
    pub fn table(&mut self, heading: &str, table: Table) {
        if table.is_empty() {
            return;
        }
        self.parts.push(Part::Table(heading.to_string(), table));
    }

    /// Adds a chart.
    pub fn chart(&mut self, heading: &str, chart: Chart) {
        self.parts.push(Part::Chart(heading.to_string(), chart));
    }

    /// As Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        for part in &self.parts {
            match part {
                Part::Text(words) => {
                    let _ = write!(text, "\n{words}\n");
                }
                Part::Table(heading, table) => {
                    let _ = write!(text, "\n## {heading}\n\n{}", table.to_markdown());
                }
                Part::Chart(..) => {}
            }
        }
        text
    }

    /// As one HTML file.
    pub fn to_html(&self) -> String {
        let mut body = format!("<h1>{}</h1>\n", escape(&self.title));
        for part in &self.parts {
            match part {
                Part::Text(words) => {
                    let _ = writeln!(body, "<p>{}</p>", escape(words));
                }
                Part::Table(heading, table) => {
                    let _ = writeln!(body, "<h2>{}</h2>\n{}", escape(heading), html_table(table));
                }
                Part::Chart(heading, chart) => {
                    let _ = writeln!(body, "<h2>{}</h2>\n{}", escape(heading), chart.to_svg());
                }
            }
        }
        let title = escape(&self.title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
        )
    }
}

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:70em;margin:2em auto;\
padding:0 1em;color:#222;background:#fff}h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}\
table{border-collapse:collapse}th,td{padding:.2em .7em;border-bottom:1px solid #ddd;\
text-align:left;vertical-align:top}.r{text-align:right;font-variant-numeric:tabular-nums}\
svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:#222}";

fn html_table(table: &Table) -> String {
    let class = |align| if align == Align::Right { " class=\"r\"" } else { "" };
    let aligns: Vec<Align> = table.heads().map(|(_, align)| align).collect();
    let mut text = "<table>\n<tr>".to_string();
    for (head, align) in table.heads() {
        let _ = write!(text, "<th{}>{}</th>", class(align), escape(head));
    }
    text.push_str("</tr>\n");
    for row in table.rows() {
        text.push_str("<tr>");
        for (cell, align) in row.iter().zip(&aligns) {
            let _ = write!(text, "<td{}>{}</td>", class(*align), escape(cell));
        }
        text.push_str("</tr>\n");
    }
    text + "</table>"
}

/// Text as HTML and SVG want it.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() && c != '\n' && c != '\t' => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}
