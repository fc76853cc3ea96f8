//! Twelve hundred random kernels: no defect that a run shows is proved absent.

use duet_fuzz::{Class, Plan, fuzz};

#[test]
fn no_defect_is_proved_absent() {
    let plan = Plan {
        kernels: 1200,
        first: 0,
        seed: 1,
        jobs: 2,
        enough: 1,
        shrinking: 200,
        clean: 45,
        progress: false,
        cross_check: false,
    };
    let summary = fuzz(&plan);
    println!("{summary}");
    assert!(summary.violations.is_empty(), "{summary}");
    assert!(summary.failures.is_empty(), "{summary}");
    // A generator of only wrong, or only hopeless, kernels would test nothing.
    assert!(summary.defective * 100 > plan.kernels * 20, "{summary}");
    assert!(summary.clean_proved * 100 > plan.kernels * 20, "{summary}");
    assert!(summary.classes.contains_key(&Class::Race), "{summary}");
    assert!(summary.classes.contains_key(&Class::Divergence), "{summary}");
}
