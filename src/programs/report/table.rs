//! A table, for a terminal, for Markdown and for HTML.

use super::escaped;

/// Rows under a heading; the first column is text, the others are numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What stands above it.
    pub title: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// As many cells in each as there are columns.
    pub rows: Vec<Vec<String>>,
    /// What has to be known to read it; may be empty.
    pub note: String,
}

/// A number with its thousands set apart.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i != 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A table in Markdown, without a title.
pub fn markdown(columns: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ").replace('\n', " "));
    let mut text = line(columns) + &format!("|{}\n", "---|".repeat(columns.len()));
    rows.iter().for_each(|row| text += &line(row));
    text
}

impl Table {
    /// The same with rows for columns; `first` heads what was the line of columns.
    pub fn turned(self, first: &str) -> Self {
        let (names, columns) = (self.rows.iter().map(|row| row[0].clone()), &self.columns);
        let row = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].clone());
            [columns[column].clone()].into_iter().chain(cells).collect()
        };
        Self {
            columns: [first.to_owned()].into_iter().chain(names).collect(),
            rows: (1..columns.len()).map(row).collect(),
            ..self
        }
    }

    /// For a terminal: columns of even width.
    pub fn plain(&self) -> String {
        let lines = || [&self.columns].into_iter().chain(&self.rows);
        let width = |column: usize| {
            let cells = lines().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = format!("{}\n\n", self.title);
        for line in lines() {
            let cells = line.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| match i {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            text += "  ";
            text += cells.collect::<Vec<_>>().join("  ").trim_end();
            text.push('\n');
        }
        if !self.note.is_empty() {
            text += &format!("\n  {}\n", self.note);
        }
        text
    }

    /// For Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n\n{}", self.title, markdown(&self.columns, &self.rows));
        if !self.note.is_empty() {
            text += &format!("\n{}\n", self.note);
        }
        text
    }

    /// For a page: the table alone, with its note below.
    pub fn html(&self) -> String {
        let line = |cells: &[String], tag: &str| {
            let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let mut text = format!("<table>\n<thead>{}</thead>\n<tbody>\n", line(&self.columns, "th").trim_end());
        self.rows.iter().for_each(|row| text += &line(row, "td"));
        text += "</tbody>\n</table>\n";
        if !self.note.is_empty() {
            text += &format!("<p class=\"note\">{}</p>\n", escaped(&self.note));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let cells = |texts: [&str; 2]| texts.map(str::to_owned).to_vec();
        Table {
            title: "Lengths".into(),
            columns: cells(["name", "cm"]),
            rows: vec![cells(["a < b", "1,200"]), cells(["c", "7"])],
            note: "Measured.".into(),
        }
    }

    #[test]
    fn rows_become_columns() {
        let turned = table().turned("what");
        assert_eq!(turned.columns, ["what", "a < b", "c"]);
        assert_eq!(turned.rows, [["cm", "1,200", "7"]]);
        assert_eq!(turned.turned("name"), table());
    }

    #[test]
    fn in_all_three_forms() {
        assert_eq!(
            table().plain(),
            "Lengths\n\n  name      cm\n  a < b  1,200\n  c          7\n\n  Measured.\n"
        );
        assert_eq!(
            table().markdown(),
            "Lengths\n\n| name | cm |\n|---|---|\n| a < b | 1,200 |\n| c | 7 |\n\nMeasured.\n"
        );
        assert_eq!(
            table().html(),
            "<table>\n<thead><tr><th>name</th><th>cm</th></tr></thead>\n<tbody>\n\
             <tr><td>a &lt; b</td><td>1,200</td></tr>\n<tr><td>c</td><td>7</td></tr>\n\
             </tbody>\n</table>\n<p class=\"note\">Measured.</p>\n"
        );
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
