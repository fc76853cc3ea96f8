//! Nodes and edges: under which condition a thread gets to a node, and with what.

use duet_ir::Terminator;
use duet_product::Node;
use duet_smt::TermId;

use super::values::Values;
use super::{Encoder, Visits};
use crate::ops;
use crate::walk::EndTerm;

impl Encoder<'_> {
    /// The condition, the parameters and the memory on arrival at a node.
    pub(super) fn enter(&mut self, node: Node) {
        let data = &self.values.region.nodes[node];
        if node == self.values.region.root() {
            let here = self.values.pool.tt();
            self.values.walk.reach.insert(node, here);
            self.memory.start(&mut self.values, node);
            if let Some(id) = data.cut {
                self.headers.cut(&mut self.values, &mut self.memory, node, id, vec![]);
            }
            return;
        }
        let mut incoming: Vec<(TermId, Vec<TermId>, Node)> = vec![];
        for (from, edge) in data.predecessors.clone() {
            if let Some(&guard) = self.edges.get(&(from, edge)) {
                incoming.push((guard, self.values.edge_args(from, edge), from));
            }
        }
        let guards: Vec<TermId> = incoming.iter().map(|(guard, _, _)| *guard).collect();
        let reach = self.values.join(&guards);
        self.values.walk.reach.insert(node, reach);
        let count = self.values.kernel.func.blocks[data.block].params.len();
        let merged: Vec<TermId> = (0..count)
            .map(|index| {
                let choices: Vec<(TermId, TermId)> =
                    incoming.iter().map(|(guard, args, _)| (*guard, args[index])).collect();
                self.values.choose(&choices)
            })
            .collect();
        self.memory.merge(&mut self.values, node, &incoming);
        match data.cut {
            Some(id) => self.headers.cut(&mut self.values, &mut self.memory, node, id, merged),
            None => {
                self.values.bind(data.block, &merged);
                if self.headers.visits_are != Visits::Ignored {
                    self.headers.note_visit(&mut self.values, node, merged);
                }
            }
        }
    }

    /// The conditions of the edges out of a node, and its end.
    pub(super) fn leave(&mut self, node: Node) {
        let data = &self.values.region.nodes[node];
        let reach = self.values.walk.reach[&node];
        if let Some(end) = data.finish {
            self.values.walk.ends.push(EndTerm { at: Values::end_of(node), end, guard: reach });
            return;
        }
        let terminator = self.values.kernel.func.blocks[data.block].terminator.clone();
        let conditions = self.edge_conditions(&terminator);
        for (edge, condition) in conditions.into_iter().enumerate() {
            let guard = self.values.pool.and2(reach, condition);
            self.edges.insert((node, edge), guard);
        }
    }

    pub(super) fn edge_conditions(&mut self, terminator: &Terminator) -> Vec<TermId> {
        match terminator {
            Terminator::Branch { cond, .. } => {
                let cond = self.values.term(*cond);
                vec![cond, self.values.pool.not(cond)]
            }
            Terminator::Switch { arg, cases, .. } => {
                let ty = self.values.kernel.func.type_of(*arg);
                let arg = self.values.term(*arg);
                let mut conditions: Vec<TermId> = cases
                    .iter()
                    .map(|(case, _)| {
                        let case = ops::constant(self.values.pool, *case, ty);
                        self.values.pool.eq(arg, case)
                    })
                    .collect();
                let any = self.values.pool.or(&conditions);
                conditions.push(self.values.pool.not(any));
                conditions
            }
            Terminator::Jump(_) => vec![self.values.pool.tt()],
            Terminator::Return(_) | Terminator::Halt => vec![],
        }
    }
}
