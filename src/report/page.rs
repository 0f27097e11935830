//! A page of HTML that needs nothing but itself.

use super::{escaped, Chart, Table};

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Its heading.
    pub title: String,
    /// What has to be said first, a paragraph each.
    pub introduction: Vec<String>,
    /// Its parts.
    pub sections: Vec<Section>,
}

/// Charts, and the table with their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// What is drawn.
    pub charts: Vec<Chart>,
    /// What it is drawn from; its title is the section's heading.
    pub table: Table,
}

const STYLE: &str = "\
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.85rem; display: block; overflow-x: auto; }
th, td { padding: 0.2rem 0.6rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; } .note { color: #555; font-size: 0.85rem; }";

impl Page {
    /// The whole text.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut text = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        for paragraph in &self.introduction {
            text += &format!("<p>{}</p>\n", escaped(paragraph));
        }
        for section in &self.sections {
            text += &format!("<h2>{}</h2>\n", escaped(&section.table.title));
            section.charts.iter().for_each(|chart| text += &chart.svg());
            text += &section.table.html();
        }
        text + "</body>\n</html>\n"
    }
}
