//! One function: its blocks, and the edges between them.
//!
//! Blocks are visited in reverse postorder, so that every definition is seen
//! before its uses; a phi becomes a block parameter, and its operands are
//! translated at the end of each predecessor. One LLVM block may become several
//! blocks of the IR, where an access is split into cases.

use std::collections::{BTreeSet, HashMap};

use duet_ir::{
    AssertKind, Block, Const, Diagnostic, Edge, Function, FunctionBuilder, Module, Terminator,
    Type, Value, ValueDef,
};
use inkwell::llvm_sys::LLVMOpcode;
use inkwell::llvm_sys::core::*;

use super::arithmetic::Arithmetic;
use super::calls::Calls;
use super::locations::is_unsigned;
use super::memory::Accesses;
use super::params::Params;
use super::pointers::arrays::declared_type;
use super::pointers::points_to::Targets;
use super::values::{Leaf, Pointer, Values};
use super::{Home, Shared};
use crate::layout::LeafKind;
use crate::llvm::{self, Bb, Val};
use crate::prepare::reverse_postorder;

/// The state of translating one function.
struct FunctionTranslator<'t> {
    values: Values<'t>,
    accesses: Accesses,
    /// The LLVM function.
    function: Val,
    blocks: HashMap<Bb, Block>,
    /// Whether the end of a block lies between `__non_temporal_loads_begin` and
    /// its end.
    ghost_at_end: HashMap<Bb, bool>,
    /// The LLVM block that is being translated.
    current: Option<Bb>,
}

/// The positions of the parameters that the source declares unsigned.
fn unsigned_params(func: &Function, function: Val) -> BTreeSet<usize> {
    let is_unsigned = |name: &str| declared_type(function, name).is_some_and(is_unsigned);
    let integers = func.scalar_params().filter(|param| param.ty.bits().is_some_and(|w| w > 1));
    let integers = integers.filter(|param| param.ty.is_int());
    integers.filter(|param| is_unsigned(param.name)).map(|param| param.index).collect()
}

/// Translates `function` into `skeleton`.
pub(super) fn translate(
    shared: &mut Shared,
    module: &mut Module,
    function: Val,
    skeleton: Function,
) -> Result<Function, Diagnostic> {
    let loc = shared.locations.of_function(module, function);
    let mut translator = FunctionTranslator {
        values: Values {
            shared,
            builder: FunctionBuilder::new(module, skeleton),
            known: HashMap::new(),
            in_ranks: BTreeSet::new(),
            in_source: BTreeSet::new(),
        },
        accesses: Accesses::default(),
        function,
        blocks: HashMap::new(),
        ghost_at_end: HashMap::new(),
        current: None,
    };
    translator.values.builder.func.loc = loc;
    translator.values.builder.set_loc(loc);
    translator.run()?;
    let only_in_ranks = &translator.values.in_ranks - &translator.values.in_source;
    let func = &mut translator.values.builder.func;
    func.flattened = only_in_ranks;
    func.unsigned = unsigned_params(func, function);
    Ok(translator.values.builder.finish())
}

impl FunctionTranslator<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        let order = reverse_postorder(self.function.blocks()[0]);
        let entry = self.values.builder.make_block();
        self.values.builder.switch_to(entry);
        Params { values: &mut self.values, function: self.function }.declare()?;
        for &block in &order {
            let id = self.values.builder.make_block();
            self.blocks.insert(block, id);
        }
        self.values.builder.jump(self.blocks[&order[0]], vec![]);
        for &block in &order {
            self.declare_phis(block)?;
        }
        for &block in &order {
            self.translate_block(block)?;
        }
        Ok(())
    }

    fn translate_block(&mut self, block: Bb) -> Result<(), Diagnostic> {
        self.values.builder.switch_to(self.blocks[&block]);
        self.current = Some(block);
        self.accesses.ghost = self.ghost_on_entry(block);
        for inst in block.instructions() {
            let loc = self.values.shared.locations.of_inst(self.values.builder.module, inst);
            if loc.is_some() || inst.opcode() != LLVMOpcode::LLVMPHI {
                self.values.builder.set_loc(loc.or(self.values.builder.loc()));
            }
            self.translate_instruction(inst)?;
            self.ghost_at_end.insert(block, self.accesses.ghost);
        }
        Ok(())
    }

    /// Does an annotation's bracket of unlogged reads reach over a block's start?
    /// All predecessors agree, as a bracket is one expression.
    fn ghost_on_entry(&self, block: Bb) -> bool {
        let mut predecessors =
            self.ghost_at_end.iter().filter(|(from, _)| from.successors().contains(&block));
        predecessors.any(|(_, &ghost)| ghost)
    }

    /// Gives a parameter to the block for each leaf of each phi.
    fn declare_phis(&mut self, block: Bb) -> Result<(), Diagnostic> {
        let id = self.blocks[&block];
        for phi in block.instructions() {
            if phi.opcode() != LLVMOpcode::LLVMPHI {
                break;
            }
            let targets = self.values.shared.points_to.targets(phi);
            let kinds = self.values.leaf_kinds(phi.ty())?;
            let leaves = kinds.into_iter().map(|kind| self.phi_leaf(id, kind, &targets)).collect();
            self.values.known.insert(phi, leaves);
        }
        Ok(())
    }

    fn phi_leaf(&mut self, block: Block, kind: LeafKind, targets: &Targets) -> Leaf {
        let func = &mut self.values.builder.func;
        match kind {
            LeafKind::Scalar(ty) => Leaf::Scalar(func.add_block_param(block, ty)),
            LeafKind::Pointer(_) => {
                let reference = match targets.only() {
                    Some(array) => func.constant(Const::Array(array), Type::Ref),
                    None => func.add_block_param(block, Type::Ref),
                };
                let offset = func.add_block_param(block, self.values.builder.module.pointer_type());
                Leaf::Pointer(Pointer { reference, offset })
            }
        }
    }

    /// An edge to `target` from the LLVM block being translated.
    fn edge(&mut self, target: Bb) -> Result<Edge, Diagnostic> {
        let mut args = vec![];
        for phi in target.instructions() {
            if phi.opcode() != LLVMOpcode::LLVMPHI {
                break;
            }
            let from = self.current.expect("inside a block");
            let incoming = self.values.leaves(llvm::incoming(phi, from))?;
            let params = self.values.known[&phi].clone();
            for (param, leaf) in params.into_iter().zip(incoming) {
                self.push_edge_args(param, leaf, &mut args);
            }
        }
        Ok(Edge { block: self.blocks[&target], args })
    }

    /// The values that bind a phi's leaf; a reference that is a constant at the
    /// phi needs none.
    fn push_edge_args(&self, param: Leaf, leaf: Leaf, args: &mut Vec<Value>) {
        match (param, leaf) {
            (Leaf::Scalar(_), Leaf::Scalar(value)) => args.push(value),
            (Leaf::Pointer(param), Leaf::Pointer(pointer)) => {
                if self.is_block_param(param.reference) {
                    args.push(pointer.reference);
                }
                args.push(pointer.offset);
            }
            _ => unreachable!("a phi and its operands have one type"),
        }
    }

    fn is_block_param(&self, value: Value) -> bool {
        matches!(self.values.builder.func.values[value], ValueDef::BlockParam(..))
    }

    /// Translates one instruction.
    fn translate_instruction(&mut self, inst: Val) -> Result<(), Diagnostic> {
        use LLVMOpcode::*;
        let leaves = match inst.opcode() {
            LLVMPHI => return Ok(()),
            LLVMAlloca => self.alloca(inst)?,
            LLVMLoad => self.accesses.load(&mut self.values, inst)?,
            LLVMStore => return self.accesses.store(&mut self.values, inst),
            LLVMAtomicRMW => self.accesses.atomic_rmw(&mut self.values, inst)?,
            LLVMAtomicCmpXchg => self.accesses.compare_exchange(&mut self.values, inst)?,
            LLVMFence => return self.accesses.fence(&mut self.values, inst),
            LLVMCall => return self.call(inst),
            LLVMRet | LLVMBr | LLVMSwitch | LLVMUnreachable => return self.terminator(inst),
            _ => Arithmetic { values: &mut self.values }.instruction(inst)?,
        };
        self.values.define(inst, leaves);
        Ok(())
    }

    fn call(&mut self, inst: Val) -> Result<(), Diagnostic> {
        Calls { values: &mut self.values, accesses: &mut self.accesses }.call(inst)
    }

    fn terminator(&mut self, inst: Val) -> Result<(), Diagnostic> {
        let terminator = match inst.opcode() {
            LLVMOpcode::LLVMRet => Terminator::Return(self.returned(inst)?),
            LLVMOpcode::LLVMBr => self.branch(inst)?,
            LLVMOpcode::LLVMSwitch => self.switch(inst)?,
            _ => {
                self.values.fail(AssertKind::Unreachable);
                return Ok(());
            }
        };
        self.values.builder.terminate(terminator);
        Ok(())
    }

    fn returned(&mut self, inst: Val) -> Result<Vec<Value>, Diagnostic> {
        // A function that is verified like a kernel has no caller to return to.
        if inst.num_operands() == 0 || self.values.builder.func.is_kernel() {
            return Ok(vec![]);
        }
        let leaves = self.values.leaves(inst.operand(0))?;
        Ok(leaves
            .into_iter()
            .flat_map(|leaf| match leaf {
                Leaf::Scalar(value) => vec![value],
                Leaf::Pointer(Pointer { reference, offset }) => vec![reference, offset],
            })
            .collect())
    }

    fn branch(&mut self, inst: Val) -> Result<Terminator, Diagnostic> {
        let successors = llvm::successors(inst);
        if let [target] = successors[..] {
            return Ok(Terminator::Jump(self.edge(target)?));
        }
        let cond = self.values.scalar(inst.operand(0))?;
        Ok(Terminator::Branch {
            cond,
            then: self.edge(successors[0])?,
            otherwise: self.edge(successors[1])?,
        })
    }

    fn switch(&mut self, inst: Val) -> Result<Terminator, Diagnostic> {
        let arg = self.values.scalar(inst.operand(0))?;
        let mut cases = vec![];
        // Operands: the number, the default, then pairs of case and target.
        for pair in 1..inst.num_operands() / 2 {
            let Some(case) = inst.operand(2 * pair).const_bits() else {
                return Err(self
                    .values
                    .unsupported("a case label that is no number", "rewrite it"));
            };
            // SAFETY: every second operand of a `switch` from the third on is a block.
            let target = Bb(unsafe { LLVMValueAsBasicBlock(inst.operand(2 * pair + 1).0) });
            cases.push((case, self.edge(target)?));
        }
        // SAFETY: the instruction is a `switch`.
        let default = Bb(unsafe { LLVMGetSwitchDefaultDest(inst.0) });
        Ok(Terminator::Switch { arg, cases, default: self.edge(default)? })
    }

    fn alloca(&mut self, inst: Val) -> Result<Vec<Leaf>, Diagnostic> {
        if inst.operand(0).const_u64().is_none() {
            return Err(self.values.unsupported(
                "an array whose length is not a constant",
                "give the array a constant length",
            ));
        }
        let array = self.values.arrays().at(Home::Variable(inst)).expect("allocas were collected");
        Ok(vec![Leaf::Pointer(Pointer {
            reference: self.values.builder.func.constant(duet_ir::Const::Array(array), Type::Ref),
            offset: self.values.builder.offset(0),
        })])
    }
}
