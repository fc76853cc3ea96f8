//! One function: its parameters and blocks, and the values seen so far.
//!
//! Blocks are visited in reverse postorder, so that every definition is seen
//! before its uses; a phi becomes a block parameter, and its operands are
//! translated at the end of each predecessor. One LLVM block may become several
//! blocks of the IR, where an access is split into cases.

use std::collections::{BTreeSet, HashMap};

use duet_ir::{
    BinaryOp, Block, CastOp, Cause, Const, Diagnostic, Edge, Function, FunctionBuilder, FunctionKind,
    Geometry, Inst, InstData, Module, Param, ParamKind, Rule, SourceSpan, Terminator, Type, Value, ValueDef,
};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMValueKind};

use super::locations::{is_ours, is_unsigned, signed_width, variable_name, variable_type};
use super::pointers::arrays::declared_type;
use super::pointers::points_to::{Targets, of_constant};
use super::{Arrays, Home, ParamPlace, Shared};
use crate::layout::{self, LeafKind};
use crate::llvm::{self, Bb, Ty, Val};
use crate::reducible::reverse_postorder;

/// A scalar part of a translated value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A number.
    Scalar(Value),
    /// A pointer.
    Pointer(Pointer),
}

/// A translated pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The array: a value of type `ref`.
    pub reference: Value,
    /// Byte offset.
    pub offset: Value,
}

/// The state of translating one function.
pub struct FunctionTranslator<'t> {
    pub(super) shared: &'t mut Shared,
    /// Where instructions are built.
    pub builder: FunctionBuilder<'t>,
    /// The LLVM function.
    pub function: Val,
    values: HashMap<Val, Vec<Leaf>>,
    blocks: HashMap<Bb, Block>,
    /// Whether the end of a block lies between `__non_temporal_loads_begin` and
    /// its end.
    ghost_at_end: HashMap<Bb, bool>,
    /// The same, here.
    pub ghost: bool,
    /// The LLVM block that is being translated.
    current: Option<Bb>,
    /// Ids and sizes that flattened ranks read.
    pub in_ranks: BTreeSet<Geometry>,
    /// Ids and sizes that the source reads by name.
    pub in_source: BTreeSet<Geometry>,
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
        shared,
        builder: FunctionBuilder::new(module, skeleton),
        function,
        values: HashMap::new(),
        blocks: HashMap::new(),
        ghost_at_end: HashMap::new(),
        ghost: false,
        current: None,
        in_ranks: BTreeSet::new(),
        in_source: BTreeSet::new(),
    };
    translator.builder.func.loc = loc;
    translator.builder.set_loc(loc);
    translator.run()?;
    let only_in_ranks = &translator.in_ranks - &translator.in_source;
    translator.builder.func.flattened = only_in_ranks;
    translator.builder.func.unsigned = unsigned_params(&translator.builder.func, function);
    Ok(translator.builder.finish())
}

impl FunctionTranslator<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        let order = reverse_postorder(self.function.blocks()[0]);
        let entry = self.builder.make_block();
        self.builder.switch_to(entry);
        self.declare_params()?;
        for &block in &order {
            let id = self.builder.make_block();
            self.blocks.insert(block, id);
        }
        self.builder.jump(self.blocks[&order[0]], vec![]);
        for &block in &order {
            self.declare_phis(block)?;
        }
        for &block in &order {
            self.translate_block(block)?;
        }
        Ok(())
    }

    fn translate_block(&mut self, block: Bb) -> Result<(), Diagnostic> {
        self.builder.switch_to(self.blocks[&block]);
        self.current = Some(block);
        self.ghost = self.ghost_on_entry(block);
        for inst in block.instructions() {
            let loc = self.shared.locations.of_inst(self.builder.module, inst);
            if loc.is_some() || inst.opcode() != LLVMOpcode::LLVMPHI {
                self.builder.set_loc(loc.or(self.builder.loc()));
            }
            self.translate_instruction(inst)?;
            self.ghost_at_end.insert(block, self.ghost);
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
            let targets = self.shared.points_to.targets(phi);
            let kinds = self.leaf_kinds(phi.ty())?;
            let leaves = kinds.into_iter().map(|kind| self.phi_leaf(id, kind, &targets)).collect();
            self.values.insert(phi, leaves);
        }
        Ok(())
    }

    fn phi_leaf(&mut self, block: Block, kind: LeafKind, targets: &Targets) -> Leaf {
        let func = &mut self.builder.func;
        match kind {
            LeafKind::Scalar(ty) => Leaf::Scalar(func.add_block_param(block, ty)),
            LeafKind::Pointer(_) => {
                let reference = match targets.only() {
                    Some(array) => func.constant(Const::Array(array), Type::Ref),
                    None => func.add_block_param(block, Type::Ref),
                };
                let offset = func.add_block_param(block, self.builder.module.pointer_type());
                Leaf::Pointer(Pointer { reference, offset })
            }
        }
    }

    /// An edge to `target` from the LLVM block being translated.
    pub fn edge(&mut self, target: Bb) -> Result<Edge, Diagnostic> {
        let mut args = vec![];
        for phi in target.instructions() {
            if phi.opcode() != LLVMOpcode::LLVMPHI {
                break;
            }
            let from = self.current.expect("inside a block");
            let incoming = self.leaves(llvm::incoming(phi, from))?;
            let params = self.values[&phi].clone();
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
        matches!(self.builder.func.values[value], ValueDef::BlockParam(..))
    }

    /// The leaves of any value.
    pub fn leaves(&mut self, value: Val) -> Result<Vec<Leaf>, Diagnostic> {
        if let Some(leaves) = self.values.get(&value) {
            return Ok(leaves.clone());
        }
        if value.is_constant() {
            return self.constant(value);
        }
        let what = match value.kind() {
            LLVMValueKind::LLVMInlineAsmValueKind => "inline assembly used as a value",
            LLVMValueKind::LLVMBasicBlockValueKind => "the address of a label",
            _ => "a value of an unknown kind",
        };
        Err(self.unsupported(what, "rewrite this expression"))
    }

    /// The one number that a value is.
    pub fn scalar(&mut self, value: Val) -> Result<Value, Diagnostic> {
        match self.leaves(value)?.as_slice() {
            [Leaf::Scalar(value)] => Ok(*value),
            _ => Err(self.unsupported("a number was expected here", "rewrite this expression")),
        }
    }

    /// The numbers that a value consists of.
    pub fn scalars(&mut self, value: Val) -> Result<Vec<Value>, Diagnostic> {
        let leaves = self.leaves(value)?;
        leaves
            .into_iter()
            .map(|leaf| match leaf {
                Leaf::Scalar(value) => Ok(value),
                Leaf::Pointer(_) => {
                    Err(self.unsupported("a pointer inside a vector", "use separate variables"))
                }
            })
            .collect()
    }

    /// The one pointer that a value is.
    pub fn pointer(&mut self, value: Val) -> Result<Pointer, Diagnostic> {
        match self.leaves(value)?.as_slice() {
            [Leaf::Pointer(pointer)] => Ok(*pointer),
            _ => Err(self.unsupported("a pointer was expected here", "rewrite this expression")),
        }
    }

    /// Where a pointer-valued LLVM value may point.
    pub fn targets(&self, value: Val) -> Targets {
        of_constant(&self.shared.arrays, value)
            .unwrap_or_else(|| self.shared.points_to.targets(value))
    }

    /// Records the leaves of an instruction.
    pub fn define(&mut self, inst: Val, leaves: Vec<Leaf>) {
        self.values.insert(inst, leaves);
    }

    /// Records the numbers of an instruction.
    pub fn define_scalars(&mut self, inst: Val, values: Vec<Value>) {
        self.define(inst, values.into_iter().map(Leaf::Scalar).collect());
    }

    /// The arrays of the module.
    pub fn arrays(&self) -> &Arrays {
        &self.shared.arrays
    }

    /// The LLVM module.
    pub fn llvm(&self) -> LLVMModuleRef {
        self.shared.llvm
    }

    /// What a type is that is a leaf.
    pub fn leaf_kind(&self, ty: Ty) -> Result<LeafKind, Diagnostic> {
        layout::leaf_kind(ty).map_err(|what| self.unsupported(what, "use another type"))
    }

    /// What the leaves of a type are.
    pub fn leaf_kinds(&self, ty: Ty) -> Result<Vec<LeafKind>, Diagnostic> {
        let leaves = layout::leaves(self.llvm(), ty)
            .map_err(|what| self.unsupported(what, "use another type"))?;
        Ok(leaves.into_iter().map(|leaf| leaf.kind).collect())
    }

    /// An unknown of a leaf's type.
    pub fn fresh_leaf(&mut self, kind: LeafKind, cause: impl Into<Cause>) -> Leaf {
        let cause = cause.into();
        let fresh = |this: &mut Self, ty| this.builder.value(InstData::Fresh { cause, ty });
        match kind {
            LeafKind::Scalar(ty) => Leaf::Scalar(fresh(self, ty)),
            LeafKind::Pointer(_) => {
                let number = fresh(self, self.builder.module.pointer_type());
                Leaf::Pointer(self.pointer_from_int(number))
            }
        }
    }

    /// The place in the source of what is being translated.
    pub fn here(&self) -> Option<SourceSpan> {
        self.builder.module.source_span(self.builder.loc())
    }

    /// An error at the place of what is being translated.
    pub fn unsupported(&self, what: impl Into<String>, help: &str) -> Diagnostic {
        Diagnostic::new(Rule::UnsupportedConstruct, format!("not supported: {}", what.into()))
            .at(self.here())
            .help(help)
    }

    fn declare_params(&mut self) -> Result<(), Diagnostic> {
        for (index, param) in self.function.params().into_iter().enumerate() {
            let index = index as u32;
            if self.builder.func.is_kernel() {
                self.declare_kernel_param(index, param)?;
            } else {
                self.declare_device_param(index, param)?;
            }
        }
        if !self.builder.func.is_kernel() {
            let result = self.function.value_type().result();
            for kind in self.leaf_kinds(result)? {
                let pointer = self.builder.module.pointer_type();
                self.builder.func.results.extend(match kind {
                    LeafKind::Scalar(ty) => vec![ty],
                    LeafKind::Pointer(_) => vec![Type::Ref, pointer],
                });
            }
        }
        Ok(())
    }

    fn declare_kernel_param(&mut self, index: u32, param: Val) -> Result<(), Diagnostic> {
        let place = ParamPlace { kernel: self.function, index, offset: 0 };
        if let Some(ty) = self.function.byval_type(index) {
            return self.declare_struct_param(place, ty);
        }
        let name = self.shared.arrays.param_names.get(&place).cloned().unwrap_or_default();
        let mut leaves = vec![];
        let kinds = self.leaf_kinds(param.ty())?;
        for (number, &kind) in kinds.iter().enumerate() {
            let name = if kinds.len() == 1 { name.clone() } else { format!("{name}.{number}") };
            leaves.push(self.kernel_param_leaf(place, name, kind));
        }
        self.values.insert(param, leaves);
        Ok(())
    }

    /// Declares the leaves of a struct passed by value; they are used by the calls
    /// that [`crate::prepare`] made.
    fn declare_struct_param(&mut self, place: ParamPlace, ty: Ty) -> Result<(), Diagnostic> {
        let leaves = layout::leaves(self.llvm(), ty)
            .map_err(|what| self.unsupported(what, "pass the fields separately"))?;
        let mut declared = HashMap::new();
        for leaf in leaves {
            let place = ParamPlace { offset: leaf.offset, ..place };
            let name = self.shared.arrays.param_names.get(&place).cloned().unwrap_or_default();
            declared.insert(place, self.kernel_param_leaf(place, name, leaf.kind));
        }
        for call in self.function.blocks().into_iter().flat_map(Bb::instructions) {
            let leaf =
                super::pointers::arrays::leaf_place(call).and_then(|place| declared.get(&place));
            if let Some(&leaf) = leaf {
                self.values.insert(call, vec![leaf]);
            }
        }
        Ok(())
    }

    fn kernel_param_leaf(&mut self, place: ParamPlace, name: String, kind: LeafKind) -> Leaf {
        let array = self.shared.arrays.at(Home::Param(place));
        match (kind, array) {
            (LeafKind::Pointer(_), Some(array)) => {
                self.add_param(name, ParamKind::Array(array));
                Leaf::Pointer(Pointer {
                    reference: self.builder.func.constant(Const::Array(array), Type::Ref),
                    offset: self.builder.offset(0),
                })
            }
            (LeafKind::Scalar(ty), _) => Leaf::Scalar(self.add_scalar_param(name, ty)),
            (LeafKind::Pointer(_), None) => {
                let number = self.add_scalar_param(name, self.builder.module.pointer_type());
                Leaf::Pointer(self.pointer_from_int(number))
            }
        }
    }

    fn add_scalar_param(&mut self, name: String, ty: Type) -> Value {
        let number = self.builder.func.params.len() as u32;
        let value = self.builder.func.make_value(ValueDef::FunctionParam(number), ty);
        self.builder.func.names[value] = Some(name.clone());
        self.add_param(name, ParamKind::Scalar(value));
        value
    }

    fn add_param(&mut self, name: String, kind: ParamKind) {
        self.builder.func.params.push(Param { name, kind });
    }

    fn declare_device_param(&mut self, index: u32, param: Val) -> Result<(), Diagnostic> {
        let mut leaves = vec![];
        for kind in self.leaf_kinds(param.ty())? {
            let name = match param.name() {
                name if name.is_empty() => format!("arg{index}"),
                name => name,
            };
            let number = self.builder.func.params.len() as u32;
            let pointer_type = self.builder.module.pointer_type();
            let mut make = |ty| self.builder.func.make_value(ValueDef::FunctionParam(number), ty);
            leaves.push(match kind {
                LeafKind::Scalar(ty) => {
                    let value = make(ty);
                    self.add_param(name, ParamKind::Scalar(value));
                    Leaf::Scalar(value)
                }
                LeafKind::Pointer(_) => {
                    let (reference, offset) = (make(Type::Ref), make(pointer_type));
                    self.add_param(name, ParamKind::Pointer(reference, offset));
                    Leaf::Pointer(Pointer { reference, offset })
                }
            });
        }
        self.values.insert(param, leaves);
        Ok(())
    }

    /// Notes which source variable a value belongs to.
    pub fn note_variable(&mut self, call: Val) {
        let Some(value) = call.operand(0).md_operands().first().copied().flatten() else { return };
        let Some(name) = variable_name(call.operand(1)) else { return };
        if let Some([Leaf::Scalar(value)]) = self.values.get(&value).map(Vec::as_slice) {
            self.note_conversion(*value, call);
        }
        let Some(leaves) = self.values.get(&value) else { return };
        for leaf in leaves {
            let value = match leaf {
                Leaf::Scalar(value) => *value,
                Leaf::Pointer(pointer) => pointer.offset,
            };
            let func = &mut self.builder.func;
            if func.const_of(value).is_none() && func.names[value].is_none() {
                func.names[value] = Some(name.clone());
            }
        }
    }

    /// Notes that unsigned arithmetic, or a wider number, goes into a signed variable.
    ///
    /// SOUNDNESS: a proof may assume that the value fits only where the assignment
    /// was made, so nothing that could be judged may lie between the two
    /// (kernels/soundness/21-converted-later). What our own headers compute says
    /// nothing about the user's variables.
    fn note_conversion(&mut self, value: Value, call: Val) {
        let here = self.builder.current_block();
        let func = &mut self.builder.func;
        let Some(inst) = func.inst_of(value) else { return };
        let may_not_fit = matches!(
            func.insts[inst],
            InstData::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, nsw: false, .. }
                | InstData::Cast { op: CastOp::Trunc, .. }
        );
        let ours = call
            .debug_loc()
            .and_then(|node| node.location_file())
            .is_none_or(|(_, name)| is_ours(&name));
        let width = variable_type(call.operand(1)).and_then(signed_width);
        if !may_not_fit || ours || width != func.type_of(value).bits() {
            return;
        }
        let insts = &func.blocks[here].insts;
        let mut later = insts.iter().rev().take_while(|&&other| other != inst);
        let is_value = |other: &Inst| func.insts[*other].is_computation();
        if insts.contains(&inst) && later.all(is_value) {
            func.into_signed[inst] = true;
        }
    }

    /// Ends the current block in a failure: control does not go on.
    pub fn fail(&mut self, kind: duet_ir::AssertKind) {
        let never = self.builder.bool(false);
        self.builder.inst(InstData::Assert { kind, cond: never });
        self.builder.terminate(Terminator::Halt);
        let dead = self.builder.make_block();
        self.builder.switch_to(dead);
    }
}

/// What the source says about a function.
pub(super) fn kind_of(llvm: LLVMModuleRef, function: Val, is_kernel: bool) -> FunctionKind {
    if !is_kernel {
        return FunctionKind::Device;
    }
    let required: Vec<u32> = function
        .attached_metadata("reqd_work_group_size")
        .into_iter()
        .flatten()
        .filter_map(|size| size.const_u64().map(|size| size as u32))
        .collect();
    FunctionKind::Kernel {
        required_block: <[u32; 3]>::try_from(required).ok(),
        max_threads: launch_bounds(llvm, function),
    }
}

/// The first argument of `__launch_bounds__`.
fn launch_bounds(llvm: LLVMModuleRef, function: Val) -> Option<u32> {
    llvm::named_metadata(llvm, c"nvvm.annotations").into_iter().find_map(|node| {
        let operands = node.md_operands();
        let is_bound = operands.first().copied().flatten() == Some(function)
            && operands.get(1).copied().flatten().and_then(Val::md_string).as_deref()
                == Some("maxntidx");
        let bound = operands.get(2).copied().flatten()?.const_u64()?;
        is_bound.then_some(bound as u32)
    })
}
