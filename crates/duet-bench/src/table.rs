//! Tables as plain data, rendered for a terminal or as Markdown.

use std::fmt::Write as _;

/// On which side of its column a cell stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    heads: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns and no rows.
    pub fn new(heads: &[(&str, Align)]) -> Table {
        let heads = heads.iter().map(|(head, align)| (head.to_string(), *align)).collect();
        Table { heads, rows: vec![] }
    }

    /// Adds a column.
    pub fn column(&mut self, head: &str, align: Align) {
        self.heads.push((head.to_string(), align));
    }

    /// Adds a row; missing cells at its end are empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut cells: Vec<String> = cells.into_iter().collect();
        cells.resize(self.heads.len(), String::new());
        self.rows.push(cells);
    }

    /// Are there no rows?
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The heads of the columns.
    pub fn heads(&self) -> impl Iterator<Item = (&str, Align)> {
        self.heads.iter().map(|(head, align)| (head.as_str(), *align))
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[String]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// For a terminal: columns by blanks.
    pub fn to_text(&self) -> String {
        let widths = self.widths(str::to_string);
        let mut text = String::new();
        let heads: Vec<String> = self.heads.iter().map(|(head, _)| head.clone()).collect();
        for row in std::iter::once(&heads).chain(&self.rows) {
            let cells: Vec<String> =
                row.iter().enumerate().map(|(at, cell)| self.pad(at, cell, widths[at])).collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        text
    }

    /// As Markdown.
    pub fn to_markdown(&self) -> String {
        let clean = |cell: &str| cell.replace('|', "\\|");
        let widths = self.widths(clean);
        let mut text = String::new();
        let mut line = |cells: Vec<String>| {
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        };
        let heads = self.heads.iter().enumerate();
        line(heads.map(|(at, (head, _))| self.pad(at, &clean(head), widths[at])).collect());
        let rules = self.heads.iter().enumerate().map(|(at, (_, align))| match align {
            Align::Left => "-".repeat(widths[at]),
            Align::Right => format!("{}:", "-".repeat(widths[at] - 1)),
        });
        line(rules.collect());
        for row in &self.rows {
            let cells = row.iter().enumerate();
            line(cells.map(|(at, cell)| self.pad(at, &clean(cell), widths[at])).collect());
        }
        text
    }

    fn widths(&self, clean: impl Fn(&str) -> String) -> Vec<usize> {
        let width = |text: &str| clean(text).chars().count();
        let column = |at: usize| {
            let cells = self.rows.iter().map(|row| width(&row[at]));
            cells.chain([width(&self.heads[at].0), 3]).max().unwrap_or(3)
        };
        (0..self.heads.len()).map(column).collect()
    }

    fn pad(&self, column: usize, cell: &str, width: usize) -> String {
        match self.heads[column].1 {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Align, Table};

    #[test]
    fn two_renderings() {
        let mut table = Table::new(&[("what", Align::Left), ("n", Align::Right)]);
        table.row(["a|b".to_string(), "12".to_string()]);
        table.row(["long one".to_string()]);
        assert_eq!(table.to_text(), "what        n\na|b        12\nlong one\n");
        assert_eq!(
            table.to_markdown(),
            "| what     |   n |\n| -------- | --: |\n| a\\|b     |  12 |\n| long one |     |\n"
        );
    }
}
