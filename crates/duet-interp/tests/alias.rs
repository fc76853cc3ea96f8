//! Pointer parameters that point into the same memory: values, bounds and races are
//! those of the one array.

mod common;

use common::Text;
use duet_interp::*;
use duet_ir::EntityRef;

/// Thread `i` copies element `i` of `b` to element `i` of `a`.
const COPY: &str = "module cuda 64
array @a global param granule 4
array @b global param granule 4
array @s shared param granule 4

kernel copy symbol copy (a: @a, b: @b, s: @s) {
bb0:
  v0 = thread_id.x
  v1 = zext v0 to i64
  v2 = shl i64 v1, 2
  v3 = load i32 @b[v2] align 4
  v4 = add i32 v3, 1
  store i32 @a[v2], v4 align 4
  return
}
";

fn outcome(alias: Option<u64>) -> Outcome {
    let text = Text::parse(COPY).expect("IR");
    let mut inputs = Inputs::new().array("a", Fill::Iota, 64).array("b", Fill::Ones, 64);
    if let Some(shift) = alias {
        inputs.aliases.insert("b".into(), ("a".into(), shift));
    }
    let kernel = text.kernel("copy").expect("a kernel");
    run(&text.module, kernel, &Launch::linear(1, 4), &inputs, &RunOptions::default())
        .expect("it runs")
}

fn elements(outcome: &Outcome) -> Vec<u32> {
    let Contents::Dense(bytes) = &outcome.arrays[&duet_ir::Array::new(0)] else {
        panic!("the size is known");
    };
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    bytes.chunks(4).map(word).take(6).collect()
}

#[test]
fn what_one_name_writes_the_other_reads() {
    let apart = outcome(None);
    assert_eq!(elements(&apart), [2, 2, 2, 2, 4, 5]);
    assert!(apart.findings.is_empty());
    // Each thread reads and writes its own element.
    let same = outcome(Some(0));
    assert_eq!(elements(&same), [1, 2, 3, 4, 4, 5]);
    assert!(same.findings.is_empty(), "{:?}", same.findings);
}

#[test]
fn a_shift_makes_neighbours_race() {
    let shifted = outcome(Some(4));
    // In order: thread 0 reads element 1 before thread 1 writes it.
    assert_eq!(elements(&shifted), [2, 3, 4, 5, 4, 5]);
    let races: Vec<&Race> = shifted
        .findings
        .iter()
        .filter_map(|finding| match &finding.kind {
            FindingKind::Race(race) => Some(race),
            _ => None,
        })
        .collect();
    assert_eq!(races.len(), 1, "{:?}", shifted.findings);
    assert_eq!(races[0].array, duet_ir::Array::new(0));
    assert_eq!(races[0].overlap.1, 4);
}

#[test]
fn bounds_are_those_of_the_memory() {
    let beyond = outcome(Some(56));
    let outside = |finding: &&Finding| matches!(finding.kind, FindingKind::OutOfBounds { .. });
    assert_eq!(beyond.findings.iter().filter(outside).count(), 1, "{:?}", beyond.findings);
}

#[test]
fn only_pointers_to_global_memory_can_be_aliases() {
    let text = Text::parse(COPY).expect("IR");
    let kernel = text.kernel("copy").expect("a kernel");
    for (name, of) in [("s", "a"), ("a", "s"), ("a", "a"), ("a", "nothing")] {
        let mut inputs = Inputs::new();
        inputs.aliases.insert(name.into(), (of.into(), 0));
        let result =
            run(&text.module, kernel, &Launch::linear(1, 4), &inputs, &RunOptions::default());
        assert!(matches!(result, Err(RunError::NotAliased(_))), "{name} {of}");
    }
}

/// Two names of one place have one address.
#[test]
fn addresses_are_those_of_the_memory() {
    let compared = "  v9 = ptr_to_int @a, 8\n  v10 = ptr_to_int @b, 0\n  v11 = icmp eq i64 v9, v10
  assert annotated v11\n  v3 = load";
    let source = COPY.replace("  v3 = load", compared);
    let Ok(text) = Text::parse(&source) else { panic!("{source}") };
    let kernel = text.kernel("copy").expect("a kernel");
    for (shift, fails) in [(8, false), (4, true)] {
        let mut inputs = Inputs::new();
        inputs.aliases.insert("b".into(), ("a".into(), shift));
        let launch = Launch::linear(1, 1);
        let outcome = run(&text.module, kernel, &launch, &inputs, &RunOptions::default());
        let outcome = outcome.expect("it runs");
        let failed = |one: &Finding| matches!(one.kind, FindingKind::AssertFailed { .. });
        assert_eq!(outcome.findings.iter().any(failed), fails, "{shift}");
    }
}

/// The kernel makes a pointer of a number: which name it gets would be a matter of luck.
#[test]
fn kernels_that_make_pointers_are_refused() {
    let source = COPY.replace("  v3 = load", "  v9, v10 = int_to_ptr v2\n  v3 = load");
    let Ok(text) = Text::parse(&source) else { panic!("{source}") };
    let kernel = text.kernel("copy").expect("a kernel");
    let mut inputs = Inputs::new();
    inputs.aliases.insert("b".into(), ("a".into(), 0));
    let result = run(&text.module, kernel, &Launch::linear(1, 4), &inputs, &RunOptions::default());
    assert!(matches!(result, Err(RunError::NotAliased(_))));
}
