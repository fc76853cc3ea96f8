//! Functions: blocks, values, constants, and the side tables of source facts.

use std::collections::{BTreeSet, HashMap};

use cranelift_entity::{PrimaryMap, SecondaryMap};

use crate::{Array, Block, Edge, Geometry, Inst, InstData, Loc, Module, Terminator, Type, Value};

/// A kernel or a device function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Name in the source, as a user would write it (`scan<int, 256>`).
    pub name: String,
    /// Name in the object file.
    pub symbol: String,
    /// Kernel or device function.
    pub kind: FunctionKind,
    /// Parameters in source order; a struct passed by value is one per leaf.
    pub params: Vec<Param>,
    /// Types of the results. Empty for kernels.
    pub results: Vec<Type>,
    /// Where the function is defined.
    pub loc: Option<Loc>,
    /// All blocks ever made; `layout` says which are part of the function.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// The blocks of the function, entry first.
    pub layout: Vec<Block>,
    /// All instructions ever made.
    pub insts: PrimaryMap<Inst, InstData>,
    /// The results of each instruction.
    pub results_of: SecondaryMap<Inst, Vec<Value>>,
    /// All values.
    pub values: PrimaryMap<Value, ValueDef>,
    /// Type of each value.
    pub types: PrimaryMap<Value, Type>,
    /// Source location of each instruction.
    pub inst_locs: SecondaryMap<Inst, Option<Loc>>,
    /// Unsigned arithmetic and truncations whose result the source puts into a signed
    /// variable right away: nothing but pure instructions lies between the two.
    pub into_signed: SecondaryMap<Inst, bool>,
    /// Ids and sizes that only flattened ranks read (the number of a thread in its block,
    /// a lane): the source does not speak of their dimensions.
    pub flattened: BTreeSet<Geometry>,
    /// Parameters, by position, that are unsigned numbers in the source.
    pub unsigned: BTreeSet<usize>,
    /// Source variable that a value belongs to.
    pub names: SecondaryMap<Value, Option<String>>,
    /// Constants, each kept once.
    consts: HashMap<(Const, Type), Value>,
}

/// What a function is, with what the source promises about its launches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// Launched on a grid.
    Kernel {
        /// `reqd_work_group_size`.
        required_block: Option<[u32; 3]>,
        /// `__launch_bounds__`: the most threads a block may have.
        max_threads: Option<u32>,
    },
    /// Called from kernels (only without inlining).
    Device,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Name in the source; `p.field` for a leaf of a struct.
    pub name: String,
    /// Scalar or array.
    pub kind: ParamKind,
}

/// What a parameter brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// A number, the same for all threads in a kernel.
    Scalar(Value),
    /// A pointer of a kernel: an array of its own.
    Array(Array),
    /// A pointer of a device function: reference and offset.
    Pointer(Value, Value),
}

/// A parameter that is a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScalarParam<'a> {
    /// Its position among all parameters.
    pub index: usize,
    /// Its name in the source.
    pub name: &'a str,
    /// Its value in the function.
    pub value: Value,
    /// Its type.
    pub ty: Type,
    /// Is it unsigned in the source?
    pub unsigned: bool,
}

/// A parameter that is an array of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArrayParam<'a> {
    /// Its position among all parameters.
    pub index: usize,
    /// Its name in the source.
    pub name: &'a str,
    /// The array.
    pub array: Array,
}

/// A block: parameters, instructions, and how it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockData {
    /// Values bound on entry by each incoming edge.
    pub params: Vec<Value>,
    /// In order.
    pub insts: Vec<Inst>,
    /// The end.
    pub terminator: Terminator,
    /// Location of the terminator.
    pub loc: Option<Loc>,
}

impl Default for BlockData {
    fn default() -> Self {
        BlockData { params: vec![], insts: vec![], terminator: Terminator::Halt, loc: None }
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// The `n`th result of an instruction.
    Result(Inst, u32),
    /// The `n`th parameter of a block.
    BlockParam(Block, u32),
    /// Part of the `n`th parameter of the function.
    FunctionParam(u32),
    /// A constant.
    Const(Const),
}

/// A constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Const {
    /// The bits of an integer or a float, upper bits zero.
    Bits(u128),
    /// A reference to an array.
    Array(Array),
    /// The null reference.
    Null,
}

impl Function {
    /// An empty function with no blocks.
    pub fn new(name: impl Into<String>, symbol: impl Into<String>, kind: FunctionKind) -> Function {
        Function {
            name: name.into(),
            symbol: symbol.into(),
            kind,
            params: vec![],
            results: vec![],
            loc: None,
            blocks: PrimaryMap::new(),
            layout: vec![],
            insts: PrimaryMap::new(),
            results_of: SecondaryMap::new(),
            values: PrimaryMap::new(),
            types: PrimaryMap::new(),
            inst_locs: SecondaryMap::new(),
            into_signed: SecondaryMap::new(),
            flattened: BTreeSet::new(),
            unsigned: BTreeSet::new(),
            names: SecondaryMap::new(),
            consts: HashMap::new(),
        }
    }

    /// Is this a kernel?
    pub fn is_kernel(&self) -> bool {
        matches!(self.kind, FunctionKind::Kernel { .. })
    }

    /// The first block.
    pub fn entry(&self) -> Block {
        self.layout[0]
    }

    /// Type of a value.
    pub fn type_of(&self, value: Value) -> Type {
        self.types[value]
    }

    /// The constant that a value is, if it is one.
    pub fn const_of(&self, value: Value) -> Option<Const> {
        match self.values[value] {
            ValueDef::Const(constant) => Some(constant),
            ValueDef::Result(..) | ValueDef::BlockParam(..) | ValueDef::FunctionParam(_) => None,
        }
    }

    /// The bits of a constant integer or float.
    pub fn const_bits(&self, value: Value) -> Option<u128> {
        match self.const_of(value)? {
            Const::Bits(bits) => Some(bits),
            Const::Array(_) | Const::Null => None,
        }
    }

    /// The first result of an instruction.
    ///
    /// # Panics
    /// If it has none.
    pub fn result(&self, inst: Inst) -> Value {
        self.results_of[inst][0]
    }

    /// A new value.
    pub fn make_value(&mut self, def: ValueDef, ty: Type) -> Value {
        let value = self.values.push(def);
        let same = self.types.push(ty);
        debug_assert_eq!(value, same);
        value
    }

    /// The value of a constant, made at first use.
    pub fn constant(&mut self, constant: Const, ty: Type) -> Value {
        if let Some(&value) = self.consts.get(&(constant, ty)) {
            return value;
        }
        let value = self.make_value(ValueDef::Const(constant), ty);
        self.consts.insert((constant, ty), value);
        value
    }

    /// The value of an integer constant, cut to the type's width.
    pub fn int_constant(&mut self, bits: u128, ty: Type) -> Value {
        let width = ty.bits().expect("an integer or float type");
        let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
        self.constant(Const::Bits(bits & mask), ty)
    }

    /// A new, empty block that is not yet in the layout.
    pub fn make_block(&mut self) -> Block {
        self.blocks.push(BlockData::default())
    }

    /// Adds a parameter to a block.
    pub fn add_block_param(&mut self, block: Block, ty: Type) -> Value {
        let index = self.blocks[block].params.len() as u32;
        let value = self.make_value(ValueDef::BlockParam(block, index), ty);
        self.blocks[block].params.push(value);
        value
    }

    /// Removes a parameter of a block; the caller drops the edges' arguments.
    pub fn remove_block_param(&mut self, block: Block, index: usize) {
        self.blocks[block].params.remove(index);
        for (number, &param) in self.blocks[block].params.iter().enumerate() {
            self.values[param] = ValueDef::BlockParam(block, number as u32);
        }
    }

    /// Gives arrays other ids, in accesses, constants and parameters.
    pub(crate) fn renumber_arrays(&mut self, new: &SecondaryMap<Array, Option<Array>>) {
        let renumber = |array: &mut Array| *array = new[*array].expect("a used array is kept");
        for inst in self.insts.values_mut() {
            inst.accesses_mut().into_iter().for_each(|access| {
                // Instructions that are in no block may mention arrays that went.
                if let Some(array) = new[access.array] {
                    access.array = array;
                }
            });
        }
        for param in &mut self.params {
            if let ParamKind::Array(array) = &mut param.kind {
                renumber(array);
            }
        }
        self.consts.clear();
        for (value, def) in self.values.iter_mut() {
            if let ValueDef::Const(constant) = def {
                if let Const::Array(array) = constant
                    && let Some(kept) = new[*array]
                {
                    *array = kept;
                }
                self.consts.insert((*constant, self.types[value]), value);
            }
        }
    }

    /// Puts other arrays in the place of some, in accesses, constants and parameters.
    pub fn exchange_arrays(&mut self, new: &std::collections::BTreeMap<Array, Array>) {
        let exchange = |array: &mut Array| *array = new.get(array).copied().unwrap_or(*array);
        for inst in self.insts.values_mut() {
            inst.accesses_mut().into_iter().for_each(|access| exchange(&mut access.array));
        }
        for param in &mut self.params {
            if let ParamKind::Array(array) = &mut param.kind {
                exchange(array);
            }
        }
        self.consts.clear();
        for (value, def) in self.values.iter_mut() {
            if let ValueDef::Const(constant) = def {
                if let Const::Array(array) = constant {
                    exchange(array);
                }
                self.consts.insert((*constant, self.types[value]), value);
            }
        }
    }

    /// What the function calls an array of its module: a parameter's own name, which
    /// other functions may use too, else the array's.
    pub fn array_name<'m>(&'m self, module: &'m Module, array: Array) -> &'m str {
        let own = self.params.iter().find(|param| param.kind == ParamKind::Array(array));
        own.map_or(&module.arrays[array].name, |param| &param.name)
    }

    /// Is the address of the array used for accesses of the function alone: is it no value
    /// that is computed with, stored or handed on?
    pub fn uses_only_in_accesses(&self, array: Array) -> bool {
        let uses = |value: Value| self.const_of(value) == Some(Const::Array(array));
        self.layout.iter().all(|&block| {
            let data = &self.blocks[block];
            let mut insts = data.insts.iter();
            insts.all(|&inst| !self.insts[inst].values().into_iter().any(uses))
                && !data.terminator.values().into_iter().any(uses)
        })
    }

    /// The arrays that instructions in blocks, edges and parameters mention.
    pub fn arrays_used(&self) -> std::collections::BTreeSet<Array> {
        let mut used = std::collections::BTreeSet::new();
        let note_value = |value: Value, used: &mut std::collections::BTreeSet<Array>| {
            if let Some(Const::Array(array)) = self.const_of(value) {
                used.insert(array);
            }
        };
        for &block in &self.layout {
            for &inst in &self.blocks[block].insts {
                used.extend(self.insts[inst].accesses().iter().map(|(_, access)| access.array));
                for value in self.insts[inst].values() {
                    note_value(value, &mut used);
                }
            }
            for value in self.blocks[block].terminator.values() {
                note_value(value, &mut used);
            }
        }
        for param in &self.params {
            if let ParamKind::Array(array) = param.kind {
                used.insert(array);
            }
        }
        used
    }

    /// Adds an instruction with results of these types; it is in no block yet.
    pub fn make_inst(&mut self, data: InstData, results: &[Type], loc: Option<Loc>) -> Inst {
        let inst = self.insts.push(data);
        let values = results
            .iter()
            .enumerate()
            .map(|(n, &ty)| self.make_value(ValueDef::Result(inst, n as u32), ty))
            .collect();
        self.results_of[inst] = values;
        self.inst_locs[inst] = loc;
        inst
    }

    /// The types of an instruction's results, which follow from its data.
    pub fn result_types(&self, module: &Module, data: &InstData) -> Vec<Type> {
        use InstData::*;
        let pointer = module.pointer_type();
        match data {
            Call { callee, .. } => module.functions[*callee].results.clone(),
            IntToPtr { .. } => vec![Type::Ref, pointer],
            PtrToInt { .. } => vec![pointer],
            Binary { args: [a, _], .. } | Unary { arg: a, .. } | Select { args: [a, _], .. } => {
                vec![self.type_of(*a)]
            }
            Cast { to: ty, .. }
            | Pure { ty, .. }
            | Fresh { ty, .. }
            | Exchange { ty, .. }
            | Ghost { ty, .. } => vec![*ty],
            IntCompare { .. } | FloatCompare { .. } => vec![Type::BOOL],
            Geometry(_) | BarrierReduce { .. } | AsyncCopy { .. } => vec![Type::I32],
            Load { ty, lanes, .. } => vec![*ty; *lanes as usize],
            Atomic { ty, .. } => vec![*ty],
            CallUnknown { results, .. } => results.clone(),
            Store { .. }
            | Barrier { .. }
            | Fence { .. }
            | WaitEvents { .. }
            | Assert { .. }
            | Annotation { .. } => vec![],
        }
    }

    /// The instructions of the function, in the order of the layout.
    pub fn insts_in_order(&self) -> impl Iterator<Item = Inst> + '_ {
        self.layout.iter().flat_map(|&block| self.blocks[block].insts.iter().copied())
    }

    /// The instructions of the function with their blocks, in the order of the layout.
    pub fn insts_with_blocks(&self) -> impl Iterator<Item = (Block, Inst)> + '_ {
        let insts = |block: Block| self.blocks[block].insts.iter();
        self.layout.iter().flat_map(move |&block| insts(block).map(move |&inst| (block, inst)))
    }

    /// The block that an instruction is in.
    pub fn block_of(&self, inst: Inst) -> Option<Block> {
        self.layout.iter().copied().find(|&block| self.blocks[block].insts.contains(&inst))
    }

    /// The parameters that are numbers.
    pub fn scalar_params(&self) -> impl Iterator<Item = ScalarParam<'_>> + '_ {
        self.params.iter().enumerate().filter_map(|(index, param)| match param.kind {
            ParamKind::Scalar(value) => {
                let ty = self.type_of(value);
                let unsigned = self.unsigned.contains(&index);
                Some(ScalarParam { index, name: &param.name, value, ty, unsigned })
            }
            ParamKind::Array(_) | ParamKind::Pointer(..) => None,
        })
    }

    /// The parameters that are arrays.
    pub fn array_params(&self) -> impl Iterator<Item = ArrayParam<'_>> + '_ {
        self.params.iter().enumerate().filter_map(|(index, param)| match param.kind {
            ParamKind::Array(array) => Some(ArrayParam { index, name: &param.name, array }),
            ParamKind::Scalar(_) | ParamKind::Pointer(..) => None,
        })
    }

    /// Does any instruction or terminator use the value?
    pub fn is_used(&self, value: Value) -> bool {
        self.layout.iter().map(|&block| &self.blocks[block]).any(|block| {
            let in_insts =
                block.insts.iter().any(|&inst| self.insts[inst].values().contains(&value));
            in_insts || block.terminator.values().contains(&value)
        })
    }

    /// Successors of a block, in edge order.
    pub fn successors(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        self.blocks[block].terminator.edges().into_iter().map(|edge: &Edge| edge.block)
    }

    /// Predecessors of every block, in layout order, one entry per edge.
    pub fn predecessors(&self) -> SecondaryMap<Block, Vec<Block>> {
        let mut map: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &block in &self.layout {
            for successor in self.successors(block) {
                map[successor].push(block);
            }
        }
        map
    }
}
