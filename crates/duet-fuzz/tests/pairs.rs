//! Random pairs of kernels: what the engines of `duet equiv` prove equal, runs find equal.
//! `PAIR_FUZZ=N` compares N pairs instead of a few.

use duet_fuzz::pairs::{PairPlan, fuzz_pairs};

/// Pairs that are compared unless the environment says otherwise.
const SAMPLE: usize = 60;

#[test]
fn no_pair_that_differs_is_proved_equal() {
    let count = std::env::var("PAIR_FUZZ").ok().and_then(|text| text.parse().ok());
    let pairs = count.unwrap_or(SAMPLE);
    let summary = fuzz_pairs(&PairPlan { pairs, first: 0, seed: 1, runs: 40, progress: false });
    println!("{summary}");
    assert!(summary.violations.is_empty(), "{summary}");
    // A generator of only wrong, or only hopeless, pairs would test nothing.
    assert!(summary.proved > 0 && summary.different > 0, "{summary}");
    if pairs >= 500 {
        assert!(summary.proved * 4 >= summary.pairs, "{summary}");
        assert!(summary.equal * 2 >= summary.asked, "{summary}");
        assert!(summary.unreadable * 10 <= pairs, "{summary}");
    }
}
