//! Which arrays a pointer may point into.
//!
//! Flow-insensitive inclusion over all functions: one set per pointer-valued
//! LLVM value and one per array for the pointers stored in it. The sets need not
//! be complete for soundness: an access through a pointer whose set has more than
//! one member, or is not certain, ends in a failing assertion for every array
//! that was not foreseen (see [`crate::llvm_to_ir::memory`]). A set that [`Targets::only`]
//! calls certain must be: it has one array, no null, nothing unknown. So a pointer
//! that is loaded from a private array is certain only if nothing but pointers was
//! written to its place ([`Slot`]).

use std::collections::{BTreeSet, HashMap};

use duet_ir::{Array, Module, Space};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMValueKind};

use super::arrays::{declares_fresh_array, leaf_place};
use super::slots::Slot;
use crate::layout::{self, LeafKind};
use crate::llvm::{Bb, Val};
use crate::llvm_to_ir::{Arrays, Home, ParamPlace};
use crate::prepare::{UNINITIALISED, size_of};

/// Where a pointer may point.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Targets {
    /// Into these arrays.
    pub arrays: BTreeSet<Array>,
    /// Nowhere.
    pub null: bool,
    /// Anywhere: it was loaded from memory or made from a number.
    pub any: bool,
}

impl Targets {
    /// Exactly this array.
    pub fn one(array: Array) -> Targets {
        Targets { arrays: BTreeSet::from([array]), ..Targets::default() }
    }

    /// Anywhere.
    pub fn anything() -> Targets {
        Targets { any: true, ..Targets::default() }
    }

    /// Nowhere.
    fn nothing() -> Targets {
        Targets { null: true, ..Targets::default() }
    }

    /// The array, if it is certain.
    pub fn only(&self) -> Option<Array> {
        let certain = !self.any && !self.null && self.arrays.len() == 1;
        self.arrays.first().copied().filter(|_| certain)
    }

    /// Takes in `other`; did anything change?
    fn absorb(&mut self, other: &Targets) -> bool {
        let before = (self.arrays.len(), self.null, self.any);
        self.arrays.extend(&other.arrays);
        self.null |= other.null;
        self.any |= other.any;
        before != (self.arrays.len(), self.null, self.any)
    }
}

/// The result: a set for each pointer.
#[derive(Default)]
pub struct PointsTo {
    values: HashMap<Val, Targets>,
    /// Pointers stored in each array.
    contents: HashMap<Array, Targets>,
    /// Places in private arrays that may hold something else.
    others: HashMap<Array, BTreeSet<Slot>>,
    /// Private arrays whose address is stored or turned into a number: a pointer
    /// from memory may lead to them.
    escaped: BTreeSet<Array>,
}

/// What the analysis reads.
struct Input<'a> {
    llvm: LLVMModuleRef,
    arrays: &'a Arrays,
    module: &'a Module,
    /// Arguments that calls pass to each parameter (only without inlining).
    incoming: HashMap<Val, Vec<Val>>,
    kernels_params: HashMap<Val, ParamPlace>,
    returns: HashMap<Val, Vec<Val>>,
}

impl PointsTo {
    /// Solves the inclusion constraints of these functions.
    pub fn compute(
        llvm: LLVMModuleRef,
        functions: &[Val],
        arrays: &Arrays,
        module: &Module,
    ) -> PointsTo {
        let input = Input::gather(llvm, functions, arrays, module);
        let instructions: Vec<Val> = functions
            .iter()
            .flat_map(|function| function.blocks())
            .flat_map(Bb::instructions)
            .collect();
        let mut result = PointsTo::default();
        let mut changed = true;
        while changed {
            changed = false;
            for &inst in &instructions {
                changed |= result.step(&input, inst);
            }
            for (&param, arguments) in &input.incoming {
                changed |= result.pass_arguments(&input, param, arguments);
            }
        }
        for value in input.kernels_params.keys() {
            let targets = result.of(&input, *value);
            result.values.insert(*value, targets);
        }
        result
    }

    /// The set of a value that is not a constant; constants are resolved by
    /// [`crate::llvm_to_ir::constants`].
    pub fn targets(&self, value: Val) -> Targets {
        self.values.get(&value).cloned().unwrap_or_else(Targets::anything)
    }

    /// The arrays that a pointer into `address_space` may reach when nothing is
    /// known about it.
    pub fn reachable(&self, module: &Module, address_space: Option<Space>) -> Vec<Array> {
        module
            .arrays
            .iter()
            .filter(|(array, data)| {
                let reachable = data.space != Space::Private || self.escaped.contains(array);
                reachable && address_space.is_none_or(|space| space == data.space)
            })
            .map(|(array, _)| array)
            .collect()
    }

    /// Applies one instruction; did a set grow?
    fn step(&mut self, input: &Input<'_>, inst: Val) -> bool {
        match inst.opcode() {
            LLVMOpcode::LLVMStore => self.store(input, inst.operand(0), inst.operand(1)),
            LLVMOpcode::LLVMPtrToInt => self.escape(input, inst.operand(0)),
            LLVMOpcode::LLVMCall => self.call(input, inst),
            LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg => {
                self.write_other(input, inst.operand(0), Slot::EVERYWHERE)
            }
            _ if input.holds_pointer(inst) => {
                let targets = self.of_instruction(input, inst);
                self.values.entry(inst).or_default().absorb(&targets)
            }
            _ => false,
        }
    }

    fn store(&mut self, input: &Input<'_>, value: Val, place: Val) -> bool {
        if !input.holds_pointer(value) {
            // The opaque first value of a variable has the form of the variable.
            let opaque = value.is_instruction()
                && value.opcode() == LLVMOpcode::LLVMCall
                && value.callee().name().starts_with(UNINITIALISED);
            let slot = Slot::of(input.llvm, place, size_of(input.llvm, value.ty()));
            return !opaque && self.write_other(input, place, slot);
        }
        let targets = self.of(input, value);
        let places = self.of(input, place);
        let mut changed = self.escape(input, value);
        for array in places.arrays {
            changed |= self.contents.entry(array).or_default().absorb(&targets);
        }
        if places.any {
            changed |= self.write_escaped();
        }
        changed
    }

    /// Something that may be no pointer is written to a place.
    ///
    /// SOUNDNESS: it may be the number of another pointer, which is then loaded from
    /// there (kernels/soundness/30-pointer-as-number).
    fn write_other(&mut self, input: &Input<'_>, place: Val, slot: Slot) -> bool {
        let places = self.of(input, place);
        let mut changed = false;
        for array in places.arrays {
            if input.module.arrays[array].space == Space::Private {
                changed |= self.others.entry(array).or_default().insert(slot);
            }
        }
        changed | (places.any && self.write_escaped())
    }

    /// A pointer that may lead anywhere leads to private arrays whose address is known.
    fn write_escaped(&mut self) -> bool {
        let mut changed = false;
        for &array in &self.escaped {
            changed |= self.others.entry(array).or_default().insert(Slot::EVERYWHERE);
        }
        changed
    }

    fn escape(&mut self, input: &Input<'_>, value: Val) -> bool {
        let before = self.escaped.len();
        self.escaped.extend(self.of(input, value).arrays);
        self.escaped.len() != before
    }

    fn call(&mut self, input: &Input<'_>, call: Val) -> bool {
        let name = call.callee().name();
        let mut changed = false;
        let copies = name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove");
        // Bitcode may hold a call without the arguments.
        if copies && call.arguments().len() >= 3 {
            changed |= self.copy(input, call);
        } else if call.callee().is_declaration() && !has_no_effect(&name) {
            for argument in call.arguments() {
                if input.holds_pointer(argument) {
                    changed |= self.write_other(input, argument, Slot::EVERYWHERE);
                }
            }
        }
        if declares_fresh_array(&name)
            && let Some(fresh) = input.arrays.at(Home::Variable(call))
        {
            let slot = call.arguments().pop().expect("the variable's address");
            for array in self.of(input, slot).arrays {
                changed |= self.contents.entry(array).or_default().absorb(&Targets::one(fresh));
            }
        }
        if input.holds_pointer(call) {
            let targets = self.of_call(input, call, &name);
            changed |= self.values.entry(call).or_default().absorb(&targets);
        }
        changed
    }

    /// A copy moves pointers, and what else there may be.
    fn copy(&mut self, input: &Input<'_>, call: Val) -> bool {
        let (to, from) = (call.operand(0), call.operand(1));
        let size = call.operand(2).const_u64().unwrap_or(u64::MAX);
        let (target, source) = (Slot::of(input.llvm, to, size), Slot::of(input.llvm, from, size));
        let sources = self.of(input, from);
        let mut stored = Targets { any: sources.any, ..Targets::default() };
        let mut others = vec![];
        for array in sources.arrays {
            stored.any |= input.module.arrays[array].space != Space::Private;
            stored.absorb(&self.contents.get(&array).cloned().unwrap_or_default());
            let written = self.others.get(&array).into_iter().flatten();
            others.extend(written.map(|slot| slot.moved(source, target)));
        }
        let places = self.of(input, to);
        let mut changed = places.any && self.write_escaped();
        for array in places.arrays {
            changed |= self.contents.entry(array).or_default().absorb(&stored);
        }
        for slot in others {
            changed |= self.write_other(input, to, slot);
        }
        changed
    }

    fn of_call(&self, input: &Input<'_>, call: Val, name: &str) -> Targets {
        let image = matches!(name, "__duet_texture_object" | "__duet_surface_object");
        let home = match leaf_place(call) {
            Some(place) => Some(Home::Param(place)),
            None if image => Some(input.arrays.image_home(call)),
            None => None,
        };
        if let Some(array) = home.and_then(|home| input.arrays.at(home)) {
            return Targets::one(array);
        }
        let mut targets = Targets::default();
        match input.returns.get(&call.callee()) {
            Some(returned) => {
                for &value in returned {
                    targets.absorb(&self.of(input, value));
                }
            }
            None => targets.any = true,
        }
        targets
    }

    /// May there be something else than a pointer in these bytes?
    fn holds_other(&self, array: Array, slot: Slot) -> bool {
        let others = self.others.get(&array);
        others.is_some_and(|others| others.iter().any(|other| other.may_touch(slot)))
    }

    /// What a load of `size` bytes through `place` may yield.
    fn loaded(&self, input: &Input<'_>, place: Val, size: u64) -> Targets {
        let slot = Slot::of(input.llvm, place, size);
        let places = self.of(input, place);
        let mut targets = Targets { any: places.any, ..Targets::default() };
        for array in places.arrays {
            targets.any |=
                input.module.arrays[array].space != Space::Private || self.holds_other(array, slot);
            if let Some(contents) = self.contents.get(&array) {
                targets.absorb(contents);
            }
        }
        targets
    }

    fn of_instruction(&self, input: &Input<'_>, inst: Val) -> Targets {
        use LLVMOpcode::*;
        let union = |operands: &mut dyn Iterator<Item = Val>| {
            let mut targets = Targets::default();
            for operand in operands.filter(|&operand| input.holds_pointer(operand)) {
                targets.absorb(&self.of(input, operand));
            }
            targets
        };
        match inst.opcode() {
            LLVMAlloca => {
                input.arrays.at(Home::Variable(inst)).map_or_else(Targets::anything, Targets::one)
            }
            LLVMGetElementPtr => self.of(input, inst.operand(0)),
            LLVMBitCast | LLVMAddrSpaceCast | LLVMFreeze | LLVMPHI | LLVMInsertValue
            | LLVMExtractValue | LLVMInsertElement | LLVMExtractElement | LLVMShuffleVector => {
                union(&mut inst.operands())
            }
            LLVMSelect => union(&mut inst.operands().skip(1)),
            LLVMLoad => self.loaded(input, inst.operand(0), size_of(input.llvm, inst.ty())),
            _ => Targets::anything(),
        }
    }

    /// The set of any value, constants included.
    fn of(&self, input: &Input<'_>, value: Val) -> Targets {
        if let Some(targets) = of_constant(input.arrays, value) {
            return targets;
        }
        if value.kind() == LLVMValueKind::LLVMArgumentValueKind {
            return self.of_argument(input, value);
        }
        self.values.get(&value).cloned().unwrap_or_default()
    }

    fn of_argument(&self, input: &Input<'_>, argument: Val) -> Targets {
        if let Some(&place) = input.kernels_params.get(&argument) {
            return input
                .arrays
                .at(Home::Param(place))
                .map_or_else(Targets::anything, Targets::one);
        }
        self.values.get(&argument).cloned().unwrap_or_default()
    }

    /// A parameter may be whatever calls pass. Calls may be recursive, so this is a
    /// constraint like any other.
    fn pass_arguments(&mut self, input: &Input<'_>, param: Val, arguments: &[Val]) -> bool {
        let mut changed = false;
        for &argument in arguments {
            let targets = self.of(input, argument);
            changed |= self.values.entry(param).or_default().absorb(&targets);
        }
        changed
    }
}

/// Calls that write nothing through their arguments. Not what stands for an array
/// that is not initialised ([`crate::prepare::ESCAPE`]): it may hold anything.
fn has_no_effect(name: &str) -> bool {
    ["llvm.dbg.", "llvm.lifetime.", "llvm.invariant.", "llvm.assume"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
        || matches!(name, "printf" | "vprintf")
        || declares_fresh_array(name)
}

/// The set of a constant pointer.
pub fn of_constant(arrays: &Arrays, value: Val) -> Option<Targets> {
    use LLVMValueKind::*;
    match value.kind() {
        LLVMGlobalVariableValueKind | LLVMFunctionValueKind => {
            Some(arrays.at(Home::Variable(value)).map_or_else(Targets::anything, Targets::one))
        }
        LLVMConstantPointerNullValueKind | LLVMConstantAggregateZeroValueKind => {
            Some(Targets::nothing())
        }
        LLVMConstantExprValueKind => match value.const_opcode() {
            LLVMOpcode::LLVMGetElementPtr
            | LLVMOpcode::LLVMBitCast
            | LLVMOpcode::LLVMAddrSpaceCast => of_constant(arrays, value.operand(0)),
            _ => Some(Targets::anything()),
        },
        LLVMUndefValueValueKind | LLVMPoisonValueKind => Some(Targets::anything()),
        _ if value.is_constant() => Some(Targets::anything()),
        _ => None,
    }
}

impl<'a> Input<'a> {
    fn gather(
        llvm: LLVMModuleRef,
        functions: &[Val],
        arrays: &'a Arrays,
        module: &'a Module,
    ) -> Input<'a> {
        let mut input = Input {
            llvm,
            arrays,
            module,
            incoming: HashMap::new(),
            kernels_params: HashMap::new(),
            returns: HashMap::new(),
        };
        for place in arrays.param_names.keys().filter(|place| place.offset == 0) {
            let param = place.kernel.params()[place.index as usize];
            input.kernels_params.insert(param, *place);
        }
        for &function in functions {
            for inst in function.blocks().into_iter().flat_map(Bb::instructions) {
                input.gather_call(function, inst);
            }
        }
        input
    }

    fn gather_call(&mut self, function: Val, inst: Val) {
        match inst.opcode() {
            LLVMOpcode::LLVMRet if inst.num_operands() == 1 => {
                self.returns.entry(function).or_default().push(inst.operand(0));
            }
            LLVMOpcode::LLVMCall => {
                let callee = inst.callee();
                if callee.is_function() && !callee.is_declaration() {
                    for (param, argument) in callee.params().into_iter().zip(inst.arguments()) {
                        self.incoming.entry(param).or_default().push(argument);
                    }
                }
            }
            _ => {}
        }
    }

    /// Does the value contain a pointer?
    fn holds_pointer(&self, value: Val) -> bool {
        let ty = value.ty();
        match layout::leaf_kind(ty) {
            Ok(LeafKind::Pointer(_)) => true,
            Ok(LeafKind::Scalar(_)) => false,
            Err(_) => layout::leaves(self.llvm, ty).is_ok_and(|leaves| {
                leaves.iter().any(|leaf| matches!(leaf.kind, LeafKind::Pointer(_)))
            }),
        }
    }
}

/// A helper for [`crate::llvm_to_ir::memory`]: the Duet space of an LLVM address space, where
/// it is a certain one.
pub fn space_of(language: duet_ir::Language, address_space: u32) -> Option<Space> {
    use duet_ir::Language::*;
    match (language, address_space) {
        (_, 1) => Some(Space::Global),
        (_, 3) => Some(Space::Shared),
        (Cuda, 4) | (OpenCl, 2) => Some(Space::Constant),
        (Cuda, 5) | (OpenCl, 0) => Some(Space::Private),
        _ => None,
    }
}
