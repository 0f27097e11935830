//! A strict reader of the Kanata log format, version 4, written from its description alone: every command has its number of
//! columns, names an instruction that `I` has begun and `R` has not ended, and comes in the order of time.

/// An instruction.
#[derive(Debug, Default)]
pub struct Row {
    /// What the left pane shows.
    pub text: String,
    /// Stages of lane 0 with their first cycles.
    pub stages: Vec<(String, u64)>,
    /// Stage of lane 1 that has begun and not ended.
    overlay: Option<String>,
    /// Cycle of its retirement or flush.
    pub end: u64,
    /// Whether it was flushed.
    pub flushed: bool,
    ended: bool,
}

/// The rows of a log.
///
/// # Panics
/// The log is not in that form.
pub fn rows(log: &str) -> Vec<Row> {
    let mut lines = log.lines();
    assert_eq!(lines.next(), Some("Kanata\t0004"));
    let start = lines.next().and_then(|line| line.strip_prefix("C=\t")).expect("the first cycle");
    let mut now: u64 = start.parse().unwrap();
    let mut rows: Vec<Row> = Vec::new();
    for line in lines {
        let columns: Vec<&str> = line.split('\t').collect();
        let count = |column: usize| columns[column].parse::<u64>().unwrap_or_else(|_| panic!("{line}"));
        if columns[0] == "C" {
            assert!(columns.len() == 2 && count(1) > 0, "{line}");
            now += count(1);
            continue;
        }
        assert_eq!(columns.len(), 4, "{line}");
        let id = count(1) as usize;
        if columns[0] == "I" {
            assert_eq!(id, rows.len(), "{line}: numbers follow each other");
            rows.push(Row::default());
            continue;
        }
        let row = rows.get_mut(id).unwrap_or_else(|| panic!("{line}: not begun"));
        assert!(!row.ended, "{line}: has ended");
        match (columns[0], columns[2]) {
            ("L", "0") => row.text.push_str(columns[3]),
            ("L", "1") => {}
            ("S", "0") => {
                assert!(
                    row.stages.last().is_none_or(|(_, begun)| *begun < now),
                    "{line}: a stage of no cycle"
                );
                row.stages.push((columns[3].to_owned(), now));
            }
            ("S", "1") => assert_eq!(row.overlay.replace(columns[3].to_owned()), None, "{line}"),
            ("E", "1") => assert_eq!(row.overlay.take().as_deref(), Some(columns[3]), "{line}"),
            ("R", _) => {
                assert!(["0", "1"].contains(&columns[3]), "{line}");
                assert!(row.stages.last().is_some_and(|(_, begun)| *begun < now), "{line}: no stage before");
                assert_eq!(row.overlay, None, "{line}");
                (row.ended, row.end, row.flushed) = (true, now, columns[3] == "1");
            }
            _ => panic!("{line}: no such command"),
        }
    }
    assert!(rows.iter().all(|row| row.ended), "every instruction ends");
    rows
}
