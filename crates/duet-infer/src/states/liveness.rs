//! Which values are still needed at the start of each block.

use std::collections::BTreeSet;

use duet_ir::{Block, Function, SecondaryMap, Value};

/// The values, apart from a block's own parameters, that it or a later block uses.
pub fn live_at_start(func: &Function) -> SecondaryMap<Block, BTreeSet<Value>> {
    let mut live: SecondaryMap<Block, BTreeSet<Value>> = SecondaryMap::new();
    loop {
        let mut changed = false;
        for &block in func.layout.iter().rev() {
            let now = live_before(func, block, &live);
            changed |= now != live[block];
            live[block] = now;
        }
        if !changed {
            return live;
        }
    }
}

fn live_before(
    func: &Function,
    block: Block,
    live: &SecondaryMap<Block, BTreeSet<Value>>,
) -> BTreeSet<Value> {
    let data = &func.blocks[block];
    let mut now: BTreeSet<Value> = data.terminator.values().into_iter().collect();
    for next in func.successors(block) {
        now.extend(&live[next]);
    }
    for &inst in data.insts.iter().rev() {
        func.results_of[inst].iter().for_each(|result| {
            now.remove(result);
        });
        now.extend(func.insts[inst].values());
    }
    data.params.iter().for_each(|param| {
        now.remove(param);
    });
    now
}
