//! Which line of a text each part of the module came from.

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::{Array, Block, Func, Inst, Loc, Place};

/// Line numbers, from 1, of the parts of a module that was read from text.
/// Tests use them to put messages on the offending line.
#[derive(Clone, Default, Debug)]
pub struct SourceLines {
    pub(super) arrays: SecondaryMap<Array, u32>,
    pub(super) locs: SecondaryMap<Loc, u32>,
    pub(super) functions: Vec<FunctionLines>,
}

/// Line numbers of the parts of a function.
#[derive(Clone, Default, Debug)]
pub(super) struct FunctionLines {
    pub header: u32,
    pub blocks: SecondaryMap<Block, u32>,
    pub insts: SecondaryMap<Inst, u32>,
    pub terminators: SecondaryMap<Block, u32>,
}

impl SourceLines {
    /// The line of a place; that of the enclosing part, or 1, where the text
    /// has no line for it.
    pub fn line_of(&self, place: Place) -> u32 {
        let line = match place {
            Place::Module => 1,
            Place::Array(array) => self.arrays[array],
            Place::Loc(loc) => self.locs[loc],
            Place::Function(func) => self.function(func).map_or(0, |lines| lines.header),
            Place::Block(func, block) => self.function(func).map_or(0, |l| l.blocks[block]),
            Place::Inst(func, inst) => self.function(func).map_or(0, |l| l.insts[inst]),
            Place::Terminator(func, block) => {
                self.function(func).map_or(0, |lines| lines.terminators[block])
            }
        };
        match (line, place.function()) {
            (0, Some(func)) => self.function(func).map_or(1, |lines| lines.header),
            (line, _) => line.max(1),
        }
    }

    fn function(&self, func: Func) -> Option<&FunctionLines> {
        self.functions.get(func.index())
    }
}
