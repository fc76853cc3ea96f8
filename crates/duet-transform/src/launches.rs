//! A kernel as one launch of the host program runs it: a copy whose arguments are computed
//! from what the host knows, with what it knows as preconditions.
//!
//! The copy has a scalar parameter for each unknown of the host instead of the kernel's own
//! scalar parameters, which become values computed at its start. Pointer parameters that
//! the host makes from one allocation become one array: accesses through the others go to
//! the first one's array, at an offset moved by the distance of the two.
//!
//! A run of the kernel that the host starts gives the unknowns values; the run of the copy
//! with these as arguments executes the same accesses, in the same order, at the same
//! places of memory: sizes and arguments have the same values, and two pointers into one
//! allocation reach the same bytes there as here. Every run that the host can start meets
//! the preconditions, since these are facts about it. So a proof of the copy is a proof of
//! the kernel for that launch, and for no others.
//!
//! SOUNDNESS: the distance is added at every access, and the array is only exchanged if no
//! instruction uses the pointer in another way (kernels/programs/overlap-bug.cu).

use std::collections::BTreeMap;

use duet_ir::{
    AnnotationKind, Array, AssertKind, Block, Const, File, FileData, Found, Func, Function,
    FunctionBuilder, InstData, IntCc, Loc, LocData, Module, Param, ParamKind, Type, Value,
    ValueDef, WellFormed,
};

/// What a launch makes of a kernel's parameters, as values of the copy.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    /// The values of scalar parameters, by position among them; what is not known stays a
    /// parameter.
    pub scalars: Vec<Option<Value>>,
    /// Conditions that hold at every launch.
    pub conditions: Vec<Value>,
    /// Conditions that hold as well, and are of use for bounds only.
    pub limits: Vec<Value>,
    /// For pointer parameters by position among them: the position of an earlier one that
    /// points into the same allocation, and the distance from that one in bytes.
    pub shared: Vec<Option<(usize, Value)>>,
    /// The bytes from where each pointer parameter points to the allocation's end, by
    /// position, and the bytes before it.
    pub bytes: Vec<Option<Extent>>,
}

/// How far an allocation reaches around a pointer, in bytes, of pointer width.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Bytes of the allocation.
    pub size: Value,
    /// Bytes from its start to the pointer.
    pub offset: Value,
}

/// What the copy is called, and what it is made of.
pub struct LaunchCopy<'a> {
    /// The kernel.
    pub kernel: Func,
    /// The name of the copy, unique in the module.
    pub name: String,
    /// The name of the copy without statements about bounds, unique too.
    pub plain_name: String,
    /// What makes its symbol and its arrays' names unique.
    pub tag: String,
    /// The unknowns of the host: names and types.
    pub unknowns: &'a [(String, Type)],
    /// The granule of each pointer parameter's array, by position, where it is not the
    /// kernel's own.
    pub granules: Vec<Option<u32>>,
    /// What the launch finds behind each pointer parameter, by position.
    pub found: Vec<Found>,
    /// Variables and what they hold at this launch, all of their bytes.
    pub tables: Vec<(Array, Vec<u8>)>,
    /// Where the launch is.
    pub loc: Option<Loc>,
}

/// May accesses through this pointer parameter be moved to another array: is the pointer
/// used in no other way?
pub fn can_be_moved(func: &Function, array: Array) -> bool {
    func.uses_only_in_accesses(array)
}

/// The copies of a kernel for a launch. They have the same arrays and, as far as both have
/// them, the same instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Copies {
    /// Without statements about bounds.
    pub plain: Func,
    /// With the statement before each access to an allocation whose size is known that it
    /// stays inside; the plain one if there is none.
    pub bounded: Func,
}

/// Adds copies of the kernel for a launch to the module. `build` computes what the host says
/// from the values of the unknowns, at the start of the copy.
pub fn add_launch(
    module: &mut WellFormed,
    copy: &LaunchCopy<'_>,
    build: impl FnOnce(&mut FunctionBuilder<'_>, &[Value]) -> Bound,
) -> Copies {
    let mut made = None;
    module.rewrite_in_place(|module| made = Some(add_copy(module, copy, build)));
    made.expect("the rewrite has run")
}

fn add_copy(
    module: &mut Module,
    copy: &LaunchCopy<'_>,
    build: impl FnOnce(&mut FunctionBuilder<'_>, &[Value]) -> Bound,
) -> Copies {
    let mut func = module.functions[copy.kernel].clone();
    func.name = copy.name.clone();
    func.symbol = format!("{}@{}", func.symbol, copy.tag);
    own_arrays(module, &mut func, copy);
    let scalars: Vec<Value> = func.scalar_params().map(|param| param.value).collect();
    let arrays: Vec<Array> = func.array_params().map(|param| param.array).collect();
    let unknowns: Vec<Value> = copy
        .unknowns
        .iter()
        .map(|(name, ty)| {
            let number = func.params.len() as u32;
            let value = func.make_value(ValueDef::FunctionParam(number), *ty);
            func.names[value] = Some(name.clone());
            func.params.push(Param { name: name.clone(), kind: ParamKind::Scalar(value) });
            value
        })
        .collect();
    let entry = func.entry();
    let old = func.blocks[entry].insts.len();
    let mut builder = FunctionBuilder::new(module, func);
    builder.set_loc(copy.loc);
    builder.switch_to(entry);
    let bound = build(&mut builder, &unknowns);
    for &condition in &bound.conditions {
        let kind = AnnotationKind::Requires;
        builder.inst(InstData::Annotation { kind, args: vec![condition] });
    }
    let mut func = builder.finish();
    func.blocks[entry].insts.rotate_left(old);
    let new = func.blocks[entry].insts.len() - old;
    replace_scalars(&mut func, &scalars, &bound.scalars, (entry, new));
    let mut func = move_accesses(module, func, &arrays, &bound, (entry, new));
    drop_params(&mut func, &scalars, &arrays, &bound);
    let bounded = assert_bounds(module, func.clone(), &arrays, &bound, (entry, new));
    let Some(bounded) = bounded else {
        let plain = module.functions.push(func);
        return Copies { plain, bounded: plain };
    };
    func.name = copy.plain_name.clone();
    func.symbol.push_str("@plain");
    Copies { plain: module.functions.push(func), bounded: module.functions.push(bounded) }
}

/// Gives the copy arrays of its own for its pointer parameters, and for the tables whose
/// contents are known: at another launch they may hold something else.
fn own_arrays(module: &mut Module, func: &mut Function, copy: &LaunchCopy<'_>) {
    let mut new: BTreeMap<Array, Array> = BTreeMap::new();
    let params: Vec<Array> = func.array_params().map(|param| param.array).collect();
    for (number, array) in params.into_iter().enumerate() {
        let mut data = module.arrays[array].clone();
        data.name = format!("{}@{}", data.name, copy.tag);
        if let Some(Some(granule)) = copy.granules.get(number) {
            data.granule = data.granule.min(*granule);
        }
        data.found = copy.found.get(number).copied().unwrap_or_default();
        new.insert(array, module.arrays.push(data));
    }
    for (array, contents) in &copy.tables {
        let mut data = module.arrays[*array].clone();
        data.name = format!("{}@{}", data.name, copy.tag);
        data.init = Some(contents.clone());
        new.insert(*array, module.arrays.push(data));
    }
    func.exchange_arrays(&new);
}

/// Puts values in the place of scalar parameters, behind the first instructions of the
/// entry, which compute them.
fn replace_scalars(
    func: &mut Function,
    scalars: &[Value],
    values: &[Option<Value>],
    (entry, new): (Block, usize),
) {
    let by_param: BTreeMap<Value, Value> = scalars
        .iter()
        .zip(values)
        .filter_map(|(&param, value)| value.map(|value| (param, value)))
        .collect();
    for (&param, &value) in &by_param {
        if func.names[value].is_none() && func.const_of(value).is_none() {
            func.names[value] = func.names[param].clone();
        }
    }
    let replace = |value: &mut Value| {
        if let Some(&new) = by_param.get(value) {
            *value = new;
        }
    };
    for &block in &func.layout {
        let skip = if block == entry { new } else { 0 };
        for &inst in &func.blocks[block].insts[skip..] {
            func.insts[inst].visit_values_mut(replace);
        }
        func.blocks[block].terminator.visit_values_mut(replace);
    }
}

/// States before each access that it stays in its allocation, where that is known; `None`
/// if it is known of none.
fn assert_bounds(
    module: &mut Module,
    func: Function,
    arrays: &[Array],
    bound: &Bound,
    (entry, new): (Block, usize),
) -> Option<Function> {
    // Accesses through pointers that share memory have been moved to the first one's.
    let extents: BTreeMap<Array, Extent> = arrays
        .iter()
        .zip(bound.bytes.iter().zip(&bound.shared))
        .filter_map(|(&array, (extent, shared))| {
            extent.filter(|_| shared.is_none()).map(|extent| (array, extent))
        })
        .collect();
    if extents.is_empty() {
        return None;
    }
    let layout = func.layout.clone();
    let mut builder = FunctionBuilder::new(module, func);
    for block in layout {
        let old = std::mem::take(&mut builder.func.blocks[block].insts);
        let skip = if block == entry { new } else { 0 };
        builder.switch_to(block);
        for (number, inst) in old.into_iter().enumerate() {
            if block == entry && number == new {
                for &limit in &bound.limits {
                    let kind = AnnotationKind::Requires;
                    builder.inst(InstData::Annotation { kind, args: vec![limit] });
                }
            }
            if number >= skip
                && let Some((access, bytes)) = plain_access(&builder.func, inst)
                && let Some(extent) = extents.get(&access.0)
            {
                builder.set_loc(builder.func.inst_locs[inst]);
                let cond = is_inside(&mut builder, access.1, bytes, *extent);
                let kind = AssertKind::Bounds;
                builder.inst(InstData::Assert { kind, cond });
            }
            builder.func.blocks[block].insts.push(inst);
        }
    }
    Some(builder.finish())
}

/// The array, offset and bytes of a load, store or atomic operation.
fn plain_access(func: &Function, inst: duet_ir::Inst) -> Option<((Array, Value), u64)> {
    let bytes = |ty: Type, count: usize| ty.bytes().map(|one| u64::from(one) * count as u64);
    let (access, bytes) = match &func.insts[inst] {
        InstData::Load { access, ty, lanes } => (access, bytes(*ty, *lanes as usize)?),
        InstData::Store { access, values } => {
            (access, bytes(func.type_of(values[0]), values.len())?)
        }
        InstData::Atomic { access, ty, .. } => (access, bytes(*ty, 1)?),
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Fresh { .. }
        | InstData::Geometry(_)
        | InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => return None,
    };
    (!access.ghost).then_some(((access.array, access.offset), bytes))
}

/// `bytes <= size && offset <= size - bytes`, unsigned: an offset before the start is a
/// huge one.
fn is_inside(builder: &mut FunctionBuilder<'_>, at: Value, bytes: u64, extent: Extent) -> Value {
    let at = builder.add(extent.offset, at);
    let bytes = builder.offset(bytes);
    let fits = builder.compare(IntCc::Ule, bytes, extent.size);
    let last = builder.binary(duet_ir::BinaryOp::Sub, extent.size, bytes);
    let inside = builder.compare(IntCc::Ule, at, last);
    builder.binary(duet_ir::BinaryOp::And, fits, inside)
}

/// Moves the accesses of pointers that share an allocation to one array.
fn move_accesses(
    module: &mut Module,
    func: Function,
    arrays: &[Array],
    bound: &Bound,
    (entry, new): (Block, usize),
) -> Function {
    let moved: BTreeMap<Array, (Array, Value)> = arrays
        .iter()
        .zip(&bound.shared)
        .filter_map(|(&array, shared)| shared.map(|(to, by)| (array, (arrays[to], by))))
        .collect();
    if moved.is_empty() {
        return func;
    }
    let layout = func.layout.clone();
    let mut builder = FunctionBuilder::new(module, func);
    for block in layout {
        let old = std::mem::take(&mut builder.func.blocks[block].insts);
        let skip = if block == entry { new } else { 0 };
        builder.switch_to(block);
        for (number, inst) in old.into_iter().enumerate() {
            if number >= skip {
                builder.set_loc(builder.func.inst_locs[inst]);
                let mut data = builder.func.insts[inst].clone();
                for access in data.accesses_mut() {
                    if let Some(&(array, by)) = moved.get(&access.array) {
                        access.array = array;
                        access.offset = builder.add(access.offset, by);
                    }
                }
                builder.func.insts[inst] = data;
            }
            builder.func.blocks[block].insts.push(inst);
        }
    }
    builder.finish()
}

/// Removes the parameters that nothing brings any more, and numbers the rest.
fn drop_params(func: &mut Function, scalars: &[Value], arrays: &[Array], bound: &Bound) {
    let gone_scalars = scalars.iter().zip(&bound.scalars).filter(|(_, value)| value.is_some());
    let gone_scalars: Vec<Value> = gone_scalars.map(|(&param, _)| param).collect();
    let gone_arrays = arrays.iter().zip(&bound.shared).filter(|(_, shared)| shared.is_some());
    let gone_arrays: Vec<Array> = gone_arrays.map(|(&array, _)| array).collect();
    func.params.retain(|param| match param.kind {
        ParamKind::Scalar(value) => !gone_scalars.contains(&value),
        ParamKind::Array(array) => !gone_arrays.contains(&array),
        ParamKind::Pointer(..) => true,
    });
    for (number, param) in func.params.iter().enumerate() {
        if let ParamKind::Scalar(value) = param.kind {
            func.values[value] = ValueDef::FunctionParam(number as u32);
        }
    }
    for value in gone_scalars {
        // Nothing uses it; a value must be defined by something.
        let ty = func.types[value];
        func.values[value] = ValueDef::Const(Const::Bits(0));
        debug_assert!(ty != Type::Ref);
    }
}

/// Adds a place of the host program to the module's locations. No instruction refers to it
/// yet, so nothing else changes.
pub fn add_location(
    module: &mut WellFormed,
    file: FileData,
    data: impl FnOnce(File) -> LocData,
) -> Loc {
    let mut made = None;
    module.rewrite_in_place(|module| {
        let known = module.files.iter().find(|(_, other)| **other == file).map(|(id, _)| id);
        let file = known.unwrap_or_else(|| module.files.push(file));
        made = Some(module.locs.push(data(file)));
    });
    made.expect("the rewrite has run")
}
