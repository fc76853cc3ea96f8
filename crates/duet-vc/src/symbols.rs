//! What the symbols of terms stand for, as a table: nothing is read back out of a name.

use std::collections::HashMap;

use duet_analysis::Loop;
use duet_ir::{Array, Dim, FoldOp, Inst, Value};
use duet_smt::{FuncId, Op, TermId, TermPool};

/// Which thread of a question something belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// One thread, without a partner.
    Alone,
    /// The first of two.
    First,
    /// The second of two.
    Second,
    /// One of further threads, by number from 0.
    Further(u32),
}

impl Side {
    /// What tells the names of its symbols from those of others.
    pub fn suffix(self) -> String {
        match self {
            Side::Alone => String::new(),
            Side::First => "'1".to_string(),
            Side::Second => "'2".to_string(),
            Side::Further(number) => format!("'{}", u64::from(number) + 3),
        }
    }
}

/// Where a symbol comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// Threads of a block along a dimension.
    BlockSize(Dim),
    /// Blocks of the grid along a dimension.
    GridSize(Dim),
    /// The id of a thread in its block.
    ThreadId(Side, Dim),
    /// The id of a thread's block.
    BlockId(Side, Dim),
    /// A scalar argument.
    Argument(Value),
    /// What an array holds at some moment.
    Contents(Array),
    /// A value of which nothing is known: of a cut loop's head, or what an instruction
    /// yields.
    Value(Value),
    /// How many iterations of a loop came before.
    Visits(Loop),
    /// Which element of an asynchronous copy.
    Copied(Inst),
    /// The elements of an array folded with an operation, as an unknown function of where
    /// the array starts and of the two numbers.
    Fold(Array, FoldOp),
    /// The number of an arbitrary element of an array.
    Cell,
    /// The address of a place, as an unknown function of it.
    Address,
    /// Where a number points to, as an unknown function of it.
    Pointer,
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Where it comes from.
    pub origin: Origin,
    /// The thread whose it is; none if several share it.
    pub side: Option<Side>,
}

/// The symbols of a walker's terms. A function that is not listed is an operation on
/// floats or a mathematical function.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    known: HashMap<FuncId, Symbol>,
    by_origin: HashMap<Origin, FuncId>,
}

impl Symbols {
    /// Takes note of what a symbol stands for. A term that is no symbol is passed over:
    /// ids are numbers where there is only one.
    pub(crate) fn note(&mut self, pool: &TermPool, term: TermId, symbol: Symbol) {
        if let Op::Apply(func) = pool.op(term) {
            self.known.insert(func, symbol);
            self.by_origin.insert(symbol.origin, func);
        }
    }

    /// What a symbol stands for, if it is listed.
    pub fn get(&self, func: FuncId) -> Option<Symbol> {
        self.known.get(&func).copied()
    }

    /// The symbol of a size, an id or an argument, if there is one.
    pub fn of(&self, origin: Origin) -> Option<FuncId> {
        self.by_origin.get(&origin).copied()
    }
}
