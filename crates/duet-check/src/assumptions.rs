//! What a verdict takes for granted, in words. Whatever an option leaves out and
//! whatever the source is believed without proof is on this list.

use std::collections::BTreeSet;

use duet_ir::{
    AnnotationKind, Cause, FoldOp, Function, GeometryKind, InstData, ParamKind, Space, Value,
    ValueDef,
};
use duet_product::KernelFacts;
use duet_vc::{Extent, MAX_BLOCK};

use crate::options::CheckOptions;
use crate::properties::size_of;

/// A kernel whose verdict is spoken of.
struct Assuming<'a>(&'a KernelFacts<'a>);

/// What a verdict takes for granted.
pub(crate) fn assumptions(facts: &KernelFacts<'_>, options: &CheckOptions) -> Vec<String> {
    Assuming(facts).all(options)
}

impl Assuming<'_> {
    fn all(&self, options: &CheckOptions) -> Vec<String> {
        let mut list = self.about_memory(options);
        list.extend(about_launch(options));
        list.extend(self.about_the_source());
        list.extend(about_options(options));
        list.extend(options.host.iter().flat_map(|host| host.assumptions.iter().cloned()));
        if options.launch.work_dim == 3 && self.reads(GeometryKind::WorkDim) {
            list.push("`get_work_dim()` is 3".to_string());
        }
        // SOUNDNESS: a launch may add to global ids (kernels/soundness/38-global-offset).
        if options.launch.global_offset == [0; 3] && self.reads(GeometryKind::GlobalOffset) {
            list.push("the global offset is 0".to_string());
        }
        list
    }

    fn about_memory(&self, options: &CheckOptions) -> Vec<String> {
        let mut list = vec![];
        let host = options.host.as_ref();
        if !options.check_bounds {
            list.push("accesses stay inside their arrays".to_string());
        } else {
            let unknown = self.arrays_of_unknown_size(options);
            if !unknown.is_empty() {
                let names = unknown.join(", ");
                list.push(format!(
                    "accesses stay below the end of {names}, whose size is not known"
                ));
            }
        }
        let counters = self.0.counters();
        if !counters.is_empty() {
            list.push(format!("counters do not wrap around: {}", counters.join(", ")));
        }
        // SOUNDNESS: comparisons of a parameter with null are decided in the front end, so
        // a proof rests on this (test `a_comparison_with_null_is_an_assumption`).
        if self.0.func.params.iter().any(|param| matches!(param.kind, ParamKind::Array(_))) {
            list.push("pointer arguments are not null".to_string());
        }
        let arrays = self.0.func.arrays_used();
        let is_global =
            |array: &&duet_ir::Array| self.0.module.arrays[**array].space == Space::Global;
        let is_known = host.is_some_and(|host| host.is_distinct);
        if !options.may_alias && !is_known && arrays.iter().filter(is_global).count() > 1 {
            list.push("distinct pointers point to distinct arrays".to_string());
        }
        list
    }

    fn arrays_of_unknown_size(&self, options: &CheckOptions) -> Vec<String> {
        let mut unknown: Vec<String> = vec![];
        for array in self.0.func.arrays_used() {
            if size_of(self.0.module, self.0.func, options, array).is_none() {
                unknown.push(format!("`{}`", self.0.module.arrays[array].name));
            }
        }
        unknown
    }

    /// Annotations that are believed, and functions without a body.
    fn about_the_source(&self) -> Vec<String> {
        let (mut requires, mut assumes, mut axioms) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut contracts = BTreeSet::new();
        let (mut bodiless, mut tables) = (BTreeSet::new(), BTreeSet::new());
        let mut declared = BTreeSet::new();
        let func = self.0.func;
        for inst in func.insts_in_order() {
            match &func.insts[inst] {
                InstData::Annotation { kind, .. } => {
                    let lines = match kind {
                        AnnotationKind::Requires | AnnotationKind::GlobalRequires => &mut requires,
                        AnnotationKind::Assume => &mut assumes,
                        AnnotationKind::Axiom => &mut axioms,
                        AnnotationKind::Contract => &mut contracts,
                        AnnotationKind::Ensures
                        | AnnotationKind::GlobalEnsures
                        | AnnotationKind::CandidateAssert
                        | AnnotationKind::CandidateGlobalAssert
                        | AnnotationKind::Invariant
                        | AnnotationKind::GlobalInvariant
                        | AnnotationKind::CandidateInvariant
                        | AnnotationKind::CandidateGlobalInvariant
                        | AnnotationKind::FunctionWideInvariant
                        | AnnotationKind::FunctionWideCandidateInvariant
                        | AnnotationKind::BarrierInvariant
                        | AnnotationKind::BarrierInvariantBinary
                        | AnnotationKind::CellInvariant
                        | AnnotationKind::ReadsFrom
                        | AnnotationKind::WritesTo
                        | AnnotationKind::ArraySnapshot
                        | AnnotationKind::Verified
                        | AnnotationKind::Captured => continue,
                    };
                    lines.extend(self.0.line_of(inst));
                }
                InstData::Fresh { cause, .. } => match cause {
                    Cause::AssumedFunction(name) => bodiless.extend([name]),
                    Cause::BeyondTable(name) => tables.extend([name]),
                    Cause::Open(_) | Cause::Allocated | Cause::UnknownFunction(_) => {}
                },
                InstData::Binary { .. }
                | InstData::Unary { .. }
                | InstData::Cast { .. }
                | InstData::IntCompare { .. }
                | InstData::FloatCompare { .. }
                | InstData::Select { .. }
                | InstData::Pure { .. }
                | InstData::Geometry(_)
                | InstData::PtrToInt { .. }
                | InstData::IntToPtr { .. }
                | InstData::Load { .. }
                | InstData::Store { .. }
                | InstData::Atomic { .. }
                | InstData::Barrier { .. }
                | InstData::BarrierReduce { .. }
                | InstData::Fence { .. }
                | InstData::Exchange { .. }
                | InstData::AsyncCopy { .. }
                | InstData::WaitEvents { .. }
                | InstData::Assert { .. }
                | InstData::Call { .. }
                | InstData::CallUnknown { .. } => {}
                InstData::Ghost { args, .. } => declared.extend(declared_operation(func, args)),
            }
        }
        let mut list = vec![];
        for (what, lines) in
            [("precondition", requires), ("assumption", assumes), ("axiom", axioms)]
        {
            list.extend(holds_on(what, &lines));
        }
        list.extend(holds_on("contract", &contracts).map(|holds| {
            format!("{holds}: all threads can meet what is ensured, and nothing else is touched")
        }));
        list.extend(bodiless.iter().map(|name| {
            format!("`{name}`, which has no body, touches no memory and waits for no thread")
        }));
        list.extend(declared);
        list.extend(tables.iter().map(|name| {
            format!("`{name}` holds the functions that the source initialises it with")
        }));
        list
    }

    fn reads(&self, kind: GeometryKind) -> bool {
        self.0
            .func
            .insts
            .values()
            .any(|data| matches!(data, InstData::Geometry(geometry) if geometry.kind == kind))
    }
}

/// "the preconditions on lines 3 and 4 hold".
fn holds_on(what: &str, lines: &BTreeSet<u32>) -> Option<String> {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &numbers[..] {
        [] => None,
        [one] => Some(format!("the {what} on line {one} holds")),
        [first @ .., last] => {
            Some(format!("the {what}s on lines {} and {last} hold", first.join(", ")))
        }
    }
}

fn about_launch(options: &CheckOptions) -> Option<String> {
    let mut extents = options.launch.block.iter().chain(&options.launch.grid);
    let whose = match options.launch.most_threads < MAX_BLOCK {
        true => "the kernel's and the hardware's",
        false => "the hardware's",
    };
    let most = options.launch.most_threads;
    extents.any(|extent| *extent == Extent::Free).then(|| {
        format!(
            "free sizes keep to {whose} limits: {most} threads a block, 65535 blocks along y and z, 2^31-1 threads along a dimension"
        )
    })
}

/// What options leave out.
fn about_options(options: &CheckOptions) -> Vec<String> {
    let mut list = vec![];
    if options.only_divergence {
        list.push("there are no data races: they were not looked for".to_string());
    } else if options.only_intra_group {
        list.push(
            "threads of different blocks do not race: such pairs were not looked at".to_string(),
        );
    }
    if options.logs().is_some_and(|logs| logs.only_log) {
        list.push("there are no data races: accesses were logged and not checked".to_string());
    }
    if let Some(size) = options.warp_sync {
        list.push(format!("warps of {size} threads run in lock step (--warp-sync)"));
    }
    if options.scalar_args.iter().any(Option::is_some) {
        list.push("scalar arguments have the values given".to_string());
    }
    if options.array_sizes.iter().any(Option::is_some) {
        list.push("arrays have the sizes given".to_string());
    }
    list
}

/// What is believed of a declared operation that an array is folded with.
fn declared_operation(func: &Function, args: &[Value]) -> Option<String> {
    let op = FoldOp::from_number(func.const_bits(*args.get(4)?)?)?;
    let name = applied_operator(func, args)?;
    let laws = match op {
        FoldOp::Commutative => "is associative and commutative and has the declared identity",
        FoldOp::Associative => "is associative and has the declared identity",
        FoldOp::Declared => "has the declared identity",
        FoldOp::Add
        | FoldOp::SMax
        | FoldOp::UMax
        | FoldOp::SMin
        | FoldOp::UMin
        | FoldOp::Or
        | FoldOp::And
        | FoldOp::Xor
        | FoldOp::Fits => return None,
    };
    let name = name.rsplit("__uninterpreted_function_").next().unwrap_or(name);
    let end = name.find('.').unwrap_or(name.len());
    Some(format!("the operator `{}` {laws}", &name[..end]))
}

/// The function that a declared operation applies.
pub(crate) fn applied_operator<'f>(func: &'f Function, args: &[Value]) -> Option<&'f str> {
    let ValueDef::Result(inst, _) = func.values[*args.get(6)?] else { return None };
    let InstData::Pure { name, .. } = &func.insts[inst] else { return None };
    Some(name)
}
