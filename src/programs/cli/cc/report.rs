//! What was found out of the branches, by source line.

use divergence::{Branch, Marked, Verdict};

/// A line for each branch, and a count at the end.
pub(super) fn text(marked: &[Marked]) -> String {
    let branches: Vec<&Branch> = marked.iter().flat_map(|file| &file.branches).collect();
    let mut text: String = branches.iter().map(|branch| line(branch)).collect();
    for function in marked.iter().flat_map(|file| &file.by_hand) {
        text += &format!("{function}: has SPLIT, JOIN or PRED of its own, and is left as it is\n");
    }
    let count = |verdict| branches.iter().filter(|branch| branch.verdict == verdict).count();
    let (uniform, select) = (count(Verdict::Uniform), count(Verdict::Select));
    let (split, pred) = (count(Verdict::Split), count(Verdict::Pred));
    text + &format!(
        "branches: {} ({uniform} uniform, {select} chosen, {split} by SPLIT and JOIN, {pred} by PRED)\n",
        branches.len()
    )
}

fn line(branch: &Branch) -> String {
    let Branch { at, function, verdict, meeting, why, text } = branch;
    let what = match verdict {
        Verdict::Uniform => "uniform",
        Verdict::Select => "divergent, but short: all lanes compute it, and each chooses",
        Verdict::Split => "divergent, SPLIT",
        Verdict::Pred => "divergent, PRED",
    };
    let meeting = match (verdict, meeting) {
        (Verdict::Uniform | Verdict::Select, _) => String::new(),
        (_, Some(meeting)) => format!("; lanes meet at {meeting}"),
        (_, None) => "; lanes meet at the return".into(),
    };
    let why = why.as_ref().map(|why| format!("; {why}")).unwrap_or_default();
    format!("{at}: {function}: {text}: {what}{meeting}{why}\n")
}
