//! Where values are defined. Exact; linear in the function.

use duet_ir::{Block, Function, SecondaryMap, Value};

/// The block that defines each value.
#[derive(Clone, Debug)]
pub struct Homes {
    blocks: SecondaryMap<Value, Option<Block>>,
}

impl Homes {
    /// Of a function.
    pub fn new(func: &Function) -> Homes {
        let mut blocks = SecondaryMap::new();
        for &block in &func.layout {
            let data = &func.blocks[block];
            let results = data.insts.iter().flat_map(|&inst| &func.results_of[inst]);
            data.params.iter().chain(results).for_each(|&value| blocks[value] = Some(block));
        }
        Homes { blocks }
    }

    /// The block; none for constants and the function's own parameters.
    pub fn of(&self, value: Value) -> Option<Block> {
        self.blocks[value]
    }
}
