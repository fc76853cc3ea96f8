//! Sets a run up: checks the request, decides the arrays' sizes and contents,
//! and makes the kernel's first frame.

use duet_ir::{Array, ArrayOrigin, EntityRef, Func, Function, Module, ParamKind};

use crate::decode::{Program, fenced};
use crate::execute::thread::Instance;
use crate::interface::launch::*;
use crate::memory::{Budget, Region, Source};
use crate::races::shadow::{COPY, Shadow};
use crate::values::random::hash;

pub(crate) fn check_launch(
    module: &Module,
    kernel: Func,
    launch: &Launch,
    options: &RunOptions,
) -> Result<(), RunError> {
    let function = &module.functions[kernel];
    if !function.is_kernel() {
        return Err(RunError::NotAKernel(function.name.clone()));
    }
    if launch.grid.contains(&0) || launch.block.contains(&0) {
        return Err(RunError::EmptyLaunch);
    }
    let mut some = options.only_blocks.iter().flatten();
    if let Some(&wrong) = some.find(|&&block| u64::from(block) >= launch.blocks()) {
        return Err(RunError::NoSuchBlock(wrong));
    }
    if options.only_threads.is_some() && threads_wait(function) {
        return Err(RunError::ThreadsWait);
    }
    match launch.threads() {
        threads if threads > u64::from(COPY) => Err(RunError::TooManyThreads(threads)),
        _ => Ok(()),
    }
}

/// Is there a place where a thread waits for others, or does something with them? A
/// function that is called may hold one.
fn threads_wait(function: &Function) -> bool {
    function.insts_in_order().any(|inst| function.insts[inst].involves_other_threads())
}

/// Every key must name something.
pub(crate) fn check_inputs(module: &Module, kernel: Func, inputs: &Inputs) -> Result<(), RunError> {
    let params = &module.functions[kernel].params;
    let is_scalar = |key: &&Key| match key {
        Key::Name(name) => params.iter().any(|p| p.name == *name),
        Key::Index(index) => {
            matches!(params.get(*index).map(|p| p.kind), Some(ParamKind::Scalar(_)))
        }
    };
    let is_array = |key: &&Key| match key {
        Key::Name(name) => {
            module.arrays.values().any(|data| data.name == *name)
                || params.iter().any(|p| p.name == *name)
        }
        Key::Index(index) => {
            matches!(params.get(*index).map(|p| p.kind), Some(ParamKind::Array(_)))
        }
    };
    let wrong = inputs
        .scalars
        .keys()
        .find(|key| !is_scalar(key))
        .or_else(|| inputs.arrays.keys().find(|key| !is_array(key)));
    match wrong {
        Some(Key::Name(name)) => Err(RunError::UnknownInput(name.clone())),
        Some(Key::Index(index)) => Err(RunError::UnknownInput(format!("parameter {index}"))),
        None => Ok(()),
    }
}

/// What is given for an array: under its name, or as a parameter.
fn array_input<'i>(
    module: &Module,
    kernel: Func,
    array: Array,
    inputs: &'i Inputs,
) -> &'i ArrayInput {
    let by_name = inputs.arrays.get(&Key::Name(module.arrays[array].name.clone()));
    let params = module.functions[kernel].params.iter().enumerate();
    let as_param = || {
        params.filter(|(_, param)| param.kind == ParamKind::Array(array)).find_map(
            |(index, param)| {
                let named = inputs.arrays.get(&Key::Name(param.name.clone()));
                named.or_else(|| inputs.arrays.get(&Key::Index(index)))
            },
        )
    };
    by_name.or_else(as_param).unwrap_or(&inputs.other_arrays)
}

pub(crate) fn array_size(
    module: &Module,
    kernel: Func,
    array: Array,
    launch: &Launch,
    inputs: &Inputs,
) -> Option<u64> {
    let data = &module.arrays[array];
    let input = array_input(module, kernel, array, inputs);
    let dynamic = (data.origin == ArrayOrigin::DynamicShared).then_some(launch.dynamic_shared);
    // The length for arrays that are not named is meant for parameters.
    let explicit = !std::ptr::eq(input, &inputs.other_arrays);
    let given = if explicit { input.bytes } else { None };
    let of_bytes = match &input.fill {
        Fill::Bytes(bytes) if explicit => Some(bytes.len() as u64),
        Fill::Zero
        | Fill::Ones
        | Fill::Byte(_)
        | Fill::Random(_)
        | Fill::Iota
        | Fill::Small(_)
        | Fill::Cells(_)
        | Fill::Bytes(_)
        | Fill::Unknown => None,
    };
    given
        .or(dynamic.flatten())
        .or(data.size)
        .or(of_bytes)
        .or(data.init.as_ref().map(|init| init.len() as u64))
        .or(if data.origin == ArrayOrigin::Param { inputs.other_arrays.bytes } else { None })
}

pub(crate) fn check_memory(
    program: &Program,
    sizes: &[Option<u64>],
    limit: u64,
) -> Result<(), RunError> {
    let size = |array: &Array| sizes[array.index()].unwrap_or(0);
    let all = program.globals.iter().chain(&program.shareds);
    let needed = all.map(size).fold(0u64, u64::saturating_add);
    if needed > limit { Err(RunError::Memory { needed, limit }) } else { Ok(()) }
}

pub(crate) fn make_globals(
    module: &Module,
    kernel: Func,
    program: &Program,
    inputs: &Inputs,
    options: &RunOptions,
    sizes: &[Option<u64>],
    budget: &mut Budget,
) -> Vec<Instance> {
    let make = |&array: &Array| {
        let data = &module.arrays[array];
        let fill = match (&array_input(module, kernel, array, inputs).fill, &data.init) {
            (Fill::Unknown, Some(init)) => Fill::Bytes(init.clone()),
            (Fill::Unknown, None) => data.filled_at_launch().map_or(Fill::Unknown, Fill::Byte),
            (fill, _) => fill.clone(),
        };
        let seed = hash(&[options.seed, u64::from(array.as_u32())]);
        let source = Source { fill, granule: data.granule, seed };
        let region = Region::new(sizes[array.index()], module.pointer_width, false, source, budget);
        Instance { region, shadow: make_shadow(program, options, array, data.granule) }
    };
    program.globals.iter().map(make).collect()
}

/// A race log, for arrays that are written and runs that look for races.
pub(crate) fn make_shadow(
    program: &Program,
    options: &RunOptions,
    array: Array,
    granule: u32,
) -> Option<Shadow> {
    let info = &program.arrays[array.index()];
    (info.written && options.races).then(|| Shadow::new(fenced(info), granule))
}

/// The kernel's first frame.
pub(crate) fn kernel_template(
    module: &Module,
    kernel: Func,
    program: &Program,
    inputs: &Inputs,
) -> Result<Vec<u64>, RunError> {
    let code = &program.codes[kernel.index()];
    let function = &module.functions[kernel];
    let mut template = code.template.clone();
    for &(number, arg) in &code.scalars {
        let param = &function.params[number];
        let given = inputs.scalars.get(&Key::Name(param.name.clone()));
        let given = given.or_else(|| inputs.scalars.get(&Key::Index(number)));
        let bits = given.copied().or(inputs.other_scalars);
        let bits = bits.ok_or_else(|| RunError::MissingScalar(param.name.clone()))?;
        let ParamKind::Scalar(value) = param.kind else { continue };
        let width = function.type_of(value).bits().unwrap_or(64) as u8;
        arg.write(&mut template, bits & crate::values::eval::mask(width));
    }
    Ok(template)
}
