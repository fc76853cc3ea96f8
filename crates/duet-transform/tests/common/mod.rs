//! Modules from text, and each rewrite by a name, as the sections of test files have it.

use duet_ir::{
    BarrierScope, Block, EntityRef, Func, Function, FunctionBuilder, Geometry, GeometryKind, Inst,
    InstData, IntCc, Module, Value, ValueDef, WellFormed, check_well_formed,
};
use duet_transform::*;

/// A module of a test file.
pub fn parse(text: &str) -> Result<WellFormed, String> {
    let module = Module::parse(text).map_err(|errors| format!("{errors:?}"))?;
    check_well_formed(module).map_err(|errors| format!("{errors:?}"))
}

/// The only kernel.
pub fn kernel(module: &Module) -> Func {
    module.kernels().next().expect("a kernel").0
}

/// The rewrite that a section names; `None` if it cannot be made.
pub fn rewritten(module: &WellFormed, name: &str) -> Result<Option<WellFormed>, String> {
    let kernel = kernel(module);
    let words: Vec<&str> = name.split(' ').collect();
    Ok(Some(match words.as_slice() {
        ["annotations", which] => select_annotations(module.clone(), annotations(which)?),
        ["sizes", "forgotten"] => forget_fixed_sizes(module.clone()),
        ["preconditions"] => with_preconditions(module, kernel, &CONDITIONS, condition),
        ["bytes"] => by_bytes(module),
        ["unwound", passes] => return Ok(unwound(module, number(passes)?).map(|one| one.module)),
        ["without", "barriers"] => {
            without_barriers(module, kernel, &barriers(&module.functions[kernel]))
        }
        ["barrier", "inside", block, at] => {
            let place = BarrierPlace::Inside(block_named(block)?, number(at)? as usize);
            with_barrier(module, kernel, place, 3)
        }
        ["barrier", "before", header] => {
            with_barrier(module, kernel, BarrierPlace::BeforeLoop(block_named(header)?), 3)
        }
        ["in", "range", values @ ..] => {
            let func = &module.functions[kernel];
            let insts =
                values.iter().map(|value| inst_of(func, value)).collect::<Result<_, _>>()?;
            return Ok(with_range_assumptions(module, kernel, &insts));
        }
        _ => return Err(format!("no section `{name}`")),
    }))
}

/// The kernel's loops, followed for so many iterations.
pub fn unwound(module: &WellFormed, passes: u32) -> Option<Unwound> {
    unwind(module, kernel(module), passes)
}

fn annotations(which: &str) -> Result<AnnotationOptions, String> {
    let filter = match which {
        "all" | "as-candidates" => AnnotationFilter::All,
        "only-requires" => AnnotationFilter::OnlyRequires,
        "none" => AnnotationFilter::None,
        _ => return Err(format!("no annotations `{which}`")),
    };
    Ok(AnnotationOptions { filter, invariants_as_candidates: which == "as-candidates" })
}

/// The first argument is at most 100; it is the number of threads of a block.
const CONDITIONS: [IntCc; 2] = [IntCc::Sle, IntCc::Eq];

fn condition(builder: &mut FunctionBuilder<'_>, cc: IntCc) -> Value {
    let argument = builder.func.scalar_params().next().expect("an argument").value;
    let other = match cc {
        IntCc::Sle => builder.int(100, builder.func.type_of(argument)),
        _ => builder.geometry(Geometry { kind: GeometryKind::BlockDim, dim: duet_ir::Dim::X }),
    };
    builder.compare(cc, argument, other)
}

/// The barriers of a kernel.
pub fn barriers(func: &Function) -> Vec<Inst> {
    let is_barrier = |inst: &Inst| {
        use BarrierScope::{Block, Grid};
        matches!(func.insts[*inst], InstData::Barrier { scope: Block | Grid, .. })
    };
    func.insts_in_order().filter(is_barrier).collect()
}

/// The instruction that yields `v7`.
fn inst_of(func: &Function, value: &str) -> Result<Inst, String> {
    let value = Value::new(number(value.trim_start_matches('v'))? as usize);
    match func.values[value] {
        ValueDef::Result(inst, _) => Ok(inst),
        _ => Err(format!("{value} is no result")),
    }
}

fn block_named(name: &str) -> Result<Block, String> {
    Ok(Block::new(number(name.trim_start_matches("bb"))? as usize))
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}
