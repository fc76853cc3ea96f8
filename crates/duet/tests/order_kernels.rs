//! Kernels that order their threads by fences and flags (`kernels/order`): right ones and
//! wrong ones with one defect each. No right one is refuted and no wrong one proved; most
//! right ones are proved, and most wrong ones are shown to fail by a run.

mod common;

use common::{KernelFile, assert_none, kernels};

/// How many there are of each kind, at least, and how many of them are decided. Only ever
/// raised.
const RIGHT: usize = 65;
const PROVED: usize = 61;
const WRONG: usize = 133;
const REFUTED: usize = 123;

/// Wrong kernels, with the rule that names what is missing. Each is reported beside the race.
const NAMED: &[(&str, &str)] = &[
    ("order/message-no-release-bug.cu", "missing-fence"),
    ("order/message-no-acquire-bug.cu", "missing-fence"),
    ("order/last-block-almost.cu", "missing-fence"),
    ("order/last-block-no-release-bug.cu", "missing-fence"),
    ("order/lock-no-acquire-bug.cu", "missing-fence"),
    ("order/message-narrow-fence-bug.cu", "fence-scope-too-narrow"),
    ("order/last-block-narrow-bug.cu", "fence-scope-too-narrow"),
    ("order/message-narrow-flag-bug.cu", "atomic-scope-too-narrow"),
    ("order/lock-scope-bug.cu", "atomic-scope-too-narrow"),
    ("order/message-plain-flag-bug.cu", "plain-access-to-flag"),
    ("order/lock-plain-reset-bug.cu", "plain-access-to-flag"),
];

/// A kernel with its line in the list of verdicts, which `check_kernels` compares with what
/// is said of each.
struct Listed {
    name: String,
    passes: bool,
    line: String,
}

impl Listed {
    fn is(&self, verdict: &str) -> bool {
        let word = self.line.split_whitespace().nth(1).unwrap_or_default();
        word.trim_end_matches(',') == verdict
    }
}

fn listed() -> Vec<Listed> {
    let list = include_str!("../../../kernels/VERDICTS.txt");
    let line_of = |file: &KernelFile| {
        let own = |line: &&str| line.split_once(": ").is_some_and(|(name, _)| name == file.name);
        list.lines().find(own).map(|line| line[file.name.len() + 2..].to_string())
    };
    let files = kernels().into_iter().filter(|file| file.name.starts_with("order/"));
    files
        .map(|file| Listed {
            line: line_of(&file).unwrap_or_default(),
            passes: file.passes(),
            name: file.name,
        })
        .collect()
}

#[test]
fn order_by_fences_is_judged_right() {
    let all = listed();
    let is_wrong = |one: &&Listed| match one.passes {
        true => !(one.is("proved") || one.is("unproven")),
        false => !(one.is("refuted") || one.is("unproven")),
    };
    let wrong = all.iter().filter(is_wrong);
    assert_none(wrong.map(|one| format!("{}: {}", one.name, one.line)));
    let right = all.iter().filter(|one| one.passes).count();
    assert!(right >= RIGHT && all.len() - right >= WRONG, "{right} of {} are right", all.len());
    let proved = all.iter().filter(|one| one.passes && one.is("proved")).count();
    let refuted = all.iter().filter(|one| !one.passes && one.is("refuted")).count();
    println!("{proved} of {right} are proved, {refuted} of {} refuted", all.len() - right);
    assert!(proved >= PROVED, "only {proved} are proved");
    assert!(refuted >= REFUTED, "only {refuted} are refuted");
    for (name, rule) in NAMED {
        let one = all.iter().find(|one| one.name == *name).expect("the kernel is there");
        assert!(one.line.contains(&format!("{rule}?@")), "{name}: {}", one.line);
    }
    // What no precondition says is assumed, and printed.
    let assumed = all.iter().find(|one| one.name == "order/last-block-assumed.cu");
    let line = assumed.map(|one| one.line.clone()).unwrap_or_default();
    assert!(line.contains("`count` is 0 at launch"), "{line}");
}
