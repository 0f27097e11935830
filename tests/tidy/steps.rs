//! Hardware and model of a policy are laid out by the same steps (docs/SCHEDULERS.md, section 1.3).

use spec::registry::POLICIES;

use super::read;

/// What the hardware says of the third step where there is no state; the model has no third step then.
const STATELESS: &str = "3. nothing to remember";

/// Numbers and first words of the steps: what stands behind each of these marks and begins with a digit.
fn steps(text: &str, mark: &str) -> Vec<String> {
    let step = |rest: &str| {
        let title = rest.trim_start_matches([' ', '\n', '"']);
        let is_step = title.starts_with(|c: char| c.is_ascii_digit()) && !title.starts_with(STATELESS);
        let words: Vec<_> = title.split([' ', ':', '\n', '"']).take(2).collect();
        is_step.then(|| words.join(" "))
    };
    text.split(mark).skip(1).filter_map(step).collect()
}

#[test]
fn hardware_and_model_of_a_policy_have_the_same_steps() {
    for policy in POLICIES {
        let file = policy.key.replace('-', "_");
        let hardware = read(format!("src/rtl/sched/{file}.rs"));
        let (model, own) = (read(format!("src/model/sched/{file}.rs")), steps(&hardware, "comment!("));
        assert_eq!(own, steps(&model, "// "), "{}: the hardware's steps, the model's", policy.key);
        let expected = ["1. candidates", "2. pick", "3. remember"];
        let count = if hardware.contains(STATELESS) { 2 } else { 3 };
        assert_eq!(own, expected[..count], "{}", policy.key);
    }
}

/// "None" is an answer, a missing line is not (CONTRIBUTING.md).
#[test]
fn the_hardware_of_a_policy_says_all_that_is_asked_of_a_module() {
    for policy in POLICIES {
        let text = read(format!("src/rtl/sched/{}.rs", policy.key.replace('-', "_")));
        for what in ["Ports: ", "Latency: ", "Reset", "Invariants: ", "Critical path: ", "Source: ", "Mirror"]
        {
            assert!(text.contains(what), "{}: no {what:?} in its doc comment", policy.key);
        }
    }
}
