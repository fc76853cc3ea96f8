//! The blocks of a function while its text is read, in the order of the text. When the
//! function ends they go to the numbers that the text gives them.

use cranelift_entity::PrimaryMap;

use super::cursor::ErrorAt;
use super::lines::FunctionLines;
use super::parse::Parser;
use crate::{Block, BlockData, Function, Loc, Terminator};

/// The blocks read so far, and whether the last one has its end.
#[derive(Default)]
pub(super) struct Blocks {
    blocks: Vec<TextBlock>,
    /// Is the last block without its end?
    open: bool,
    /// Did a line of the last block fail? Then its end may have been there.
    spoiled: bool,
}

/// A block of the text: its number, and where its header and its end are.
struct TextBlock {
    number: u32,
    data: BlockData,
    at: usize,
    end_at: usize,
}

impl Blocks {
    /// Starts a block.
    pub fn start(&mut self, number: u32, at: usize) {
        self.blocks.push(TextBlock { number, data: BlockData::default(), at, end_at: at });
        self.open = true;
        self.spoiled = false;
    }

    /// The block being read.
    pub fn current(&mut self) -> &mut BlockData {
        &mut self.blocks.last_mut().expect("callers have seen a block header").data
    }

    /// Ends the block being read.
    pub fn finish(&mut self, terminator: Terminator, loc: Option<Loc>, at: usize) {
        let block = self.blocks.last_mut().expect("an open block");
        block.end_at = at;
        (block.data.terminator, block.data.loc) = (terminator, loc);
        self.open = false;
    }

    /// Notes that a line could not be read.
    pub fn spoil(&mut self) {
        self.spoiled = true;
    }

    /// The error of a missing end of the last block; no block is open afterwards.
    pub fn missing_end(&mut self) -> Option<ErrorAt> {
        if !std::mem::take(&mut self.open) || self.spoiled {
            return None;
        }
        let TextBlock { number, at, .. } = self.blocks.last().expect("an open block");
        let message =
            format!("bb{number} does not end with `jump`, `br`, `switch`, `return` or `halt`");
        Some(ErrorAt { at: *at, message })
    }

    /// Where a line stands that belongs to no block; nothing if a block is open.
    pub fn outside(&self) -> Option<&'static str> {
        match (self.open, self.blocks.is_empty()) {
            (true, _) => None,
            (false, true) => Some("before the first block"),
            (false, false) => Some("after the end of the block"),
        }
    }

    /// Gives every block its number, or notes why that is impossible.
    pub fn number(
        self,
        targets: Vec<(u32, usize)>,
        func: &mut Function,
        lines: &mut FunctionLines,
        parser: &mut Parser,
    ) {
        let mut blocks = self.blocks;
        blocks.sort_by_key(|block| (block.number, block.at));
        let mut table: PrimaryMap<Block, BlockData> = PrimaryMap::new();
        let mut defined = Vec::new();
        for block in blocks {
            let Some(gap) = (block.number as usize).checked_sub(table.len()) else {
                parser.fail(block.at, format!("bb{} is defined twice", block.number));
                continue;
            };
            if !parser.try_spend_gaps(gap, block.at) {
                return;
            }
            for _ in 0..gap {
                table.push(BlockData::default());
            }
            defined.resize(table.len(), false);
            defined.push(true);
            let id = table.push(block.data);
            lines.blocks[id] = parser.cursor.line(block.at);
            lines.terminators[id] = parser.cursor.line(block.end_at);
        }
        for (number, at) in targets {
            if !defined.get(number as usize).is_some_and(|&defined| defined) {
                parser.fail(at, format!("bb{number} is not defined"));
            }
        }
        func.blocks = table;
    }
}
