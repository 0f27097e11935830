//! Repetitions, which inline assembly may have.

use std::ops::Range;

use super::lines::divided;

/// Lines with their numbers, those between `.rept N` and `.endr` as often as the assembler would take them.
pub fn repeated<'a>(all: &[&'a str], range: Range<usize>) -> Vec<(usize, &'a str)> {
    let mut lines = vec![];
    // Where repetitions begin among these, and how often they come.
    let mut open: Vec<(usize, usize)> = vec![];
    for index in range {
        let line = match divided(all[index]).0[..] {
            [alone] => alone.trim(),
            _ => "",
        };
        let count = line.strip_prefix(".rept").and_then(|count| count.trim().parse().ok());
        match (count, open.last().copied()) {
            (Some(count), _) => open.push((lines.len(), count)),
            (None, Some((begin, count))) if line == ".endr" => {
                open.pop();
                let body = lines.split_off(begin);
                (0..count).for_each(|_| lines.extend(&body));
            }
            _ => lines.push((index, all[index])),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_is_there_as_often() {
        let lines = ["a", "\t.rept 2 # twice", "b", ".rept 3", "c", ".endr", ".endr", "d"];
        let found = repeated(&lines, 0..lines.len());
        assert_eq!(found.iter().map(|line| line.1).collect::<String>(), "abcccbcccd");
        assert_eq!((found[0], found[2]), ((0, "a"), (4, "c")));
    }
}
