//! Values of the host program as terms, at one launch.
//!
//! An unknown stands for one dynamic value: the last one that an SSA value (or a place in
//! memory) had before the launch. That is the value that the launch's sizes and arguments
//! were computed from: if the definition of an operand dominates its user, and the user's
//! dominates the launch, then no later instance of the operand can come between the two
//! without another instance of the user. A head of a loop breaks the chain, so its phis
//! are unknowns with facts (`loops`), never followed around the back edge.
//!
//! SOUNDNESS: facts are added only about values whose definition dominates the launch;
//! what was not executed has no value that could satisfy them (test `traps`).

use std::collections::HashMap;

use duet_analysis::bits;
use duet_frontend::host::UNINITIALISED;
use duet_frontend::llvm::{self, Val};
use duet_ir::{BinaryOp, CastOp, IntCc, Type};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use crate::calls;
use crate::cfg::{self, Cfg};
use crate::memory::{Memory, Source, callee_name};
use crate::names::Names;
use crate::passes::is_signed;
use crate::relation::{Origin, Term, Terms, Unknown, UnknownData};

/// What a term was made for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// An SSA value.
    Value(Val),
    /// A place in memory.
    Source(Source, Type),
    /// How often a loop went round to get to this value.
    Count(Term),
    /// The result of a shift that goes too far, or of a conversion that is not exact.
    Undefined(Val),
}

/// The deepest that expressions are followed.
const MAX_DEPTH: usize = 60;
/// The most values that a merge is a choice of.
const MAX_CASES: usize = 8;

/// Makes terms for one launch.
pub struct Evaluator<'a> {
    pub cfg: &'a Cfg,
    pub memory: &'a Memory<'a>,
    pub names: &'a Names,
    pub terms: Terms,
    pub unknowns: Vec<UnknownData>,
    pub facts: Vec<Term>,
    /// The block of the launch.
    pub site: usize,
    memo: HashMap<Key, Term>,
    /// Where each unknown is defined; `None` if it may be another one at each use.
    pub defined: HashMap<Unknown, Option<usize>>,
    depth: usize,
}

/// What comes into a block from one of its predecessors.
#[derive(Clone, Copy)]
pub enum Incoming {
    Value(Val),
    Source(Source),
}

impl<'a> Evaluator<'a> {
    pub fn new(cfg: &'a Cfg, memory: &'a Memory<'a>, names: &'a Names, site: usize) -> Self {
        Evaluator {
            cfg,
            memory,
            names,
            terms: Terms::default(),
            unknowns: vec![],
            facts: vec![],
            site,
            memo: HashMap::new(),
            defined: HashMap::new(),
            depth: 0,
        }
    }

    /// A new unknown.
    pub fn fresh(&mut self, name: String, origin: Origin, ty: Type, block: Option<usize>) -> Term {
        let unknown = Unknown(self.unknowns.len() as u32);
        self.unknowns.push(UnknownData { name, origin, ty });
        self.defined.insert(unknown, block);
        self.terms.unknown(unknown, ty)
    }

    /// The unknown of a key, made at first use.
    pub fn unknown(&mut self, key: Key, name: String, origin: Origin, ty: Type) -> Term {
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let block = match key {
            Key::Value(value) | Key::Undefined(value) => Some(self.cfg.block_of(value)),
            Key::Source(Source::Changed(inst, _), _) => Some(self.cfg.block_of(inst)),
            Key::Source(Source::Stored(value), _) => Some(self.cfg.block_of(value)),
            Key::Source(Source::Merged(_, block), _) => Some(block),
            Key::Source(Source::Zero | Source::Entry(_), _) => Some(0),
            Key::Count(_) => None,
        };
        let term = self.fresh(name, origin, ty, block);
        self.memo.insert(key, term);
        term
    }

    /// The term of a value.
    pub fn value(&mut self, value: Val) -> Term {
        let Some(ty) = scalar_type(value) else {
            return self.of_other_type(value);
        };
        if let Some(bits) = value.const_bits() {
            return self.terms.constant(bits, ty);
        }
        if let Some(bits) = llvm::float_bits(value) {
            return self.terms.constant(bits, ty);
        }
        if value.kind() == LLVMValueKind::LLVMConstantPointerNullValueKind {
            return self.terms.constant(0, ty);
        }
        if matches!(
            value.kind(),
            LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind
        ) {
            return self.fresh("an uninitialised value".into(), Origin::Uninitialised, ty, None);
        }
        let key = Key::Value(value);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        if self.depth > MAX_DEPTH || !value.is_instruction() {
            return self.leaf(value, ty);
        }
        self.depth += 1;
        let term = self.instruction(value, ty);
        self.depth -= 1;
        self.terms.set_name(term, self.names.of(value));
        // A loop's own unknown was kept on the way.
        *self.memo.entry(key).or_insert(term)
    }

    fn of_other_type(&mut self, value: Val) -> Term {
        self.unknown(Key::Value(value), self.names.of(value), Origin::Memory, Type::I64)
    }

    /// A value that is not followed further.
    fn leaf(&mut self, value: Val, ty: Type) -> Term {
        let origin = self.origin(value);
        let name = self.name(value);
        self.unknown(Key::Value(value), name, origin, ty)
    }

    fn name(&self, value: Val) -> String {
        let name = self.names.of(value);
        match callee_name(value) {
            Some(callee) if name.is_empty() => format!("{}()", self.names.function(&callee)),
            _ if name.is_empty() => "a value".to_string(),
            _ => name,
        }
    }

    fn origin(&self, value: Val) -> Origin {
        if value.kind() == LLVMValueKind::LLVMArgumentValueKind {
            let function = self.cfg.function.name();
            return match function == "main" {
                true => Origin::Input,
                false => Origin::Parameter(self.names.function(&function)),
            };
        }
        let Some(callee) = callee_name(value) else {
            return if scalar_type(value).is_some_and(Type::is_float) {
                Origin::Float
            } else {
                Origin::Memory
            };
        };
        origin_of_call(&callee, self.names)
    }

    fn instruction(&mut self, inst: Val, ty: Type) -> Term {
        use LLVMOpcode::*;
        let opcode = inst.opcode();
        if let (Some(op), Type::Int(_)) = (binary_op(opcode), ty) {
            return self.arithmetic(inst, op, ty);
        }
        match opcode {
            LLVMICmp => self.comparison(inst, ty),
            LLVMSelect => {
                let cond = self.value(inst.operand(0));
                let (a, b) = (self.value(inst.operand(1)), self.value(inst.operand(2)));
                self.terms.select(cond, a, b)
            }
            LLVMTrunc | LLVMZExt | LLVMSExt
                if inst.operand(0).ty().kind() == LLVMTypeKind::LLVMIntegerTypeKind =>
            {
                let op = match opcode {
                    LLVMTrunc => CastOp::Trunc,
                    LLVMZExt => CastOp::ZExt,
                    _ => CastOp::SExt,
                };
                let arg = self.value(inst.operand(0));
                self.terms.cast(op, arg, ty)
            }
            LLVMFPToSI | LLVMFPToUI => self.float_to_int(inst, ty),
            LLVMFreeze => self.value(inst.operand(0)),
            LLVMPHI => self.phi(inst, ty),
            LLVMLoad => self.load(inst, ty),
            LLVMCall => self.call(inst, ty),
            _ => self.leaf(inst, ty),
        }
    }

    fn arithmetic(&mut self, inst: Val, op: BinaryOp, ty: Type) -> Term {
        let (a, b) = (self.value(inst.operand(0)), self.value(inst.operand(1)));
        let term = self.terms.binary(op, is_signed(inst), a, b);
        if !matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
            return term;
        }
        // SOUNDNESS: the machine does as it likes where a shift goes too far (trap 27 of the
        // test `traps`).
        let width = ty.bits().unwrap_or(128);
        let limit = self.terms.constant(u128::from(width), ty);
        let fits = self.terms.compare(IntCc::Ult, b, limit);
        match self.terms.bits(fits) {
            Some(1) => term,
            _ => {
                let other =
                    self.unknown(Key::Undefined(inst), "a shift".into(), Origin::Uninitialised, ty);
                self.terms.select(fits, term, other)
            }
        }
    }

    fn comparison(&mut self, inst: Val, ty: Type) -> Term {
        if inst.operand(0).ty().kind() != LLVMTypeKind::LLVMIntegerTypeKind {
            return self.leaf(inst, ty);
        }
        let (a, b) = (self.value(inst.operand(0)), self.value(inst.operand(1)));
        // SAFETY: the value is an integer comparison of a module that is alive.
        let cc = match unsafe { LLVMGetICmpPredicate(inst.0) } {
            LLVMIntPredicate::LLVMIntEQ => IntCc::Eq,
            LLVMIntPredicate::LLVMIntNE => IntCc::Ne,
            LLVMIntPredicate::LLVMIntUGT => IntCc::Ugt,
            LLVMIntPredicate::LLVMIntUGE => IntCc::Uge,
            LLVMIntPredicate::LLVMIntULT => IntCc::Ult,
            LLVMIntPredicate::LLVMIntULE => IntCc::Ule,
            LLVMIntPredicate::LLVMIntSGT => IntCc::Sgt,
            LLVMIntPredicate::LLVMIntSGE => IntCc::Sge,
            LLVMIntPredicate::LLVMIntSLT => IntCc::Slt,
            LLVMIntPredicate::LLVMIntSLE => IntCc::Sle,
        };
        self.terms.compare(cc, a, b)
    }

    fn call(&mut self, call: Val, ty: Type) -> Term {
        let name = callee_name(call).unwrap_or_default();
        let cc = match name.split('.').take(2).collect::<Vec<_>>()[..] {
            ["llvm", "smin"] => IntCc::Slt,
            ["llvm", "smax"] => IntCc::Sgt,
            ["llvm", "umin"] => IntCc::Ult,
            ["llvm", "umax"] => IntCc::Ugt,
            ["__duet_pitch"] => return self.pitch(call, ty),
            _ => return self.leaf(call, ty),
        };
        if !ty.is_int() {
            return self.leaf(call, ty);
        }
        let (a, b) = (self.value(call.operand(0)), self.value(call.operand(1)));
        let first = self.terms.compare(cc, a, b);
        self.terms.select(first, a, b)
    }

    /// Rows of a pitched allocation are at least as long as what was asked for, and no
    /// longer than the largest pitch that CUDA has (`memPitch`).
    fn pitch(&mut self, call: Val, ty: Type) -> Term {
        let pitch = self.leaf(call, ty);
        if self.cfg.dominates(self.cfg.block_of(call), self.site) {
            let width = self.value(call.operand(0));
            let most = self.terms.constant(i32::MAX as u128, ty);
            let fact = self.terms.compare(IntCc::Uge, pitch, width);
            self.facts.push(fact);
            let fact = self.terms.compare(IntCc::Ule, pitch, most);
            self.facts.push(fact);
        }
        pitch
    }

    fn load(&mut self, load: Val, ty: Type) -> Term {
        // SAFETY: the value is a load of a module that is alive.
        let atomic = unsafe { LLVMGetOrdering(load.0) }
            != inkwell::llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic;
        let size = self.memory.size_of(load);
        let spot = self.memory.spot(load.operand(0), size);
        let spot =
            spot.filter(|&spot| !load.is_volatile() && !atomic && self.memory.is_steady(spot));
        let Some(spot) = spot else { return self.leaf(load, ty) };
        let source = self.memory.resolve(self.memory.source_before(spot, load));
        self.source(source, ty, &self.names.of(load))
    }

    /// The term of what is in memory.
    pub fn source(&mut self, source: Source, ty: Type, name: &str) -> Term {
        let key = Key::Source(source, ty);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let name = match name.is_empty() {
            true => self.name_of_source(source),
            false => name.to_string(),
        };
        match source {
            Source::Stored(value) => match scalar_type(value) {
                Some(found) if found == ty => self.value(value),
                Some(found) if found.bits() == ty.bits() => {
                    let term = self.value(value);
                    self.terms.cast(CastOp::Bitcast, term, ty)
                }
                _ => self.unknown(key, name, Origin::Memory, ty),
            },
            Source::Zero => self.terms.constant(0, ty),
            Source::Changed(inst, _) => {
                let origin = match callee_name(inst) {
                    Some(callee) => origin_of_call(&callee, self.names),
                    None if inst.opcode_is_alloca() => Origin::Uninitialised,
                    None => Origin::Memory,
                };
                self.unknown(key, name, origin, ty)
            }
            Source::Entry(spot) => match self.memory.initial(spot) {
                Some(value) if scalar_type(value) == Some(ty) => self.value(value),
                _ => self.unknown(key, name, Origin::Memory, ty),
            },
            Source::Merged(spot, block) => {
                if self.depth > MAX_DEPTH {
                    return self.unknown(key, name, Origin::Memory, ty);
                }
                let incoming: Vec<(usize, Incoming)> = self.cfg.preds[block]
                    .clone()
                    .into_iter()
                    .map(|pred| (pred, Incoming::Source(self.memory.source_at_end(spot, pred))))
                    .collect();
                self.depth += 1;
                let term = self.merged(key, block, &incoming, ty, name);
                self.depth -= 1;
                *self.memo.entry(key).or_insert(term)
            }
        }
    }

    fn name_of_source(&self, source: Source) -> String {
        match source {
            Source::Changed(_, spot) | Source::Entry(spot) | Source::Merged(spot, _) => {
                match self.names.of(spot.object) {
                    name if name.is_empty() => "a value in memory".to_string(),
                    name => name,
                }
            }
            Source::Stored(value) => self.names.of(value),
            Source::Zero => String::new(),
        }
    }

    fn phi(&mut self, phi: Val, ty: Type) -> Term {
        let block = self.cfg.block_of(phi);
        let incoming: Vec<(usize, Incoming)> = self.cfg.preds[block]
            .iter()
            .map(|&pred| (pred, Incoming::Value(cfg::incoming(phi, self.cfg.blocks[pred]))))
            .collect();
        let name = self.name(phi);
        self.merged(Key::Value(phi), block, &incoming, ty, name)
    }

    /// The term of what comes into a block.
    pub fn incoming(&mut self, incoming: Incoming, ty: Type) -> Term {
        match incoming {
            Incoming::Value(value) => self.value(value),
            Incoming::Source(source) => self.source(source, ty, ""),
        }
    }

    fn merged(
        &mut self,
        key: Key,
        block: usize,
        incoming: &[(usize, Incoming)],
        ty: Type,
        name: String,
    ) -> Term {
        if !self.cfg.is_reducible || !ty.is_int() {
            return self.unknown(key, name, Origin::Choice, ty);
        }
        if self.cfg.is_head(block) {
            return self.loop_value(key, block, incoming, ty, name);
        }
        let mut cases: Vec<(usize, Term)> = vec![];
        for &(pred, from) in incoming {
            let term = self.incoming(from, ty);
            cases.push((pred, term));
        }
        if cases.iter().all(|(_, term)| *term == cases[0].1) {
            return cases[0].1;
        }
        if let Some(term) = self.two_sides(block, &cases) {
            return term;
        }
        let choice = self.unknown(key, name, Origin::Choice, ty);
        let mut values: Vec<Term> = cases.iter().map(|(_, term)| *term).collect();
        values.sort();
        values.dedup();
        if values.len() <= MAX_CASES && self.cfg.dominates(block, self.site) {
            let mut any = self.terms.constant(0, Type::BOOL);
            for value in values {
                let is = self.terms.compare(IntCc::Eq, choice, value);
                any = self.terms.or(any, is);
            }
            self.facts.push(any);
        }
        choice
    }

    /// `cond ? a : b`, if the branch that dominates the block decides between the two.
    fn two_sides(&mut self, block: usize, cases: &[(usize, Term)]) -> Option<Term> {
        let fork = self.cfg.idom[block];
        let cond = branch_condition(self.cfg, fork)?;
        let (then, other) = (self.cfg.succs[fork][0], self.cfg.succs[fork][1]);
        if then == other {
            return None;
        }
        let (mut yes, mut no): (Option<Term>, Option<Term>) = (None, None);
        for &(pred, term) in cases {
            let on = |side: usize| {
                pred == fork && side == block || self.cfg.edge_dominates(fork, side, pred)
            };
            let slot = match (on(then), on(other)) {
                (true, false) => &mut yes,
                (false, true) => &mut no,
                _ => return None,
            };
            if slot.is_some_and(|known| known != term) {
                return None;
            }
            *slot = Some(term);
        }
        let (yes, no) = (yes?, no?);
        let cond = self.value(cond);
        Some(self.terms.select(cond, yes, no))
    }

    /// The conditions that hold whenever a block is reached, from within `inside` only.
    pub fn conditions_at(&mut self, block: usize, until: usize) -> Vec<Term> {
        let mut found = vec![];
        let mut at = block;
        while at != until && at != 0 {
            at = self.cfg.idom[at];
            let terminator = self.cfg.blocks[at].terminator();
            if let Some(cond) = branch_condition(self.cfg, at) {
                let (then, other) = (self.cfg.succs[at][0], self.cfg.succs[at][1]);
                let yes = self.cfg.edge_dominates(at, then, block);
                let no = self.cfg.edge_dominates(at, other, block);
                if yes == no {
                    continue;
                }
                let term = self.value(cond);
                found.push(if yes { term } else { self.terms.not(term) });
            } else if terminator.opcode() == LLVMOpcode::LLVMSwitch {
                self.switch_conditions(at, block, terminator, &mut found);
            }
        }
        found
    }

    fn switch_conditions(&mut self, at: usize, block: usize, switch: Val, found: &mut Vec<Term>) {
        let nexts = self.cfg.succs[at].clone();
        for (number, &next) in nexts.iter().enumerate().skip(1) {
            if self.cfg.edge_dominates(at, next, block) {
                let value = self.value(switch.operand(0));
                // Operands: value, default, then case and target by turns.
                let case = self.value(switch.operand(2 * number as u32));
                found.push(self.terms.compare(IntCc::Eq, value, case));
            }
        }
    }

    /// The signed reading of a constant term.
    pub fn signed_bits(&self, term: Term) -> Option<i128> {
        let width = self.terms.ty(term).bits()?;
        self.terms.bits(term).map(|value| bits::signed(value, width as u8))
    }
}

/// The condition of a block that ends with a branch to two others.
pub fn branch_condition(cfg: &Cfg, block: usize) -> Option<Val> {
    let terminator = cfg.blocks[block].terminator();
    let is_branch = terminator.opcode() == LLVMOpcode::LLVMBr && cfg.succs[block].len() == 2;
    is_branch.then(|| terminator.operand(0))
}

fn origin_of_call(callee: &str, names: &Names) -> Origin {
    if callee.starts_with(UNINITIALISED) {
        return Origin::Uninitialised;
    }
    if calls::is_input(callee) {
        return Origin::Input;
    }
    if callee == "__duet_fill"
        || callee.contains("cudaDeviceGetAttribute")
        || callee.contains("cudaOccupancy")
    {
        return Origin::Property;
    }
    Origin::Call(names.function(callee))
}

/// The type of a value, if it is a number or a pointer.
pub fn scalar_type(value: Val) -> Option<Type> {
    type_of(value.ty())
}

/// The type of numbers or pointers that this is.
pub fn type_of(ty: llvm::Ty) -> Option<Type> {
    match ty.kind() {
        LLVMTypeKind::LLVMIntegerTypeKind if ty.int_width() <= 128 => {
            Some(Type::Int(ty.int_width() as u8))
        }
        LLVMTypeKind::LLVMPointerTypeKind => Some(Type::I64),
        LLVMTypeKind::LLVMHalfTypeKind => Some(Type::F16),
        LLVMTypeKind::LLVMBFloatTypeKind => Some(Type::BF16),
        LLVMTypeKind::LLVMFloatTypeKind => Some(Type::F32),
        LLVMTypeKind::LLVMDoubleTypeKind => Some(Type::F64),
        _ => None,
    }
}

fn binary_op(opcode: LLVMOpcode) -> Option<BinaryOp> {
    Some(match opcode {
        LLVMOpcode::LLVMAdd => BinaryOp::Add,
        LLVMOpcode::LLVMSub => BinaryOp::Sub,
        LLVMOpcode::LLVMMul => BinaryOp::Mul,
        LLVMOpcode::LLVMUDiv => BinaryOp::UDiv,
        LLVMOpcode::LLVMSDiv => BinaryOp::SDiv,
        LLVMOpcode::LLVMURem => BinaryOp::URem,
        LLVMOpcode::LLVMSRem => BinaryOp::SRem,
        LLVMOpcode::LLVMShl => BinaryOp::Shl,
        LLVMOpcode::LLVMLShr => BinaryOp::LShr,
        LLVMOpcode::LLVMAShr => BinaryOp::AShr,
        LLVMOpcode::LLVMAnd => BinaryOp::And,
        LLVMOpcode::LLVMOr => BinaryOp::Or,
        LLVMOpcode::LLVMXor => BinaryOp::Xor,
        _ => return None,
    })
}
