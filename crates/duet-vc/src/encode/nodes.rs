//! Nodes and edges: under which condition a thread gets to a node, and with what.

use duet_ir::{Block, Terminator};
use duet_product::Node;
use duet_smt::TermId;

use super::{Encoder, Visits};
use crate::ops;
use crate::walk::EndTerm;

impl Encoder<'_> {
    /// The condition, the parameters and the memory on arrival at a node.
    pub(super) fn enter(&mut self, node: Node) {
        let data = &self.region.nodes[node];
        if node == self.region.root() {
            let here = self.pool.tt();
            self.walk.reach.insert(node, here);
            let memory = self.initial_memory();
            self.walk.memory.insert(node, memory);
            self.start_cells(node);
            if let Some(id) = data.cut {
                self.cut(node, id, vec![]);
            }
            return;
        }
        let mut incoming: Vec<(TermId, Vec<TermId>, Node)> = vec![];
        for (from, edge) in data.predecessors.clone() {
            if let Some(&guard) = self.edges.get(&(from, edge)) {
                incoming.push((guard, self.edge_args(from, edge), from));
            }
        }
        let guards: Vec<TermId> = incoming.iter().map(|(guard, _, _)| *guard).collect();
        let reach = self.join(&guards);
        self.walk.reach.insert(node, reach);
        let count = self.kernel.func.blocks[data.block].params.len();
        let merged: Vec<TermId> = (0..count)
            .map(|index| {
                let choices: Vec<(TermId, TermId)> =
                    incoming.iter().map(|(guard, args, _)| (*guard, args[index])).collect();
                self.choose(&choices)
            })
            .collect();
        let memory = self.merge_memory(&incoming);
        self.walk.memory.insert(node, memory);
        self.merge_cells(node, &incoming);
        match data.cut {
            Some(id) => self.cut(node, id, merged),
            None => {
                self.bind(data.block, &merged);
                if self.visits_are != Visits::Ignored {
                    self.note_visit(node, merged);
                }
            }
        }
    }

    pub(super) fn bind(&mut self, block: Block, terms: &[TermId]) {
        for (&param, &term) in self.kernel.func.blocks[block].params.iter().zip(terms) {
            self.define(param, term);
        }
    }

    /// The arguments of an edge, seen from where it starts.
    pub(super) fn edge_args(&mut self, from: Node, edge: usize) -> Vec<TermId> {
        let here = std::mem::replace(&mut self.node, from);
        let block = self.region.nodes[from].block;
        let args = self.kernel.func.blocks[block].terminator.edges()[edge].args.clone();
        let terms = args.into_iter().map(|arg| self.term(arg)).collect();
        self.node = here;
        terms
    }

    /// The value of whichever edge was taken: exactly one is.
    pub(super) fn choose(&mut self, choices: &[(TermId, TermId)]) -> TermId {
        let Some((&(_, last), rest)) = choices.split_last() else {
            return self.pool.ff();
        };
        rest.iter()
            .rev()
            .fold(last, |otherwise, &(guard, term)| self.pool.ite(guard, term, otherwise))
    }

    /// Disjunction of edge conditions, `a and c` and `a and not c` made `a`.
    pub(super) fn join(&mut self, guards: &[TermId]) -> TermId {
        let mut guards = guards.to_vec();
        'again: loop {
            for i in 0..guards.len() {
                for j in i + 1..guards.len() {
                    if let Some(merged) = self.complementary(guards[i], guards[j]) {
                        guards[i] = merged;
                        guards.remove(j);
                        continue 'again;
                    }
                }
            }
            return self.pool.or(&guards);
        }
    }

    /// What two conjunctions have in common, if they differ in one literal only,
    /// which is negated in the other.
    pub(super) fn complementary(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = (self.conjuncts(a), self.conjuncts(b));
        let only_x: Vec<TermId> = x.iter().copied().filter(|term| !y.contains(term)).collect();
        let only_y: Vec<TermId> = y.iter().copied().filter(|term| !x.contains(term)).collect();
        let ([p], [q]) = (&only_x[..], &only_y[..]) else { return None };
        if self.pool.not(*p) != *q {
            return None;
        }
        let common: Vec<TermId> = x.into_iter().filter(|term| y.contains(term)).collect();
        Some(self.pool.and(&common))
    }

    pub(super) fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        if let duet_smt::Op::And = self.pool.op(term) {
            self.pool.args(term).to_vec()
        } else {
            vec![term]
        }
    }

    /// The conditions of the edges out of a node, and its end.
    pub(super) fn leave(&mut self, node: Node) {
        let data = &self.region.nodes[node];
        let reach = self.walk.reach[&node];
        if let Some(end) = data.finish {
            self.walk.ends.push(EndTerm { at: Self::end_of(node), end, guard: reach });
            return;
        }
        let terminator = self.kernel.func.blocks[data.block].terminator.clone();
        let conditions = self.edge_conditions(&terminator);
        for (edge, condition) in conditions.into_iter().enumerate() {
            let guard = self.pool.and2(reach, condition);
            self.edges.insert((node, edge), guard);
        }
    }

    pub(super) fn edge_conditions(&mut self, terminator: &Terminator) -> Vec<TermId> {
        match terminator {
            Terminator::Branch { cond, .. } => {
                let cond = self.term(*cond);
                vec![cond, self.pool.not(cond)]
            }
            Terminator::Switch { arg, cases, .. } => {
                let ty = self.kernel.func.type_of(*arg);
                let arg = self.term(*arg);
                let mut conditions: Vec<TermId> = cases
                    .iter()
                    .map(|(case, _)| {
                        let case = ops::constant(self.pool, *case, ty);
                        self.pool.eq(arg, case)
                    })
                    .collect();
                let any = self.pool.or(&conditions);
                conditions.push(self.pool.not(any));
                conditions
            }
            Terminator::Jump(_) => vec![self.pool.tt()],
            Terminator::Return(_) | Terminator::Halt => vec![],
        }
    }
}
