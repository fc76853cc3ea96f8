//! Loops in which threads wait for each other.
//!
//! A thread that leaves such a loop, while others of its block go on in it, is at none of
//! their barriers again, whatever it does then. So a run must know which loops a thread
//! has entered: here each outermost loop with a meeting point gets a bit. An outermost
//! loop that was left is never entered again, so one bit for the whole run will do.

use duet_ir::{Block, EntityRef, Function, InstData};

/// The bit of the outermost loop with a meeting point that each block is in, or zero. From
/// the 64th such loop on they share the last bit.
pub(super) fn barrier_loops(function: &Function) -> Vec<u64> {
    let mut bits = vec![0; function.blocks.len()];
    let mut next = 1;
    for component in Components::of(function) {
        let meets = |&block: &usize| {
            let insts = &function.blocks[Block::new(block)].insts;
            insts.iter().any(|&inst| is_meeting_point(&function.insts[inst]))
        };
        if is_loop(function, &component) && component.iter().any(meets) {
            component.iter().for_each(|&block| bits[block] = next);
            next = (next << 1).max(next & 1 << 63);
        }
    }
    bits
}

fn is_meeting_point(data: &InstData) -> bool {
    data.barrier_scope().is_some()
        || data.is_meeting_point_of_warp()
        || matches!(data, InstData::Call { .. })
}

/// Can control come back to a block of the component?
fn is_loop(function: &Function, component: &[usize]) -> bool {
    let leads_back = |&block: &usize| successors(function, block).contains(&block);
    component.len() > 1 || component.iter().any(leads_back)
}

fn successors(function: &Function, block: usize) -> Vec<usize> {
    function.successors(Block::new(block)).map(|next| next.index()).collect()
}

/// Tarjan's search for strongly connected components, without recursion.
struct Components {
    /// When each block was found; zero if it was not.
    found: Vec<usize>,
    /// The earliest block on the stack that each block leads back to.
    low: Vec<usize>,
    stack: Vec<usize>,
    is_on_stack: Vec<bool>,
    done: Vec<Vec<usize>>,
}

impl Components {
    fn of(function: &Function) -> Vec<Vec<usize>> {
        let len = function.blocks.len();
        let mut search = Components {
            found: vec![0; len],
            low: vec![0; len],
            stack: vec![],
            is_on_stack: vec![false; len],
            done: vec![],
        };
        let mut clock = 0;
        for &root in &function.layout {
            if search.found[root.index()] == 0 {
                search.explore(function, root.index(), &mut clock);
            }
        }
        search.done
    }

    fn explore(&mut self, function: &Function, root: usize, clock: &mut usize) {
        let mut path = vec![(root, self.enter(function, root, clock))];
        while let Some((block, open)) = path.last_mut() {
            let block = *block;
            match open.pop() {
                Some(next) if self.found[next] == 0 => {
                    path.push((next, self.enter(function, next, clock)));
                }
                Some(next) if self.is_on_stack[next] => {
                    self.low[block] = self.low[block].min(self.found[next]);
                }
                Some(_) => {}
                None => {
                    self.leave(block);
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        self.low[parent] = self.low[parent].min(self.low[block]);
                    }
                }
            }
        }
    }

    /// Notes that a block was found; gives the blocks to look at next.
    fn enter(&mut self, function: &Function, block: usize, clock: &mut usize) -> Vec<usize> {
        *clock += 1;
        self.found[block] = *clock;
        self.low[block] = *clock;
        self.stack.push(block);
        self.is_on_stack[block] = true;
        successors(function, block)
    }

    /// All that the block leads to was looked at: it may be the first of a component.
    fn leave(&mut self, block: usize) {
        if self.low[block] != self.found[block] {
            return;
        }
        let at = self.stack.iter().rposition(|&other| other == block).unwrap_or(0);
        let component = self.stack.split_off(at);
        component.iter().for_each(|&member| self.is_on_stack[member] = false);
        self.done.push(component);
    }
}
