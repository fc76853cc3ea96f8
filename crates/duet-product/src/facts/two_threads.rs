//! Annotations that name the other thread, and the ghost values they are made of.

use std::collections::BTreeSet;

use duet_ir::{AnnotationKind, Function, GhostKind, Inst, InstData, Value, ValueDef};

use super::KernelFacts;

impl KernelFacts<'_> {
    /// Does the assertion name the other thread, and nothing else that one thread does
    /// not know?
    pub fn is_about_two_threads(&self, inst: Inst) -> bool {
        let ghosts = ghosts_of(self.func, inst);
        ghosts.contains(&GhostKind::Other)
            && ghosts.iter().all(|ghost| {
                matches!(ghost, GhostKind::Other | GhostKind::SameBlock | GhostKind::Enabled)
            })
    }

    /// Is it an assumption about two threads that can be used: in code that is visited
    /// once, about values that are computed once?
    pub fn is_usable_of_two(&self, inst: Inst) -> bool {
        use AnnotationKind::{Assume, Contract, GlobalRequires, Requires};
        let InstData::Annotation { kind: Requires | GlobalRequires | Assume | Contract, .. } =
            self.func.insts[inst]
        else {
            return false;
        };
        let ghosts = ghost_insts_of(self.func, inst);
        self.is_about_two_threads(inst)
            && self.is_visited_once(inst)
            && ghosts.iter().all(|&ghost| {
                let mut args = self.func.insts[ghost].values().into_iter();
                self.is_visited_once(ghost) && args.all(|arg| self.is_computed_once(arg))
            })
    }

    fn is_visited_once(&self, inst: Inst) -> bool {
        self.block_of(inst).is_some_and(|block| self.loops.around(block).next().is_none())
    }

    fn is_computed_once(&self, value: Value) -> bool {
        match self.func.values[value] {
            ValueDef::BlockParam(block, _) => self.loops.around(block).next().is_none(),
            ValueDef::Result(inst, _) => self.is_visited_once(inst),
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => true,
        }
    }
}

/// The ghost values that an instruction depends on.
pub fn ghosts_of(func: &Function, inst: Inst) -> BTreeSet<GhostKind> {
    let kind = |inst: Inst| {
        let InstData::Ghost { kind, .. } = &func.insts[inst] else { return None };
        Some(*kind)
    };
    ghost_insts_of(func, inst).into_iter().filter_map(kind).collect()
}

/// The instructions that yield them.
pub fn ghost_insts_of(func: &Function, inst: Inst) -> BTreeSet<Inst> {
    let mut ghosts = BTreeSet::new();
    let mut seen: BTreeSet<Value> = BTreeSet::new();
    let mut open: Vec<Inst> = vec![inst];
    while let Some(inst) = open.pop() {
        if let InstData::Ghost { .. } = &func.insts[inst] {
            ghosts.insert(inst);
        }
        for value in func.insts[inst].values() {
            if let (true, ValueDef::Result(inst, _)) = (seen.insert(value), func.values[value]) {
                open.push(inst);
            }
        }
    }
    ghosts
}
