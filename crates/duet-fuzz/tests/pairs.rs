//! Random pairs of kernels: what the engines of `duet equiv` prove equal, runs find equal.
//! `PAIR_FUZZ=N` compares N pairs instead of a few.

use duet_fuzz::pairs::{PairPlan, fuzz_pairs};

#[test]
fn no_pair_that_differs_is_proved_equal() {
    let count = std::env::var("PAIR_FUZZ").ok().and_then(|text| text.parse().ok());
    let plan =
        PairPlan { pairs: count.unwrap_or(40), first: 0, seed: 1, runs: 40, progress: false };
    let summary = fuzz_pairs(&plan);
    println!("{summary}");
    assert!(summary.violations.is_empty(), "{summary}");
    // A generator of only wrong, or only hopeless, pairs would test nothing.
    assert!(summary.equal * 5 >= summary.pairs, "{summary}");
    assert!(summary.different * 5 >= summary.pairs, "{summary}");
    assert!(summary.unreadable * 10 <= plan.pairs, "{summary}");
}
