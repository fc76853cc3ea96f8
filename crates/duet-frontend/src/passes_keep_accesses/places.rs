//! Where pointers can point, found without any help of LLVM's passes: a points-to
//! analysis of one function, with the fields of variables kept apart and the
//! order of instructions ignored, so that the answer is a superset.

use std::collections::{BTreeSet, HashMap};

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use crate::llvm::{Bb, Ty, Val};
use crate::prepare::{self, field_offset, size_of};

/// OpenCL's private address space (and CUDA's generic one), and OpenCL's generic
/// one: only these can hold pointers to variables.
const MAY_BE_PRIVATE: [u32; 2] = [0, 4];
/// Offsets of one variable that are told apart; beyond them any offset is meant.
const MAX_OFFSETS: usize = 16;

/// What a pointer can point to. Variables are named by their number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Target {
    /// A byte of a variable; any byte, if it is `None`.
    Variable(usize, Option<u64>),
    /// Anything else.
    Elsewhere,
}

type Targets = BTreeSet<Target>;

/// What the pointers of a function can point to.
pub struct Places {
    module: LLVMModuleRef,
    variables: HashMap<Val, usize>,
    values: HashMap<Val, Targets>,
    /// Pointers held in variables, by variable and offset.
    memory: HashMap<(usize, Option<u64>), Targets>,
    changed: bool,
}

impl Places {
    /// Analyses a function.
    pub fn of(module: LLVMModuleRef, function: Val) -> Places {
        let insts: Vec<Val> = function.blocks().into_iter().flat_map(Bb::instructions).collect();
        let allocas = insts.iter().copied().filter(|inst| inst.opcode() == LLVMOpcode::LLVMAlloca);
        let mut places = Places {
            module,
            variables: allocas.enumerate().map(|(number, alloca)| (alloca, number)).collect(),
            values: HashMap::new(),
            memory: HashMap::new(),
            changed: true,
        };
        while std::mem::take(&mut places.changed) {
            insts.iter().for_each(|&inst| places.visit(inst));
        }
        places
    }

    /// Does the pointer point into variables of the function and nowhere else?
    pub fn is_private(&self, pointer: Val) -> bool {
        if !MAY_BE_PRIVATE.contains(&pointer.ty().address_space()) {
            return false;
        }
        let targets = self.targets(pointer);
        !targets.is_empty() && !targets.contains(&Target::Elsewhere)
    }

    fn targets(&self, pointer: Val) -> Targets {
        if pointer.is_instruction() {
            return self.values.get(&pointer).cloned().unwrap_or_default();
        }
        match pointer.kind() {
            LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind => {
                Targets::new()
            }
            _ => Targets::from([Target::Elsewhere]),
        }
    }

    /// Takes an instruction into account.
    fn visit(&mut self, inst: Val) {
        match inst.opcode() {
            LLVMOpcode::LLVMStore => self.store(inst),
            LLVMOpcode::LLVMCall => self.call(inst),
            _ => {}
        }
        if inst.ty().is_pointer() {
            let targets = self.result(inst);
            let known = self.values.entry(inst).or_default();
            let before = known.len();
            known.extend(targets);
            collapse(known);
            self.changed |= known.len() != before;
        }
    }

    /// What the instruction's result can point to.
    fn result(&self, inst: Val) -> Targets {
        match inst.opcode() {
            LLVMOpcode::LLVMAlloca => {
                Targets::from([Target::Variable(self.variables[&inst], Some(0))])
            }
            LLVMOpcode::LLVMGetElementPtr => {
                let step = constant_offset(self.module, inst);
                self.targets(inst.operand(0))
                    .into_iter()
                    .map(|target| shift(target, step))
                    .collect()
            }
            LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMAddrSpaceCast | LLVMOpcode::LLVMFreeze => {
                self.targets(inst.operand(0))
            }
            LLVMOpcode::LLVMSelect => {
                &self.targets(inst.operand(1)) | &self.targets(inst.operand(2))
            }
            LLVMOpcode::LLVMPHI => inst.operands().flat_map(|value| self.targets(value)).collect(),
            LLVMOpcode::LLVMLoad => {
                self.targets(inst.operand(0)).into_iter().flat_map(|at| self.held_at(at)).collect()
            }
            LLVMOpcode::LLVMCall if is_opaque(inst) => Targets::new(),
            _ => Targets::from([Target::Elsewhere]),
        }
    }

    /// The pointers held where a target is.
    fn held_at(&self, target: Target) -> Targets {
        let Target::Variable(variable, offset) = target else {
            return Targets::from([Target::Elsewhere]);
        };
        let overlaps = |at: Option<u64>| at.is_none() || offset.is_none() || at == offset;
        let fields = self.memory.iter().filter(|((of, at), _)| *of == variable && overlaps(*at));
        fields.flat_map(|(_, targets)| targets.iter().copied()).collect()
    }

    /// Notes pointers that are put where `targets` are.
    fn hold(&mut self, targets: &Targets, pointers: &Targets) {
        for target in targets {
            let Target::Variable(variable, offset) = *target else { continue };
            let held = self.memory.entry((variable, offset)).or_default();
            let before = held.len();
            held.extend(pointers);
            collapse(held);
            self.changed |= held.len() != before;
        }
    }

    fn store(&mut self, store: Val) {
        let value = store.operand(0);
        let pointers = match value.ty().is_pointer() {
            true => self.targets(value),
            false if is_opaque(value) || value.ty().int_width() < 32 => Targets::new(),
            // Could be the bits of a pointer.
            false => Targets::from([Target::Elsewhere]),
        };
        self.hold(&self.targets(store.operand(1)), &pointers);
    }

    fn call(&mut self, call: Val) {
        let name = call.callee().name();
        let args = call.arguments();
        if name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memmove.") {
            self.copy(args[0], args[1]);
        } else if !name.starts_with("llvm.") && name != prepare::ESCAPE {
            // The callee may put any pointer into a variable whose address it gets.
            for arg in args.into_iter().filter(|arg| arg.ty().is_pointer()) {
                let anywhere = self.targets(arg).into_iter().map(|target| shift(target, None));
                self.hold(&anywhere.collect(), &Targets::from([Target::Elsewhere]));
            }
        }
    }

    /// A copy carries the pointers of the source along, at their offsets.
    fn copy(&mut self, to: Val, from: Val) {
        for from in self.targets(from) {
            let Target::Variable(variable, start) = from else {
                let anywhere = self.targets(to).into_iter().map(|target| shift(target, None));
                self.hold(&anywhere.collect(), &Targets::from([Target::Elsewhere]));
                continue;
            };
            let fields: Vec<(Option<u64>, Targets)> = self
                .memory
                .iter()
                .filter(|((of, _), _)| *of == variable)
                .map(|((_, at), targets)| (*at, targets.clone()))
                .collect();
            for (at, pointers) in fields {
                let step = at.zip(start).map(|(at, start)| at.wrapping_sub(start));
                let to: Targets =
                    self.targets(to).into_iter().map(|target| shift(target, step)).collect();
                self.hold(&to, &pointers);
            }
        }
    }
}

fn shift(target: Target, step: Option<u64>) -> Target {
    match target {
        Target::Variable(variable, offset) => {
            let sum = offset.zip(step).map(|(offset, step)| offset.wrapping_add(step));
            Target::Variable(variable, sum)
        }
        Target::Elsewhere => Target::Elsewhere,
    }
}

/// Forgets offsets where there are too many, so that the analysis ends.
fn collapse(targets: &mut Targets) {
    if targets.len() > MAX_OFFSETS {
        *targets = targets.iter().map(|&target| shift(target, None)).collect();
    }
}

fn is_opaque(value: Val) -> bool {
    value.is_instruction()
        && value.opcode() == LLVMOpcode::LLVMCall
        && value.callee().name().starts_with(prepare::UNINITIALISED)
}

/// The bytes that address arithmetic adds, if they are a constant.
fn constant_offset(module: LLVMModuleRef, gep: Val) -> Option<u64> {
    // SAFETY: the value is a `getelementptr`.
    let mut ty = Ty(unsafe { LLVMGetGEPSourceElementType(gep.0) });
    let mut offset = 0u64;
    for (position, index) in gep.operands().skip(1).enumerate() {
        let index = index.const_u64()?;
        let step = match ty.kind() {
            _ if position == 0 => index.wrapping_mul(size_of(module, ty)),
            LLVMTypeKind::LLVMStructTypeKind => {
                let start = field_offset(module, ty, index as u32);
                ty = ty.fields()[index as usize];
                start
            }
            _ => {
                ty = ty.element();
                index.wrapping_mul(size_of(module, ty))
            }
        };
        offset = offset.wrapping_add(step);
    }
    Some(offset)
}
