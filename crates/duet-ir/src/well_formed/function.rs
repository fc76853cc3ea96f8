//! Rules about the shape of a function: parameters, layout, definitions, edges
//! and dominance. What instructions want of their operands is in `inst`.

use std::collections::HashSet;

use cranelift_entity::SecondaryMap;

use super::dominance::Dominance;
use super::module::check_loc;
use super::{Errors, WellFormedRule};
use crate::{
    Array, Block, Const, Edge, Func, Function, FunctionKind, Inst, Module, ParamKind, Place,
    Terminator, Type, Value, ValueDef,
};

/// Checks one function.
pub fn check(module: &Module, id: Func, func: &Function, errors: &mut Errors) {
    let mut checker = FunctionChecker {
        module,
        id,
        func,
        errors,
        sites: SecondaryMap::new(),
        checked: HashSet::new(),
        at: Place::Function(id),
    };
    checker.header();
    // The rest reads blocks and instructions by the layout.
    if checker.layout() {
        checker.definitions();
        checker.blocks();
    }
}

/// Where a value is defined: parameters of the function come before all blocks,
/// those of a block at position 0, the `n`th instruction's results at `n` + 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Site {
    #[default]
    Nowhere,
    Function,
    Block(Block, usize),
}

/// The function under check.
pub struct FunctionChecker<'m> {
    pub module: &'m Module,
    pub func: &'m Function,
    id: Func,
    errors: &'m mut Errors,
    sites: SecondaryMap<Value, Site>,
    /// Constants that have been looked at.
    checked: HashSet<Value>,
    /// What is being looked at.
    at: Place,
}

impl FunctionChecker<'_> {
    /// Notes an error at the current place.
    pub fn error(&mut self, rule: WellFormedRule, message: impl Into<String>) {
        self.errors.push(self.at, rule, message);
    }

    /// A value as it prints.
    pub fn show(&self, value: Value) -> String {
        self.func.display_value(self.module, value).to_string()
    }

    pub fn type_of(&self, value: Value) -> Type {
        self.func.types[value]
    }

    /// Integers have 1 to 128 bits.
    fn check_type(&mut self, ty: Type) {
        if let Type::Int(width) = ty
            && !(1..=128).contains(&width)
        {
            self.error(
                WellFormedRule::TypeWidth,
                format!("integers have 1 to 128 bits, not {width}"),
            );
        }
    }

    fn header(&mut self) {
        let func = self.func;
        check_loc(self.module, self.at, func.loc, self.errors);
        if func.values.len() != func.types.len() {
            self.error(
                WellFormedRule::Definition,
                "the tables of values and types differ in length",
            );
        }
        if let FunctionKind::Kernel { required_block, max_threads } = &func.kind {
            let sizes = required_block.iter().flatten().chain(max_threads);
            if sizes.into_iter().any(|&size| size == 0) {
                self.error(WellFormedRule::LaunchBounds, "a launch bound is zero");
            }
            if !func.results.is_empty() {
                self.error(WellFormedRule::KernelResult, "a kernel has results");
            }
        }
        for &ty in &func.results {
            self.check_type(ty);
        }
        self.params();
    }

    fn params(&mut self) {
        let mut arrays = HashSet::new();
        for (n, param) in self.func.params.iter().enumerate() {
            let def = ValueDef::FunctionParam(n as u32);
            match param.kind {
                ParamKind::Scalar(value) => {
                    if self.define(value, def, Site::Function) && self.type_of(value) == Type::Ref {
                        let message = format!("scalar parameter `{}` is a `ref`", param.name);
                        self.error(WellFormedRule::Parameter, message);
                    }
                }
                ParamKind::Array(array) => self.array_param(&param.name, array, &mut arrays),
                ParamKind::Pointer(reference, offset) => {
                    self.pointer_param(&param.name, def, reference, offset);
                }
            }
        }
    }

    fn array_param(&mut self, name: &str, array: Array, seen: &mut HashSet<Array>) {
        if !self.func.is_kernel() {
            self.error(
                WellFormedRule::Parameter,
                format!("device function has array parameter `{name}`"),
            );
        }
        if self.array_exists(array) && !seen.insert(array) {
            let message = format!("parameter `{name}` shares its array with another");
            self.error(WellFormedRule::Parameter, message);
        }
    }

    fn pointer_param(&mut self, name: &str, def: ValueDef, reference: Value, offset: Value) {
        if self.func.is_kernel() {
            self.error(WellFormedRule::Parameter, format!("kernel has pointer parameter `{name}`"));
        }
        let defined = self.define(reference, def, Site::Function);
        if !(self.define(offset, def, Site::Function) && defined) {
            return;
        }
        let types = (self.type_of(reference), self.type_of(offset));
        if types != (Type::Ref, self.module.pointer_type()) {
            let message =
                format!("pointer parameter `{name}` is not a `ref` and an offset of pointer width");
            self.error(WellFormedRule::Parameter, message);
        }
    }

    /// Does the layout name existing blocks and instructions, each once, and do
    /// all edges lead into it?
    fn layout(&mut self) -> bool {
        let before = self.errors.0.len();
        if self.func.layout.is_empty() {
            self.error(WellFormedRule::Layout, "the function has no block");
        }
        let mut blocks = HashSet::new();
        let mut insts = HashSet::new();
        for &block in &self.func.layout {
            self.at = Place::Function(self.id);
            if !self.func.blocks.is_valid(block) {
                self.error(WellFormedRule::IdExists, format!("{block} does not exist"));
            } else if !blocks.insert(block) {
                self.error(WellFormedRule::Layout, format!("{block} is twice in the layout"));
            } else {
                self.block_layout(block, &mut insts);
            }
        }
        for &block in self.func.layout.iter().filter(|block| blocks.contains(block)) {
            self.at = Place::Terminator(self.id, block);
            for target in self.func.successors(block).filter(|target| !blocks.contains(target)) {
                self.error(WellFormedRule::IdExists, format!("{target} is not in the layout"));
            }
        }
        self.errors.0.len() == before
    }

    fn block_layout(&mut self, block: Block, insts: &mut HashSet<Inst>) {
        self.at = Place::Block(self.id, block);
        for &inst in &self.func.blocks[block].insts {
            if !self.func.insts.is_valid(inst) {
                self.error(WellFormedRule::IdExists, format!("{inst} does not exist"));
            } else if !insts.insert(inst) {
                self.error(WellFormedRule::Layout, format!("{inst} is twice in the function"));
            }
        }
    }

    /// Notes where each value is defined.
    fn definitions(&mut self) {
        for &block in &self.func.layout {
            self.at = Place::Block(self.id, block);
            let data = &self.func.blocks[block];
            for (n, &value) in data.params.iter().enumerate() {
                self.define(value, ValueDef::BlockParam(block, n as u32), Site::Block(block, 0));
            }
            for (position, &inst) in data.insts.iter().enumerate() {
                self.at = Place::Inst(self.id, inst);
                for (n, &value) in self.func.results_of[inst].iter().enumerate() {
                    let def = ValueDef::Result(inst, n as u32);
                    self.define(value, def, Site::Block(block, position + 1));
                }
            }
        }
    }

    /// Notes that `value` is defined here; its entry in the table must agree.
    /// The result says whether it exists.
    fn define(&mut self, value: Value, def: ValueDef, site: Site) -> bool {
        if !self.value_exists(value) {
            return false;
        }
        if self.sites[value] != Site::Nowhere {
            self.error(WellFormedRule::Definition, format!("{value} is defined twice"));
            return true;
        }
        if self.func.values[value] != def {
            self.error(
                WellFormedRule::Definition,
                format!("{value} is not defined where its entry says"),
            );
        }
        self.sites[value] = site;
        self.check_type(self.type_of(value));
        true
    }

    fn value_exists(&mut self, value: Value) -> bool {
        let exists = self.func.values.is_valid(value) && self.func.types.is_valid(value);
        if !exists {
            self.error(WellFormedRule::IdExists, format!("{value} does not exist"));
        }
        exists
    }

    /// Does the array exist?
    pub fn array_exists(&mut self, array: Array) -> bool {
        let exists = self.module.arrays.is_valid(array);
        if !exists {
            self.error(WellFormedRule::IdExists, format!("{array} does not exist"));
        }
        exists
    }

    /// Uses, types and edges of all blocks.
    fn blocks(&mut self) {
        let dominance = Dominance::new(self.func);
        let entry = self.func.entry();
        self.at = Place::Block(self.id, entry);
        if !self.func.blocks[entry].params.is_empty() {
            self.error(WellFormedRule::Entry, "the first block has parameters");
        }
        for &block in &self.func.layout {
            let data = &self.func.blocks[block];
            for (position, &inst) in data.insts.iter().enumerate() {
                self.at = Place::Inst(self.id, inst);
                check_loc(self.module, self.at, self.func.inst_locs[inst], self.errors);
                self.sign_of_result(inst);
                let operands = self.func.insts[inst].values();
                if self.uses(&operands, block, position + 1, &dominance) {
                    self.inst(inst);
                }
            }
            self.at = Place::Terminator(self.id, block);
            check_loc(self.module, self.at, data.loc, self.errors);
            let end = data.insts.len() + 1;
            if self.uses(&data.terminator.values(), block, end, &dominance) {
                self.terminator(&data.terminator);
            }
        }
    }

    /// Are the operands values that are known at this point of the block? The
    /// result says whether they exist, so that their types can be looked at.
    fn uses(&mut self, values: &[Value], block: Block, at: usize, dominance: &Dominance) -> bool {
        let mut exist = true;
        for &value in values {
            exist &= self.value_exists(value);
            if self.func.values.is_valid(value) && self.func.types.is_valid(value) {
                self.check_use(value, block, at, dominance);
            }
        }
        exist
    }

    fn check_use(&mut self, value: Value, block: Block, at: usize, dominance: &Dominance) {
        if let ValueDef::Const(constant) = self.func.values[value] {
            if self.checked.insert(value) {
                self.constant(constant, value);
            }
            return;
        }
        let known = match self.sites[value] {
            Site::Nowhere => {
                let message = format!("{value} is not defined in the function");
                return self.error(WellFormedRule::IdExists, message);
            }
            Site::Function => true,
            Site::Block(home, position) if home == block => position < at,
            Site::Block(home, _) => dominance.dominates(home, block),
        };
        if !known {
            let message = format!("{value} is not defined on every path to this use");
            self.error(WellFormedRule::Dominance, message);
        }
    }

    fn constant(&mut self, constant: Const, value: Value) {
        let ty = self.type_of(value);
        self.check_type(ty);
        let fits = match (constant, ty) {
            (Const::Bits(_), Type::Ref) => false,
            (Const::Bits(bits), _) => fits(bits, ty),
            (Const::Array(array), Type::Ref) => self.array_exists(array),
            (Const::Null, Type::Ref) => true,
            (Const::Array(_) | Const::Null, _) => false,
        };
        if !fits {
            let message = format!("`{}` is no constant of type {ty}", self.show(value));
            self.error(WellFormedRule::Constant, message);
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        for edge in terminator.edges() {
            self.edge(edge);
        }
        match terminator {
            Terminator::Branch { cond, .. } => self.expect(*cond, Type::BOOL),
            Terminator::Switch { arg, cases, .. } => self.switch(*arg, cases),
            Terminator::Return(values) => self.return_values(values),
            Terminator::Jump(_) | Terminator::Halt => {}
        }
    }

    fn edge(&mut self, edge: &Edge) {
        if edge.block == self.func.entry() {
            self.error(
                WellFormedRule::Entry,
                format!("an edge leads to {}, the first block", edge.block),
            );
        }
        let params = &self.func.blocks[edge.block].params;
        if edge.args.len() != params.len() {
            let (block, want, have) = (edge.block, params.len(), edge.args.len());
            let message = format!("{block} has {want} parameters, the edge {have} arguments");
            return self.error(WellFormedRule::EdgeArguments, message);
        }
        for (&arg, &param) in edge.args.iter().zip(params) {
            // A parameter that does not exist has been noted at its block.
            if let Some(&want) = self.func.types.get(param)
                && self.type_of(arg) != want
            {
                let (have, arg) = (self.type_of(arg), self.show(arg));
                let message = format!("`{arg}` is {have}, but {param} of {} is {want}", edge.block);
                self.error(WellFormedRule::EdgeArguments, message);
            }
        }
    }

    fn switch(&mut self, arg: Value, cases: &[(u128, Edge)]) {
        let ty = self.type_of(arg);
        self.expect_int(arg);
        let mut seen = HashSet::new();
        for (number, _) in cases {
            if !fits(*number, ty) {
                self.error(WellFormedRule::SwitchCase, format!("case {number} does not fit {ty}"));
            }
            if !seen.insert(number) {
                self.error(WellFormedRule::SwitchCase, format!("case {number} is there twice"));
            }
        }
    }

    fn return_values(&mut self, values: &[Value]) {
        let results = &self.func.results;
        if values.len() != results.len() {
            let (want, have) = (results.len(), values.len());
            let message = format!("the function has {want} results, `return` {have} values");
            return self.error(WellFormedRule::ReturnValue, message);
        }
        for (&value, &want) in values.iter().zip(results) {
            if self.type_of(value) != want {
                let message =
                    format!("`{}` is {}, expected {want}", self.show(value), self.type_of(value));
                self.error(WellFormedRule::ReturnValue, message);
            }
        }
    }
}

/// Do the bits fit the type's width?
fn fits(bits: u128, ty: Type) -> bool {
    match ty.bits() {
        Some(width) if width < 128 => bits >> width == 0,
        _ => true,
    }
}
