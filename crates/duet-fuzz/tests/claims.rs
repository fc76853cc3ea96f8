//! Random claims at barriers, ghost assertions and contracts: none is accepted that is false in
//! a run.

use duet_fuzz::claims::{ClaimPlan, Kind, fuzz_claims};

/// `DUET_FUZZ_CLAIMS` asks for another number of kernels.
#[test]
fn no_false_claim_is_accepted() {
    let count = std::env::var("DUET_FUZZ_CLAIMS").ok().and_then(|text| text.parse().ok());
    let plan = ClaimPlan {
        kernels: count.unwrap_or(200),
        first: 0,
        seed: 1,
        jobs: 2,
        shrinking: 60,
        sample: 1,
        cache: Some(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache").into()),
        progress: false,
    };
    let summary = fuzz_claims(&plan);
    println!("{summary}");
    assert!(summary.violations.is_empty(), "{summary}");
    assert!(summary.failures.is_empty(), "{summary}");
    // A generator of only wrong, or only hopeless, claims would test nothing.
    assert!(summary.accepted() * 100 >= plan.kernels * 20, "{summary}");
    assert!(summary.wrong() * 100 >= plan.kernels * 20, "{summary}");
    for kind in [Kind::Unary, Kind::Binary, Kind::Cell] {
        let [accepted, wrong, ..] = summary.kinds[&kind];
        assert!(accepted > 0 && wrong > 0, "{kind:?}: {summary}");
    }
    assert!(summary.contracts[0] > 0 && summary.contracts[1] > 0, "{summary}");
    assert!(summary.ghosts[0] > 0 && summary.ghosts[1] > 0, "{summary}");
}
