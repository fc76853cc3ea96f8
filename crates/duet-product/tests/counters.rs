//! Which arrays hold counters that give each addition a value of its own.

use duet_analysis::LaunchSpec;
use duet_ir::{Module, check_well_formed};
use duet_product::{FactsOptions, KernelFacts};

/// Each thread takes a number from the counter and uses it.
const COUNTER: &str = r#"
module cuda 64
array @counter global param granule 4
array @reset global param granule 4
array @out global param granule 4
kernel k symbol k (counter: @counter, reset: @reset, out: @out) {
bb0:
  v1 = atomic add device i32 @counter[0], 1 align 4
  v2 = zext v1 to i64
  v3 = mul i64 v2, 4
  store i32 @out[v3], v1 align 4
  store i32 @reset[0], 0 align 4
  return
}
"#;

fn is_counter(text: &str, may_alias: bool) -> bool {
    let module = check_well_formed(Module::parse(text).expect("a module")).expect("well formed");
    let (kernel, _) = module.kernels().next().expect("a kernel");
    let options = FactsOptions {
        launch: LaunchSpec::known([4, 1, 1], [64, 1, 1]),
        arguments: Default::default(),
        may_alias,
        warp_sync: None,
    };
    let facts = KernelFacts::new(&module, kernel, &options);
    let (counter, _) = module.arrays.iter().next().expect("an array");
    facts.is_counter(counter)
}

#[test]
fn counters_are_counted_by_elements_and_apart_from_others() {
    assert!(is_counter(COUNTER, false));
    // Additions that overlap in part do not count what the others do.
    assert!(!is_counter(
        &COUNTER.replace("@counter global param granule 4", "@counter global param granule 1"),
        false
    ));
    // The reset may hit the counter under another name.
    assert!(!is_counter(COUNTER, true));
    assert!(!is_counter(&COUNTER.replace("@reset[0]", "@counter[0]"), false));
    assert!(!is_counter(&COUNTER.replace("@counter[0], 1", "@counter[0], 0"), false));
}
