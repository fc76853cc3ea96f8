//! What a thread executes between two instructions.

use duet_analysis::{Condition, Paths};
use duet_ir::{Function, Inst, InstData, Module, Value, WellFormed, check_well_formed};

/// Takes a lock in a loop; whoever gets it counts and gives it back.
const LOCK: &str = r#"
module cuda 64
array @lock global param granule 4
array @count global param granule 4
kernel k symbol k (lock: @lock, count: @count) {
bb0:
  jump bb1(i1 0)
bb1(i1 v1):
  br v1, bb5, bb2
bb2:
  v2 = atomic compare_exchange device i32 @lock[0], 0, 1 align 4
  v3 = icmp eq i32 v2, 0
  br v3, bb3, bb4
bb3:
  fence device
  store i32 @count[0], 1 align 4
  v5 = atomic exchange device i32 @lock[0], 0 align 4
  jump bb1(i1 1)
bb4:
  jump bb1(i1 0)
bb5:
  return
}
"#;

fn module(text: &str) -> WellFormed {
    check_well_formed(Module::parse(text).expect("a module")).expect("well formed")
}

fn find(func: &Function, is_it: impl Fn(&InstData) -> bool) -> Inst {
    func.insts_in_order().find(|&inst| is_it(&func.insts[inst])).expect("the instruction")
}

/// The instructions of the lock: taking, fence, store, giving back.
fn parts(func: &Function) -> [Inst; 4] {
    let atomics: Vec<Inst> = func
        .insts_in_order()
        .filter(|&inst| matches!(func.insts[inst], InstData::Atomic { .. }))
        .collect();
    let fence = find(func, |data| matches!(data, InstData::Fence { .. }));
    let store = find(func, |data| matches!(data, InstData::Store { .. }));
    [atomics[0], fence, store, atomics[1]]
}

fn compared(func: &Function) -> Value {
    func.result(find(func, |data| matches!(data, InstData::IntCompare { .. })))
}

#[test]
fn conditions_hold_of_the_last_iteration() {
    let module = module(LOCK);
    let (_, func) = module.kernels().next().expect("a kernel");
    let [take, _, store, _] = parts(func);
    let paths = Paths::new(func);
    let got_it = Condition { value: compared(func), holds: true };
    assert!(paths.conditions_at(store).contains(&got_it));
    // Where the lock is tried again nothing is known of the last time.
    assert!(!paths.conditions_at(take).iter().any(|one| one.value == got_it.value));
}

#[test]
fn a_condition_is_lost_where_ways_join() {
    let module = module(&LOCK.replace("bb4:\n  jump bb1(i1 0)", "bb4:\n  jump bb3"));
    let (_, func) = module.kernels().next().expect("a kernel");
    let [_, _, store, _] = parts(func);
    let is_known = |one: &Condition| one.value == compared(func);
    assert!(!Paths::new(func).conditions_at(store).iter().any(is_known));
}

#[test]
fn what_lies_between() {
    let module = module(LOCK);
    let (_, func) = module.kernels().next().expect("a kernel");
    let [take, fence, store, give] = parts(func);
    let paths = Paths::new(func);
    assert!(paths.must_precede(take, store) && !paths.must_precede(store, take));
    assert!(paths.may_reach(Some(take), store, |_| false));
    assert!(!paths.may_reach(Some(take), store, |inst| inst == fence));
    assert!(paths.may_reach(Some(give), take, |_| false));
    assert!(!paths.may_reach(Some(give), store, |inst| inst == take));
    assert!(paths.may_repeat(take) && paths.may_return(give, |inst| inst == take));
    // Nobody asks which way a branch goes, so the loop may be left before it is entered.
    assert!(paths.starts_and_returns(|inst| inst == take));
}

#[test]
fn who_returns_has_passed() {
    let module = module(
        &LOCK
            .replace("bb4:\n  jump bb1(i1 0)", "bb4:\n  return")
            .replace("bb0:\n  jump bb1(i1 0)", "bb0:\n  jump bb2"),
    );
    let (_, func) = module.kernels().next().expect("a kernel");
    let [take, _, store, _] = parts(func);
    let paths = Paths::new(func);
    assert!(!paths.starts_and_returns(|inst| inst == take));
    assert!(paths.starts_and_returns(|inst| inst == store));
}
