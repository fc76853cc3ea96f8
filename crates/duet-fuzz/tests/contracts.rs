//! Random kernels with contracts: what the proof of `duet prove` shows, no run breaks.
//! `CONTRACT_FUZZ=N` judges N kernels instead of a few.

use duet_fuzz::contracts::{ContractPlan, fuzz_contracts};

/// Kernels that are judged unless the environment says otherwise: each takes about a fifth of a second.
const SAMPLE: usize = 12;

#[test]
fn no_contract_that_a_run_breaks_is_proved() {
    let count = std::env::var("CONTRACT_FUZZ").ok().and_then(|text| text.parse().ok());
    let kernels = count.unwrap_or(SAMPLE);
    let summary = fuzz_contracts(&ContractPlan { kernels, first: 0, seed: 1, progress: false });
    println!("{summary}");
    assert!(summary.violations.is_empty(), "{summary}");
    // A generator of only wrong, or only hopeless, contracts would test nothing.
    assert!(summary.proved > 0, "{summary}");
    if kernels >= 100 {
        assert!(summary.proved * 5 >= summary.kernels, "{summary}");
        // Of what is not proved only a part is run.
        assert!(summary.broken * 30 >= summary.kernels, "{summary}");
        assert!(summary.unreadable * 10 <= kernels, "{summary}");
    }
}
