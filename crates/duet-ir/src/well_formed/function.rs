//! Rules about the shape of a function: parameters, layout and edges. Where values are
//! defined and used is in `definitions`, what instructions want of operands in `inst`.

use std::collections::HashSet;

use super::definitions::{Definitions, Site};
use super::dominance::Dominance;
use super::inst::InstChecker;
use super::module::check_loc;
use super::subject::Subject;
use super::{Errors, WellFormedRule};
use crate::{
    Array, Block, Edge, Func, Function, FunctionKind, Inst, Module, ParamKind, Place, Terminator,
    Type, Value, ValueDef,
};

/// Checks one function.
pub fn check(module: &Module, id: Func, func: &Function, errors: &mut Errors) {
    let mut checker = FunctionChecker {
        subject: Subject { module, func, id, errors, at: Place::Function(id) },
        definitions: Definitions::default(),
    };
    checker.header();
    // The rest reads blocks and instructions by the layout.
    if checker.layout() {
        checker.definitions.of_blocks(&mut checker.subject);
        checker.blocks();
    }
}

/// The function under check and the definitions of its values.
struct FunctionChecker<'m> {
    subject: Subject<'m>,
    definitions: Definitions,
}

impl FunctionChecker<'_> {
    fn header(&mut self) {
        let func = self.subject.func;
        check_loc(self.subject.module, self.subject.at, func.loc, self.subject.errors);
        if func.values.len() != func.types.len() {
            self.subject.error(
                WellFormedRule::Definition,
                "the tables of values and types differ in length",
            );
        }
        if let FunctionKind::Kernel { required_block, max_threads } = &func.kind {
            let sizes = required_block.iter().flatten().chain(max_threads);
            if sizes.into_iter().any(|&size| size == 0) {
                self.subject.error(WellFormedRule::LaunchBounds, "a launch bound is zero");
            }
            if !func.results.is_empty() {
                self.subject.error(WellFormedRule::KernelResult, "a kernel has results");
            }
        }
        for &ty in &func.results {
            self.subject.check_type(ty);
        }
        self.params();
    }

    fn params(&mut self) {
        let mut arrays = HashSet::new();
        for (n, param) in self.subject.func.params.iter().enumerate() {
            let def = ValueDef::FunctionParam(n as u32);
            match param.kind {
                ParamKind::Scalar(value) => {
                    if self.definitions.define(&mut self.subject, value, def, Site::Function)
                        && self.subject.type_of(value) == Type::Ref
                    {
                        let message = format!("scalar parameter `{}` is a `ref`", param.name);
                        self.subject.error(WellFormedRule::Parameter, message);
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
        if !self.subject.func.is_kernel() {
            self.subject.error(
                WellFormedRule::Parameter,
                format!("device function has array parameter `{name}`"),
            );
        }
        if self.subject.array_exists(array) && !seen.insert(array) {
            let message = format!("parameter `{name}` shares its array with another");
            self.subject.error(WellFormedRule::Parameter, message);
        }
    }

    fn pointer_param(&mut self, name: &str, def: ValueDef, reference: Value, offset: Value) {
        if self.subject.func.is_kernel() {
            self.subject
                .error(WellFormedRule::Parameter, format!("kernel has pointer parameter `{name}`"));
        }
        let defined = self.definitions.define(&mut self.subject, reference, def, Site::Function);
        if !(self.definitions.define(&mut self.subject, offset, def, Site::Function) && defined) {
            return;
        }
        let types = (self.subject.type_of(reference), self.subject.type_of(offset));
        if types != (Type::Ref, self.subject.module.pointer_type()) {
            let message =
                format!("pointer parameter `{name}` is not a `ref` and an offset of pointer width");
            self.subject.error(WellFormedRule::Parameter, message);
        }
    }

    /// Does the layout name existing blocks and instructions, each once, and do
    /// all edges lead into it?
    fn layout(&mut self) -> bool {
        let before = self.subject.errors.0.len();
        if self.subject.func.layout.is_empty() {
            self.subject.error(WellFormedRule::Layout, "the function has no block");
        }
        let mut blocks = HashSet::new();
        let mut insts = HashSet::new();
        for &block in &self.subject.func.layout {
            self.subject.at = Place::Function(self.subject.id);
            if !self.subject.func.blocks.is_valid(block) {
                self.subject.error(WellFormedRule::IdExists, format!("{block} does not exist"));
            } else if !blocks.insert(block) {
                self.subject
                    .error(WellFormedRule::Layout, format!("{block} is twice in the layout"));
            } else {
                self.block_layout(block, &mut insts);
            }
        }
        for &block in self.subject.func.layout.iter().filter(|block| blocks.contains(block)) {
            self.subject.at = Place::Terminator(self.subject.id, block);
            for target in
                self.subject.func.successors(block).filter(|target| !blocks.contains(target))
            {
                self.subject
                    .error(WellFormedRule::IdExists, format!("{target} is not in the layout"));
            }
        }
        self.subject.errors.0.len() == before
    }

    fn block_layout(&mut self, block: Block, insts: &mut HashSet<Inst>) {
        self.subject.at = Place::Block(self.subject.id, block);
        for &inst in &self.subject.func.blocks[block].insts {
            if !self.subject.func.insts.is_valid(inst) {
                self.subject.error(WellFormedRule::IdExists, format!("{inst} does not exist"));
            } else if !insts.insert(inst) {
                self.subject
                    .error(WellFormedRule::Layout, format!("{inst} is twice in the function"));
            }
        }
    }

    /// Uses, types and edges of all blocks.
    fn blocks(&mut self) {
        let dominance = Dominance::new(self.subject.func);
        let entry = self.subject.func.entry();
        self.subject.at = Place::Block(self.subject.id, entry);
        if !self.subject.func.blocks[entry].params.is_empty() {
            self.subject.error(WellFormedRule::Entry, "the first block has parameters");
        }
        for &block in &self.subject.func.layout {
            let data = &self.subject.func.blocks[block];
            for (position, &inst) in data.insts.iter().enumerate() {
                self.subject.at = Place::Inst(self.subject.id, inst);
                check_loc(
                    self.subject.module,
                    self.subject.at,
                    self.subject.func.inst_locs[inst],
                    self.subject.errors,
                );
                InstChecker::new(&mut self.subject).sign_of_result(inst);
                let operands = self.subject.func.insts[inst].values();
                if self.definitions.uses(
                    &mut self.subject,
                    &operands,
                    block,
                    position + 1,
                    &dominance,
                ) {
                    InstChecker::new(&mut self.subject).inst(inst);
                }
            }
            self.subject.at = Place::Terminator(self.subject.id, block);
            check_loc(self.subject.module, self.subject.at, data.loc, self.subject.errors);
            let end = data.insts.len() + 1;
            if self.definitions.uses(
                &mut self.subject,
                &data.terminator.values(),
                block,
                end,
                &dominance,
            ) {
                self.terminator(&data.terminator);
            }
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        for edge in terminator.edges() {
            self.edge(edge);
        }
        match terminator {
            Terminator::Branch { cond, .. } => self.subject.expect(*cond, Type::BOOL),
            Terminator::Switch { arg, cases, .. } => self.switch(*arg, cases),
            Terminator::Return(values) => self.return_values(values),
            Terminator::Jump(_) | Terminator::Halt => {}
        }
    }

    fn edge(&mut self, edge: &Edge) {
        if edge.block == self.subject.func.entry() {
            self.subject.error(
                WellFormedRule::Entry,
                format!("an edge leads to {}, the first block", edge.block),
            );
        }
        let params = &self.subject.func.blocks[edge.block].params;
        if edge.args.len() != params.len() {
            let (block, want, have) = (edge.block, params.len(), edge.args.len());
            let message = format!("{block} has {want} parameters, the edge {have} arguments");
            return self.subject.error(WellFormedRule::EdgeArguments, message);
        }
        for (&arg, &param) in edge.args.iter().zip(params) {
            // A parameter that does not exist has been noted at its block.
            if let Some(&want) = self.subject.func.types.get(param)
                && self.subject.type_of(arg) != want
            {
                let (have, arg) = (self.subject.type_of(arg), self.subject.show(arg));
                let message = format!("`{arg}` is {have}, but {param} of {} is {want}", edge.block);
                self.subject.error(WellFormedRule::EdgeArguments, message);
            }
        }
    }

    fn switch(&mut self, arg: Value, cases: &[(u128, Edge)]) {
        let ty = self.subject.type_of(arg);
        self.subject.expect_int(arg);
        let mut seen = HashSet::new();
        for (number, _) in cases {
            if !fits(*number, ty) {
                self.subject
                    .error(WellFormedRule::SwitchCase, format!("case {number} does not fit {ty}"));
            }
            if !seen.insert(number) {
                self.subject
                    .error(WellFormedRule::SwitchCase, format!("case {number} is there twice"));
            }
        }
    }

    fn return_values(&mut self, values: &[Value]) {
        let results = &self.subject.func.results;
        if values.len() != results.len() {
            let (want, have) = (results.len(), values.len());
            let message = format!("the function has {want} results, `return` {have} values");
            return self.subject.error(WellFormedRule::ReturnValue, message);
        }
        for (&value, &want) in values.iter().zip(results) {
            if self.subject.type_of(value) != want {
                let message = format!(
                    "`{}` is {}, expected {want}",
                    self.subject.show(value),
                    self.subject.type_of(value)
                );
                self.subject.error(WellFormedRule::ReturnValue, message);
            }
        }
    }
}

/// Do the bits fit the type's width?
pub fn fits(bits: u128, ty: Type) -> bool {
    match ty.bits() {
        Some(width) if width < 128 => bits >> width == 0,
        _ => true,
    }
}
