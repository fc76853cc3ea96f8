//! Contracts bound to a kernel: what each captured name is in the kernel IR.

use std::collections::BTreeMap;

use duet_ir::{
    AnnotationKind, Array, Captured, Const, Dim, Func, Function, Geometry, GeometryKind, Inst,
    InstData, Module, ScalarType, Value, ValueDef,
};
use duet_spec::{
    Clause, ClauseKind, Contract, Expr, Logic, Place, SpecError, SpecText, check_types,
    contract_around,
};

/// What a name of a contract is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A scalar argument.
    Argument(Value, ScalarType),
    /// A number.
    Constant(u128, ScalarType),
    /// A size of the launch.
    Size(Geometry),
    /// Threads of the launch along a dimension.
    Along(Dim),
    /// An id of a thread or block, which only `writer` speaks of.
    Id(Geometry),
    /// The id of a thread in the launch along a dimension, as OpenCL counts it.
    GlobalId(Dim),
    /// An array; contracts count its elements from its first byte.
    Array(Array, ScalarType),
}

/// The contract of a kernel.
#[derive(Clone, Debug)]
pub struct Bound<'s> {
    /// The kernel.
    pub kernel: Func,
    /// Its text in the file.
    pub spec: &'s SpecText,
    /// What its names are.
    pub names: BTreeMap<String, Named>,
    /// What it says at loops.
    pub loops: Vec<AtLoop<'s>>,
}

/// What a contract says at a loop.
#[derive(Clone, Debug)]
pub struct AtLoop<'s> {
    /// Its text in the file.
    pub spec: &'s SpecText,
    /// An annotation at the top of the loop's body; none if the body is there several times,
    /// as in a function that is called more than once.
    pub mark: Option<Inst>,
    /// What its names are.
    pub names: BTreeMap<String, NamedAtLoop>,
}

/// What a name of a loop's contract is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedAtLoop {
    /// The same as in the contract of the kernel.
    Known(Named),
    /// A variable of the code.
    Local(Value, ScalarType),
}

/// What is wrong with the contract of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct BadContract {
    /// The number of its contract in the file.
    pub spec: usize,
    /// What is wrong; the span is in the contract's text.
    pub error: SpecError,
}

impl<'s> Bound<'s> {
    /// The contract of a kernel, if it has one.
    ///
    /// # Errors
    /// What is wrong with its contracts, those at loops included.
    pub fn new(
        module: &Module,
        kernel: Func,
        specs: &'s [SpecText],
    ) -> Result<Option<Bound<'s>>, Vec<BadContract>> {
        let func = &module.functions[kernel];
        let Captures { names: captured, marks } = captured(func);
        let mut errors = vec![];
        for (&number, names) in &captured {
            if let Some(spec) = specs.get(number) {
                let number_of = |name: &str| spec.captures.iter().position(|one| one.name == name);
                let types = |name: &str| names.get(&number_of(name)?).map(|one| one.0);
                let around = contract_around(specs, number).filter(|_| spec.place == Place::Loop);
                let found = check_types(&spec.contract, spec.place, around, &types);
                errors.extend(found.into_iter().map(|error| BadContract { spec: number, error }));
            }
        }
        let own = captured
            .keys()
            .copied()
            .filter(|&number| specs.get(number).is_some_and(|spec| spec.place == Place::Kernel));
        let own: Vec<usize> = own.collect();
        if let [_, second, ..] = own[..] {
            let error = SpecError::new(Default::default(), "a kernel has one contract");
            errors.push(BadContract { spec: second, error });
        }
        let Some(&number) = own.first() else {
            return if errors.is_empty() { Ok(None) } else { Err(errors) };
        };
        let spec = &specs[number];
        let mut names = BTreeMap::new();
        for (index, capture) in spec.captures.iter().enumerate() {
            let Some((ty, values)) = captured[&number].get(&index) else { continue };
            let is_id = |named: &Named| matches!(named, Named::Id(_) | Named::GlobalId(_));
            let own = named(func, &capture.name, *ty, values);
            match own.filter(|own| !is_id(own) || only_in_writers(&spec.contract, &capture.name)) {
                Some(named) => {
                    names.insert(capture.name.clone(), named);
                }
                None => {
                    let name = &capture.name;
                    let message = format!(
                        "`{name}` is no argument, array, size of the launch or number here"
                    );
                    let error = SpecError::new(capture.span, message);
                    errors.push(BadContract { spec: number, error });
                }
            }
        }
        let mut loops = vec![];
        for (&at, captured) in captured.iter().filter(|(other, _)| **other != number) {
            let Some(spec) = specs.get(at) else { continue };
            // Ghosts and functions of a kernel's contract are known at its loops in one file only.
            if spec.is_beside != specs[number].is_beside {
                let message = "the contract of this kernel is in another file";
                let error = SpecError::new(Default::default(), message);
                errors.push(BadContract { spec: at, error });
                continue;
            }
            let mark = match marks.get(&at).map(Vec::as_slice) {
                Some(&[mark]) => Some(mark),
                Some(_) | None => None,
            };
            match names_at_loop(func, spec, captured) {
                Ok(names) => loops.push(AtLoop { spec, mark, names }),
                Err(found) => {
                    errors.extend(found.into_iter().map(|error| BadContract { spec: at, error }))
                }
            }
        }
        match errors.is_empty() {
            true => Ok(Some(Bound { kernel, spec, names, loops })),
            false => Err(errors),
        }
    }

    /// The clauses.
    pub fn contract(&self) -> &'s Contract {
        &self.spec.contract
    }

    /// The preconditions.
    pub fn requires(&self) -> impl Iterator<Item = &'s Expr> {
        self.contract().clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Requires(pred) => Some(pred),
            ClauseKind::Ensures(_)
            | ClauseKind::Assigns(_)
            | ClauseKind::Ghost(..)
            | ClauseKind::Logic(_)
            | ClauseKind::Writer(..)
            | ClauseKind::LoopInvariant(_) => None,
        })
    }

    /// The postconditions, with their clauses.
    pub fn ensures(&self) -> impl Iterator<Item = (&'s Clause, &'s Expr)> {
        self.contract().clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Ensures(pred) => Some((clause, pred)),
            ClauseKind::Requires(_)
            | ClauseKind::Assigns(_)
            | ClauseKind::Ghost(..)
            | ClauseKind::Logic(_)
            | ClauseKind::Writer(..)
            | ClauseKind::LoopInvariant(_) => None,
        })
    }

    /// The functions.
    pub fn logic(&self) -> BTreeMap<&'s str, &'s Logic> {
        let logic = self.contract().clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Logic(logic) => Some((logic.name.as_str(), logic)),
            ClauseKind::Requires(_)
            | ClauseKind::Ensures(_)
            | ClauseKind::Assigns(_)
            | ClauseKind::Ghost(..)
            | ClauseKind::Writer(..)
            | ClauseKind::LoopInvariant(_) => None,
        });
        logic.collect()
    }

    /// The ghost variables, with their types.
    pub fn ghosts(&self) -> Vec<(&'s str, ScalarType)> {
        let ghosts = self.contract().clauses.iter().flat_map(|clause| match &clause.kind {
            ClauseKind::Ghost(names, ty) => names.iter().map(|one| (one.as_str(), *ty)).collect(),
            ClauseKind::Requires(_)
            | ClauseKind::Ensures(_)
            | ClauseKind::Assigns(_)
            | ClauseKind::Logic(_)
            | ClauseKind::Writer(..)
            | ClauseKind::LoopInvariant(_) => vec![],
        });
        ghosts.collect()
    }
}

/// What a contract captured, by the number of the name.
type CapturedNames = BTreeMap<usize, (Captured, Vec<Value>)>;

/// Does only `writer` speak of the name?
fn only_in_writers(contract: &Contract, name: &str) -> bool {
    !contract.clauses.iter().any(|clause| match &clause.kind {
        ClauseKind::Requires(pred)
        | ClauseKind::Ensures(pred)
        | ClauseKind::LoopInvariant(pred) => pred.mentions(name),
        ClauseKind::Assigns(cells) => cells
            .iter()
            .any(|cell| cell.from.mentions(name) || cell.to.iter().any(|to| to.mentions(name))),
        ClauseKind::Logic(logic) => logic.body.mentions(name),
        ClauseKind::Ghost(..) | ClauseKind::Writer(..) => false,
    })
}

/// What each contract captured, and the marks of each.
#[derive(Default)]
struct Captures {
    names: BTreeMap<usize, CapturedNames>,
    marks: BTreeMap<usize, Vec<Inst>>,
}

/// The number of no name.
const MARK: usize = u32::MAX as usize;

/// What the names of a loop's contract are.
fn names_at_loop(
    func: &Function,
    spec: &SpecText,
    captured: &CapturedNames,
) -> Result<BTreeMap<String, NamedAtLoop>, Vec<SpecError>> {
    let (mut names, mut errors) = (BTreeMap::new(), vec![]);
    for (index, capture) in spec.captures.iter().enumerate() {
        let Some((ty, values)) = captured.get(&index) else { continue };
        // An id is a variable of the thread here.
        let is_id = |named: &Named| matches!(named, Named::Id(_) | Named::GlobalId(_));
        let known = named(func, &capture.name, *ty, values).filter(|named| !is_id(named));
        let known = known.map(NamedAtLoop::Known);
        let local = || match (ty, &values[..]) {
            (Captured::Scalar(ty), &[value]) => Some(NamedAtLoop::Local(value, *ty)),
            _ => None,
        };
        match known.or_else(local) {
            Some(named) => {
                names.insert(capture.name.clone(), named);
            }
            None => {
                let message =
                    format!("`{}` does not point at the start of one array", capture.name);
                errors.push(SpecError::new(capture.span, message));
            }
        }
    }
    if errors.is_empty() { Ok(names) } else { Err(errors) }
}

fn captured(func: &Function) -> Captures {
    let mut all = Captures::default();
    for inst in func.insts_in_order() {
        let InstData::Annotation { kind: AnnotationKind::Captured, args } = &func.insts[inst]
        else {
            continue;
        };
        let number = |at: usize| func.const_bits(args[at]).and_then(|n| usize::try_from(n).ok());
        let (Some(spec), Some(index), Some(code)) = (number(0), number(1), number(2)) else {
            continue;
        };
        if index == MARK {
            all.marks.entry(spec).or_default().push(inst);
        }
        let names = all.names.entry(spec).or_default();
        // The mark of a contract that captures nothing has the number -1.
        if let Some(ty) = Captured::from_code(code as u128).filter(|_| index < MARK) {
            names.insert(index, (ty, args[3..].to_vec()));
        }
    }
    all
}

fn named(func: &Function, name: &str, ty: Captured, values: &[Value]) -> Option<Named> {
    if let Some(size) = opencl_size(name) {
        return size;
    }
    match (ty, values) {
        (Captured::Scalar(ty), [value]) => scalar(func, *value, ty),
        (Captured::Pointer(ty), [reference, offset]) => {
            match (func.const_of(*reference)?, func.const_bits(*offset)?) {
                (Const::Array(array), 0) => Some(Named::Array(array, ty)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn scalar(func: &Function, value: Value, ty: ScalarType) -> Option<Named> {
    match func.values[value] {
        ValueDef::FunctionParam(_) => Some(Named::Argument(value, ty)),
        ValueDef::Const(Const::Bits(bits)) => Some(Named::Constant(bits, ty)),
        ValueDef::Const(_) | ValueDef::BlockParam(..) => None,
        ValueDef::Result(inst, _) => match func.insts[inst] {
            InstData::Geometry(geometry) => match geometry.kind {
                GeometryKind::BlockDim | GeometryKind::GridDim => Some(Named::Size(geometry)),
                GeometryKind::ThreadId | GeometryKind::BlockId => Some(Named::Id(geometry)),
                GeometryKind::GlobalOffset | GeometryKind::WorkDim => None,
            },
            InstData::Binary { .. }
            | InstData::Unary { .. }
            | InstData::Cast { .. }
            | InstData::IntCompare { .. }
            | InstData::FloatCompare { .. }
            | InstData::Select { .. }
            | InstData::Pure { .. }
            | InstData::Fresh { .. }
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
            | InstData::Annotation { .. }
            | InstData::Ghost { .. }
            | InstData::Call { .. }
            | InstData::CallUnknown { .. } => None,
        },
    }
}

/// OpenCL's sizes are known by their names; `Some(None)` is a size that contracts lack.
fn opencl_size(name: &str) -> Option<Option<Named>> {
    let (function, rest) = name.split_once('(')?;
    let dim = match rest {
        "0)" => Dim::X,
        "1)" => Dim::Y,
        "2)" => Dim::Z,
        _ => return Some(None),
    };
    let size = |kind| Some(Named::Size(Geometry { kind, dim }));
    Some(match function {
        "get_local_size" => size(GeometryKind::BlockDim),
        "get_num_groups" => size(GeometryKind::GridDim),
        "get_global_size" => Some(Named::Along(dim)),
        "get_global_offset" => size(GeometryKind::GlobalOffset),
        "get_local_id" => Some(Named::Id(Geometry { kind: GeometryKind::ThreadId, dim })),
        "get_group_id" => Some(Named::Id(Geometry { kind: GeometryKind::BlockId, dim })),
        "get_global_id" => Some(Named::GlobalId(dim)),
        _ => None,
    })
}

impl Named {
    /// What it is, in a few words.
    pub fn describe(self) -> String {
        match self {
            Named::Argument(_, ty) => format!("{} argument", ty.name()),
            Named::Constant(bits, ty) => format!("{} number of bits {bits:#x}", ty.name()),
            Named::Size(size) => format!("{} along {}", size.kind.name(), size.dim),
            Named::Along(dim) => format!("threads along {dim}"),
            Named::Id(id) => format!("{} along {}", id.kind.name(), id.dim),
            Named::GlobalId(dim) => format!("id of a thread along {dim}"),
            Named::Array(_, ty) => format!("array of {}", ty.name()),
        }
    }
}
