//! Memory scopes reach the IR as they were written, or are rejected.

mod common;

use common::{assert_has, errors_of, ir, load_llvm, load_with, opencl, reading};
use duet_frontend::{Loaded, Options};
use duet_ir::Diagnostic;

/// Builtins of clang: a family, and its numbers of the scopes that are narrower than
/// the device and of those that are not. (clang itself rejects OpenCL's 0.)
const FAMILIES: [(&str, &[u32], &[u32]); 3] =
    [("scoped", &[2, 3, 4], &[0, 1]), ("opencl", &[1, 4], &[2, 3]), ("hip", &[1, 2, 3], &[4, 5])];

/// A call of each shape that a family has.
fn calls(family: &str, scope: &str) -> Vec<String> {
    let shapes: &[&str] = match family {
        "scoped" => &[
            "load_n(p, 0, S)",
            "store_n(p, 1, 0, S)",
            "exchange_n(p, 1, 0, S)",
            "fetch_add(p, 1, 0, S)",
            "max_fetch(p, 1, 0, S)",
            "compare_exchange_n(p, &e, 1, 0, 0, 0, S)",
        ],
        _ => &[
            "load(P, 0, S)",
            "store(P, 1, 0, S)",
            "exchange(P, 1, 0, S)",
            "fetch_xor(P, 1, 0, S)",
            "compare_exchange_strong(P, &e, 1, 0, 0, S)",
        ],
    };
    let pointer = if family == "opencl" { "(_Atomic int *)p" } else { "p" };
    let fill = |shape: &&str| {
        format!("__{family}_atomic_{}", shape.replace('S', scope).replace('P', pointer))
    };
    shapes.iter().map(fill).collect()
}

fn kernel(call: &str) -> String {
    format!("__global__ void k(int *p, int s) {{\n  int e = 0;\n  {call};\n}}\n")
}

#[test]
fn narrow_scopes_of_builtins() {
    for (family, narrow, wide) in FAMILIES {
        for scope in narrow.iter().map(u32::to_string).chain(["s".to_string()]) {
            // Only OpenCL's take a scope that is no constant.
            if scope == "s" && family != "opencl" {
                continue;
            }
            for call in calls(family, &scope) {
                let errors = errors_of("k.cu", &kernel(&call));
                let headline = &errors[0].headline;
                assert!(headline.contains(&format!("__{family}_atomic")), "{call}: {errors:#?}");
                let place = errors[0].primary.as_ref().expect("a place");
                assert_eq!(place.line, 3, "{call}");
            }
        }
        for scope in wide {
            for call in calls(family, &scope.to_string()) {
                let read = ir(load_with("k.cu", &kernel(&call), &reading()));
                assert_has(&read, &["atomic", " device "]);
            }
        }
    }
}

#[test]
fn builtins_in_opencl() {
    let call = |scope| {
        format!(
            "kernel void k(global int *p) {{\n  __scoped_atomic_fetch_add(p, 1, 0, {scope});\n}}\n"
        )
    };
    let errors = errors_of("k.cl", &call(2));
    assert!(errors[0].headline.contains("__scoped_atomic"), "{errors:#?}");
    assert_has(&opencl(&call(1)), &["atomic add device"]);
}

fn opencl2(statement: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let text = format!("kernel void k(global int *p, int s) {{\n  {statement};\n}}\n");
    let options = Options { standard: Some("CL2.0".into()), ..reading() };
    load_with("k.cl", &text, &options)
}

#[test]
fn barriers_of_narrow_scope() {
    for scope in ["memory_scope_work_item", "memory_scope_sub_group", "(memory_scope)s"] {
        let statement = format!("work_group_barrier(CLK_LOCAL_MEM_FENCE, {scope})");
        let errors = opencl2(&statement).err().unwrap_or_else(|| panic!("{scope} was read"));
        assert!(errors[0].headline.contains("a barrier whose memory scope"), "{errors:#?}");
        assert_eq!(errors[0].primary.as_ref().expect("a place").line, 2);
    }
    for scope in ["memory_scope_work_group", "memory_scope_device", "memory_scope_all_svm_devices"]
    {
        let statement = format!("work_group_barrier(CLK_LOCAL_MEM_FENCE, {scope})");
        assert_has(&ir(opencl2(&statement)), &["barrier block"]);
    }
}

#[test]
fn fences_are_never_widened() {
    for (scope, fence) in [
        ("memory_scope_work_item", None),
        ("memory_scope_work_group", Some("fence block")),
        ("memory_scope_device", Some("fence device")),
        ("(memory_scope)s", None),
    ] {
        let statement =
            format!("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, {scope})");
        let read = ir(opencl2(&statement));
        match fence {
            Some(fence) => assert_has(&read, &[fence]),
            None => assert!(!read.contains("fence "), "{scope}:\n{read}"),
        }
    }
}

/// The instructions that have a scope.
const SCOPED: [&str; 4] = [
    "%x = atomicrmw add ptr %p, i32 1 SCOPE monotonic",
    "%x = cmpxchg ptr %p, i32 1, i32 2 SCOPE monotonic monotonic",
    "%x = load atomic i32, ptr %p SCOPE monotonic, align 4",
    "store atomic i32 1, ptr %p SCOPE monotonic, align 4",
];

#[test]
fn syncscope_is_kept() {
    for (scope, expected) in [
        ("", " device "),
        ("syncscope(\"agent\")", " device "),
        ("syncscope(\"device\")", " device "),
        ("syncscope(\"agent-one-as\")", " device "),
        ("syncscope(\"one-as\")", " device "),
        ("syncscope(\"workgroup\")", " block "),
        ("syncscope(\"workgroup-one-as\")", " block "),
        ("syncscope(\"block\")", " block "),
        ("syncscope(\"cluster\")", " block "),
    ] {
        for inst in SCOPED {
            let inst = inst.replace("SCOPE", scope);
            let read = ir(load_llvm(&inst));
            let atomic = read.lines().find(|line| line.contains("atomic")).expect("an atomic");
            assert!(atomic.contains(expected), "{inst}: {atomic}");
        }
    }
    for scope in ["singlethread", "wavefront", "wavefront-one-as", "warp", "of-the-moon"] {
        for inst in SCOPED {
            let inst = inst.replace("SCOPE", &format!("syncscope(\"{scope}\")"));
            let errors = load_llvm(&inst).err().unwrap_or_else(|| panic!("{inst} was read"));
            assert!(errors[0].headline.contains(&format!("`{scope}`")), "{errors:#?}");
        }
    }
}

#[test]
fn syncscope_of_fences() {
    for (scope, fence) in [
        ("", Some("fence device")),
        ("syncscope(\"workgroup\")", Some("fence block")),
        ("syncscope(\"singlethread\")", None),
        ("syncscope(\"wavefront\")", None),
    ] {
        let read = ir(load_llvm(&format!("fence {scope} seq_cst")));
        match fence {
            Some(fence) => assert_has(&read, &[fence]),
            None => assert!(!read.contains("fence"), "{scope}:\n{read}"),
        }
    }
}
