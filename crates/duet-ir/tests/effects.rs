//! What instructions do: effects, accesses and operations of every instruction of the
//! round-trip files, which hold each kind (see `text.rs`).

mod common;

use common::{files, parse};
use duet_ir::{AccessMode, BarrierScope, Effect, InstData, Module};

fn modules() -> Vec<Module> {
    let paths = std::fs::read_dir(files("round_trip")).expect("a folder of files");
    let texts = paths.map(|entry| std::fs::read_to_string(entry.expect("an entry").path()));
    texts.map(|text| parse(&text.expect("a text")).expect("a module")).collect()
}

/// Every instruction with its text without results, in the order of the layout.
fn insts() -> Vec<(String, InstData)> {
    let mut found = vec![];
    for module in modules() {
        for func in module.functions.values() {
            for inst in func.insts_in_order() {
                let text = func.display_inst(&module, inst).to_string();
                let text = text.split_once(" = ").map_or(text.as_str(), |(_, rest)| rest);
                found.push((text.to_string(), func.insts[inst].clone()));
            }
        }
    }
    assert!(found.len() > 150, "only {} instructions", found.len());
    found
}

/// What begins with these words, and at least one does.
fn starting(words: &str) -> Vec<InstData> {
    let all = insts().into_iter().filter(|(text, _)| text.starts_with(words));
    let found: Vec<InstData> = all.map(|(_, data)| data).collect();
    assert!(!found.is_empty(), "no `{words}`");
    found
}

fn modes(data: &InstData) -> Vec<AccessMode> {
    data.accesses().into_iter().map(|(mode, _)| mode).collect()
}

/// The printer writes an access as `@array[…]`: whatever prints one has it among its
/// accesses, and is called an effect on memory.
#[test]
fn what_prints_an_access_touches_memory() {
    for (text, mut data) in insts() {
        let printed = text.matches('[').count();
        let count = data.accesses().len();
        assert_eq!(count, printed, "{text}");
        assert_eq!(data.effect() == Effect::Memory, count > 0, "{text}");
        let places: Vec<_> = data.accesses().into_iter().map(|(_, access)| *access).collect();
        let rewritten: Vec<_> = data.accesses_mut().into_iter().map(|access| *access).collect();
        assert_eq!(places, rewritten, "{text}");
    }
}

#[test]
fn accesses_say_what_they_do() {
    use AccessMode::*;
    for (words, want) in [
        ("load ", vec![Load]),
        ("store ", vec![Store]),
        ("atomic load ", vec![AtomicLoad]),
        ("atomic add ", vec![Atomic]),
        ("atomic store ", vec![Atomic]),
        ("atomic exchange ", vec![Atomic]),
        ("atomic compare_exchange ", vec![Atomic]),
        ("async_copy ", vec![CopyTo, CopyFrom]),
    ] {
        for data in starting(words) {
            assert_eq!(modes(&data), want, "{words}");
        }
    }
    let all = [Load, Store, AtomicLoad, Atomic, CopyFrom, CopyTo];
    let which = |is: fn(AccessMode) -> bool| all.into_iter().filter(|mode| is(*mode)).collect();
    let (writes, atomic, copies): (Vec<_>, Vec<_>, Vec<_>) =
        (which(AccessMode::may_write), which(AccessMode::is_atomic), which(AccessMode::is_copy));
    assert_eq!(writes, [Store, Atomic, CopyTo]);
    assert_eq!(atomic, [AtomicLoad, Atomic]);
    assert_eq!(copies, [CopyFrom, CopyTo]);
}

#[test]
fn barriers_and_exchanges_bring_threads_together() {
    let scope = |words: &str| starting(words)[0].barrier_scope();
    assert_eq!(scope("barrier warp"), Some(BarrierScope::Warp));
    assert_eq!(scope("barrier block"), Some(BarrierScope::Block));
    assert_eq!(scope("barrier grid"), Some(BarrierScope::Grid));
    assert_eq!(scope("barrier_reduce"), Some(BarrierScope::Block));
    for (text, data) in insts() {
        let word = text.split(' ').next().unwrap_or("");
        let meets = matches!(word, "barrier" | "barrier_reduce" | "exchange");
        assert_eq!(data.is_meeting_point(), meets, "{text}");
        let of_warp = word == "exchange" || text.starts_with("barrier warp");
        assert_eq!(data.is_meeting_point_of_warp(), of_warp, "{text}");
        let masked = text.starts_with("barrier warp") || text.contains(" mask ");
        assert_eq!(data.lane_mask().is_some(), masked, "{text}");
        let others = meets || matches!(word, "wait_events" | "async_copy" | "call");
        assert_eq!(data.involves_other_threads(), others, "{text}");
    }
}

/// Only what does nothing else may be removed; a division may fail, a load may race.
#[test]
fn what_may_be_removed() {
    for word in ["add ", "select ", "icmp ", "ghost ", "fresh ", "thread_id"] {
        assert!(starting(word).iter().all(InstData::is_pure), "{word}");
    }
    for word in ["udiv ", "sdiv ", "urem ", "srem "] {
        for data in starting(word) {
            assert!(!data.is_pure() && data.is_computation(), "{word}");
        }
    }
    for word in ["load ", "store ", "atomic ", "barrier", "assert ", "annotation ", "call"] {
        assert!(!starting(word).iter().any(InstData::is_computation), "{word}");
    }
}

/// An operation computes; what computes no number by a fixed rule is none.
#[test]
fn operations_are_computations() {
    for (text, data) in insts() {
        assert!(data.operation().is_none() || data.is_computation(), "{text}");
    }
    for word in ["load ", "fresh ", "ghost ", "pure ", "exchange ", "atomic ", "call_unknown "] {
        assert!(starting(word).iter().all(|data| data.operation().is_none()), "{word}");
    }
    assert!(starting("fcmp ").iter().all(|data| data.operation().is_some()));
}

/// A place in a library header is shown where the user's code calls it.
#[test]
fn spans_are_in_the_users_code() {
    let module = parse(
        "module cuda 64\nfile0 \"k.cu\"\nfile1 \"math.h\" library\n\
         !0 = file0:7:3\n!1 = file1:50:9 inlined !0\n!2 = file1:60:1\n",
    )
    .expect("a module");
    let lines: Vec<Option<(String, u32)>> = module
        .locs
        .keys()
        .map(|loc| module.source_span(Some(loc)))
        .map(|span| span.map(|span| (span.file.display().to_string(), span.line)))
        .collect();
    let user = Some(("k.cu".to_string(), 7));
    assert_eq!(lines, [user.clone(), user, None]);
    assert_eq!(module.source_span(None), None);
}

/// The helpers of functions agree with the layout.
#[test]
fn instructions_have_blocks() {
    for module in modules() {
        for func in module.functions.values() {
            for (block, inst) in func.insts_with_blocks() {
                assert_eq!(func.block_of(inst), Some(block));
                for &value in &func.results_of[inst] {
                    assert_eq!(func.inst_of(value), Some(inst));
                }
            }
            let order: Vec<_> = func.insts_with_blocks().map(|(_, inst)| inst).collect();
            assert_eq!(order, func.insts_in_order().collect::<Vec<_>>());
        }
    }
}
