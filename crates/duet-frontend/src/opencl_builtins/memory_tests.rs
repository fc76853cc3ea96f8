//! Checks the classification of built-ins with effects on symbols that clang
//! emits.

use duet_ir::{AtomicOp, MemoryScope};

use super::memory::*;
use crate::mangled::{Mangled, Scalar};

fn kind(symbol: &str) -> Option<MemoryBuiltin> {
    classify(&Mangled::parse(symbol).expect("a readable symbol"))
}

fn atomic(symbol: &str) -> AtomicBuiltin {
    match kind(symbol) {
        Some(MemoryBuiltin::Atomic(atomic)) => atomic,
        other => panic!("{symbol} is {other:?}"),
    }
}

#[test]
fn vector_loads_and_stores() {
    use MemoryBuiltin::{VLoad, VStore};
    let load = |lanes, stride, half| Some(VLoad { lanes, stride, half });
    assert_eq!(kind("_Z6vload4mPU3AS1Kf"), load(4, 4, false));
    assert_eq!(kind("_Z6vload3mPU3AS1Ks"), load(3, 3, false));
    assert_eq!(kind("_Z7vload16mPU3AS1Kc"), load(16, 16, false));
    assert_eq!(kind("_Z10vload_halfmPU3AS1KDh"), load(1, 1, true));
    assert_eq!(kind("_Z11vload_half3mPU3AS1KDh"), load(3, 3, true));
    assert_eq!(kind("_Z12vloada_half3mPU3AS1KDh"), load(3, 4, true));
    let store = |lanes, stride, half| Some(VStore { lanes, stride, half });
    assert_eq!(kind("_Z7vstore4Dv4_fmPU3AS1f"), store(4, 4, None));
    assert_eq!(kind("_Z11vstore_halffmPU3AS1Dh"), store(1, 1, Some(Rounding::NearestEven)));
    assert_eq!(kind("_Z16vstore_half4_rtzDv4_fmPU3AS1Dh"), store(4, 4, Some(Rounding::Zero)));
    assert_eq!(kind("_Z17vstorea_half3_rtpDv3_fmPU3AS1Dh"), store(3, 4, Some(Rounding::Up)));
}

#[test]
fn atomics_of_the_first_version() {
    let add = atomic("_Z10atomic_addPU3AS1Vii");
    assert_eq!((add.op, add.operands), (AtomicOp::Add, AtomicOperands::Argument));
    assert_eq!((add.scope, add.element), (AtomicScope::Device, Scalar::Int));
    let dec = atomic("_Z8atom_decPU3AS3Vm");
    assert_eq!((dec.op, dec.operands), (AtomicOp::Sub, AtomicOperands::Constant(1)));
    assert_eq!(dec.element, Scalar::ULong);
    assert_eq!(atomic("_Z10atomic_minPU3AS1Vii").op, AtomicOp::SMin);
    assert_eq!(atomic("_Z10atomic_minPU3AS1Vjj").op, AtomicOp::UMin);
    assert_eq!(atomic("_Z10atomic_maxPU3AS1Vjj").op, AtomicOp::UMax);
    let exchange = atomic("_Z11atomic_xchgPU3AS1Vff");
    assert_eq!((exchange.op, exchange.element), (AtomicOp::Exchange, Scalar::Float));
    let compare = atomic("_Z14atomic_cmpxchgPU3AS1Viii");
    assert_eq!(compare.op, AtomicOp::CompareExchange);
    assert_eq!(compare.operands, AtomicOperands::CompareAndNew);
    assert_eq!(compare.result, AtomicResult::Old);
}

#[test]
fn atomics_of_the_second_version() {
    let add = atomic("_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope");
    assert_eq!((add.op, add.scope), (AtomicOp::Add, AtomicScope::Argument(3)));
    let min = atomic("_Z25atomic_fetch_min_explicitPU3AS4VU7_Atomicjj12memory_order");
    assert_eq!((min.op, min.scope), (AtomicOp::UMin, AtomicScope::Device));
    let float = atomic("_Z16atomic_fetch_addPU3AS4VU7_Atomicff");
    assert_eq!(float.op, AtomicOp::FAdd);
    let weak = atomic("_Z28atomic_compare_exchange_weakPU3AS4VU7_AtomiciPU3AS4ii");
    assert_eq!(weak.operands, AtomicOperands::ThroughPointer { weak: true });
    assert_eq!(weak.result, AtomicResult::Success);
    let store = atomic("_Z12atomic_storePU3AS4VU7_Atomicii");
    assert_eq!((store.op, store.result), (AtomicOp::Store, AtomicResult::None));
    let flag = atomic("_Z24atomic_flag_test_and_setPU3AS4VU7_Atomici");
    assert_eq!((flag.op, flag.result), (AtomicOp::Exchange, AtomicResult::OldIsSet));
    assert_eq!(kind("_Z11atomic_initPU3AS4VU7_Atomicii"), Some(MemoryBuiltin::AtomicInit));
    let fence = kind("_Z22atomic_work_item_fencej12memory_order12memory_scope");
    assert_eq!(fence, Some(MemoryBuiltin::WorkItemFence));
}

#[test]
fn float_operations_without_a_meaning_are_refused() {
    let builtin = kind("_Z16atomic_fetch_subPU3AS4VU7_Atomicff");
    assert!(matches!(builtin, Some(MemoryBuiltin::Unsupported(_))));
}

#[test]
fn scopes() {
    assert_eq!(memory_scope(1), Some(MemoryScope::Block));
    assert_eq!(memory_scope(3), Some(MemoryScope::System));
    assert_eq!(memory_scope(0), None);
    assert_eq!(memory_scope(4), None);
}

#[test]
fn copies_and_barriers() {
    let copy = |strided, to_local, element, lanes| {
        Some(MemoryBuiltin::AsyncCopy { strided, to_local, element, lanes })
    };
    assert_eq!(
        kind("_Z21async_work_group_copyPU3AS3iPU3AS1Kim9ocl_event"),
        copy(false, true, Scalar::Int, 1)
    );
    assert_eq!(
        kind("_Z29async_work_group_strided_copyPU3AS1Dv4_fPU3AS3KS_mm9ocl_event"),
        copy(true, false, Scalar::Float, 4)
    );
    assert_eq!(kind("_Z17wait_group_eventsiPU3AS49ocl_event"), Some(MemoryBuiltin::WaitEvents));
    assert_eq!(kind("_Z7barrierj"), Some(MemoryBuiltin::Barrier));
    assert_eq!(kind("_Z18work_group_barrierj12memory_scope"), Some(MemoryBuiltin::Barrier));
    assert_eq!(kind("_Z9mem_fencej"), Some(MemoryBuiltin::MemFence));
    assert_eq!(kind("printf"), Some(MemoryBuiltin::Printf));
}

#[test]
fn images() {
    let read = |symbol| match kind(symbol) {
        Some(MemoryBuiltin::ReadImage {
            shape,
            texel,
            sampler,
            coordinates,
            float_coordinates,
            level,
        }) => (shape.to_string(), texel, sampler, coordinates, float_coordinates, level),
        other => panic!("{symbol} is {other:?}"),
    };
    use LevelOfDetail::*;
    assert_eq!(
        read("_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_f"),
        ("image2d".to_owned(), Texel::Float, true, 2, true, None)
    );
    assert_eq!(
        read("_Z12read_imageui14ocl_image2d_roDv2_i"),
        ("image2d".to_owned(), Texel::UInt, false, 1, false, None)
    );
    assert_eq!(
        read("_Z11read_imagef21ocl_image1d_buffer_roi"),
        ("image1d_buffer".to_owned(), Texel::Float, false, 1, false, None)
    );
    assert_eq!(
        read("_Z11read_imagei14ocl_image1d_rw11ocl_samplerff"),
        ("image1d".to_owned(), Texel::Int, true, 2, true, Explicit)
    );
    let write = kind("_Z13write_imageui20ocl_image2d_array_woDv4_iDv4_j");
    assert!(matches!(
        write,
        Some(MemoryBuiltin::WriteImage { shape, texel: Texel::UInt, level: false })
            if shape.array && shape.dims == 2
    ));
    let query = kind("_Z15get_image_depth14ocl_image3d_ro");
    assert!(matches!(
        query,
        Some(MemoryBuiltin::ImageQuery { query: ImageQuery::Depth, shape }) if shape.dims == 3
    ));
}

#[test]
fn what_has_no_model_is_refused() {
    let symbols = [
        "_Z20sub_group_reduce_addi",
        "_Z18get_sub_group_sizev",
        "_Z14work_group_alli",
        "_Z9get_fencePU3AS4v",
        "__read_pipe_2",
        "_Z17get_default_queuev",
        "_Z17clock_read_devicev",
    ];
    for symbol in symbols {
        let builtin = kind(symbol);
        assert!(matches!(builtin, Some(MemoryBuiltin::Unsupported(_))), "{symbol}: {builtin:?}");
    }
}

#[test]
fn values_and_user_functions_are_none() {
    assert_eq!(kind("_Z3sinf"), None);
    assert_eq!(kind("my_event"), None);
    assert_eq!(kind("atomic_thing"), None);
}
