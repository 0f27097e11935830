//! A page of HTML that needs nothing but itself.

use super::{escaped, Chart, Stack, Table};

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// What is drawn.
    pub charts: Vec<Chart>,
    /// The same, in parts of a whole.
    pub stacks: Vec<Stack>,
    /// What it is drawn from; its title is the section's heading.
    pub table: Table,
}

const STYLE: &str = "\
:root { color-scheme: light dark; --page: #fff; --text: #222; --line: #ddd; --faint: #555; }
@media (prefers-color-scheme: dark) { :root { --page: #16181c; --text: #e4e4e4; --line: #3a3d42; --faint: #a5a5a5; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.85rem; display: block; overflow-x: auto; }
th, td { padding: 0.2rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { cursor: pointer; }
th:first-child, td:first-child { text-align: left; }
.picture { overflow-x: auto; } svg { display: block; width: 100%; min-width: 40rem; height: auto; } .note { color: var(--faint); font-size: 0.85rem; }";

/// A click on a column's name sorts by it: numbers by size, the largest first, then the other way round.
const SCRIPT: &str = "\
for (const table of document.querySelectorAll('table'))
  table.querySelectorAll('th').forEach((th, column) => th.addEventListener('click', () => {
    const down = th.dataset.order !== 'down';
    th.dataset.order = down ? 'down' : 'up';
    const value = row => {
      const text = row.cells[column].textContent;
      const number = parseFloat(text.replaceAll(',', ''));
      if (column === 0 || (isNaN(number) && text !== '-')) return text;
      return isNaN(number) ? -Infinity : number;
    };
    const order = (a, b) => typeof a === 'number' && typeof b === 'number' ? b - a : String(a).localeCompare(String(b));
    const body = table.tBodies[0];
    [...body.rows].map(row => [value(row), row]).sort(([a], [b]) => down ? order(a, b) : order(b, a))
      .forEach(([, row]) => body.append(row));
  }));";

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
            let charts = section.charts.iter().map(Chart::svg);
            let pictures = charts.chain(section.stacks.iter().map(Stack::svg));
            // Where the page is narrower than its text can be read, a picture is moved below its edge.
            pictures.for_each(|picture| text += &format!("<div class=\"picture\">\n{picture}</div>\n"));
            text += &section.table.html();
        }
        text += &format!("<script>\n{SCRIPT}\n</script>\n");
        text + "</body>\n</html>\n"
    }
}
