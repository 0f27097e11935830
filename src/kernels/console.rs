//! What kernels print for the simulator rather than for people.

use std::collections::BTreeMap;

/// The measurements on a console: every line `name=value` with a number after the sign (`simt_measure` in
/// `sim/kernels/runtime/simt.h`). A `#3: ` in front, by which simulators tell threads apart, is skipped.
pub fn measures(console: &str) -> BTreeMap<String, f64> {
    console.lines().filter_map(measure).collect()
}

fn measure(line: &str) -> Option<(String, f64)> {
    let line = match line.strip_prefix('#').and_then(|rest| rest.split_once(": ")) {
        Some((thread, text)) if thread.bytes().all(|b| b.is_ascii_digit()) => text,
        _ => line,
    };
    let (name, value) = line.split_once('=')?;
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let is_number = value.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (is_name && is_number).then_some(())?;
    Some((name.into(), value.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::measures;

    #[test]
    fn only_measurements_are_taken() {
        let console =
            "hello=world\ncycles=517\n#0: cycles_per_instruction=1.009\na = 3\n=4\nx=\nx=inf\ny=-1\n";
        let found = measures(console);
        let expected = [("cycles".to_string(), 517.0), ("cycles_per_instruction".to_string(), 1.009)];
        assert_eq!(found.into_iter().collect::<Vec<_>>(), expected);
    }
}
