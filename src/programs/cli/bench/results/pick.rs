//! Takes tables out of what programs print in Markdown.

use anyhow::{bail, ensure, Context};

/// A table, and the line that stands above it.
#[derive(Debug, PartialEq)]
struct Found<'a> {
    title: &'a str,
    rows: Vec<&'a str>,
}

impl Found<'_> {
    /// Where the title is not a line of its own, it heads the first column.
    fn is_called(&self, title: &str) -> bool {
        self.title.contains(title) || self.rows[0].split('|').nth(1).is_some_and(|cell| cell.contains(title))
    }
}

fn tables(text: &str) -> Vec<Found<'_>> {
    let (mut found, mut above): (Vec<Found>, _) = (vec![], "");
    let mut inside = false;
    for line in text.lines() {
        match (line.starts_with('|'), inside) {
            (true, true) => found.last_mut().into_iter().for_each(|table| table.rows.push(line)),
            (true, false) => {
                found.push(Found { title: above, rows: vec![line] });
                above = "";
            }
            (false, _) if !line.is_empty() => above = line,
            _ => {}
        }
        inside = line.starts_with('|');
    }
    found
}

/// The tables with `title` in their titles, of one output, or of several with a column from each, under its label.
///
/// # Errors
/// There is none; outputs that are to be joined have other rows, or not a column each.
pub(super) fn table(title: &str, outputs: &[(Option<&str>, String)]) -> anyhow::Result<Vec<String>> {
    let of = |text| -> Vec<Found<'_>> {
        tables(text).into_iter().filter(|table| table.is_called(title)).collect()
    };
    if let [(None, text)] = outputs {
        return match &of(text)[..] {
            [] => bail!("none of the tables that were printed is called so"),
            [one] => Ok(one.rows.iter().map(|&row| row.to_owned()).collect()),
            several => Ok(several
                .iter()
                .flat_map(|table| [table.title, ""].into_iter().chain(table.rows.iter().copied()).chain([""]))
                .map(str::to_owned)
                .collect::<Vec<_>>()
                .split_last()
                .map_or(vec![], |(_, lines)| lines.to_vec())),
        };
    }
    let mut joined: Vec<String> = vec![];
    for (label, text) in outputs {
        let label = label.context("of several commands each needs a name and a colon before it")?;
        let found = of(text);
        let [one] = &found[..] else { bail!("{label}: {} tables are called so, and not one", found.len()) };
        let rows: Vec<[&str; 2]> = one
            .rows
            .iter()
            .map(|row| match row.split('|').collect::<Vec<_>>()[..] {
                [_, first, second, _] => Ok([first, second]),
                _ => bail!("{label}: the table has not one column of values"),
            })
            .collect::<anyhow::Result<_>>()?;
        if joined.is_empty() {
            joined = rows.iter().map(|[first, _]| format!("|{first}|")).collect();
        }
        let alike = joined.len() == rows.len()
            && joined.iter().zip(&rows).all(|(line, [first, _])| line.starts_with(&format!("|{first}|")));
        ensure!(alike, "{label}: the table has other rows than the first one");
        for (number, (line, [_, second])) in joined.iter_mut().zip(&rows).enumerate() {
            *line += &if number == 0 { format!(" {label} |") } else { format!("{second}|") };
        }
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "small: cycles\n\n| kernel | lrr |\n|---|---|\n| a | 1 |\n\na note\n\nsmall: slots\n\n\
                        | kernel | x |\n|---|---|\n| a | 2 |\n\n| all warps, operations | y |\n|---|---|\n| b | 3 |\n";

    fn taken(title: &str, labels: &[(Option<&str>, &str)]) -> Result<String, String> {
        let outputs: Vec<_> = labels.iter().map(|(label, text)| (*label, (*text).to_owned())).collect();
        table(title, &outputs).map(|rows| rows.join("\n")).map_err(|error| error.to_string())
    }

    #[test]
    fn tables_are_found_by_title_or_first_column() {
        assert_eq!(taken("cycles", &[(None, TEXT)]).unwrap(), "| kernel | lrr |\n|---|---|\n| a | 1 |");
        assert_eq!(
            taken("all warps", &[(None, TEXT)]).unwrap(),
            "| all warps, operations | y |\n|---|---|\n| b | 3 |"
        );
        let both = taken("small", &[(None, TEXT)]).unwrap();
        assert!(both.starts_with("small: cycles\n\n| kernel | lrr |"), "{both}");
        assert!(both.ends_with("\n\nsmall: slots\n\n| kernel | x |\n|---|---|\n| a | 2 |"), "{both}");
        assert!(taken("nosuch", &[(None, TEXT)]).unwrap_err().contains("none of the tables"));
    }

    #[test]
    fn commands_give_a_column_each() {
        let other = TEXT.replace("| 1 |", "| 9 |");
        let joined = taken("cycles", &[(Some("here"), TEXT), (Some("there"), &other)]).unwrap();
        assert_eq!(joined, "| kernel | here | there |\n|---|---|---|\n| a | 1 | 9 |");
        let other = TEXT.replace("| a | 1 |", "| b | 1 |");
        let outputs = [(Some("here"), TEXT), (Some("there"), other.as_str())];
        assert_eq!(
            taken("cycles", &outputs).unwrap_err(),
            "there: the table has other rows than the first one"
        );
        assert!(taken("small", &[(Some("here"), TEXT), (Some("there"), TEXT)])
            .unwrap_err()
            .contains("2 tables"));
        assert!(taken("cycles", &[(Some("here"), TEXT), (None, TEXT)])
            .unwrap_err()
            .contains("a name and a colon"));
    }
}
