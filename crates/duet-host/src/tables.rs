//! What the host puts into `__constant__` tables: nothing at all, or the same bytes before
//! every launch.
//!
//! A table keeps what the source initialises it with if no host code uses its variable in
//! any way ([`used`]). Its contents are also known if one call of `cudaMemcpyToSymbol` is
//! the only use of it, fills all of it with bytes that are constants where it is made, and
//! dominates the launch ([`filled`]). The launch is then made by the default stream, which
//! waits for the copy, and no call in between may have chosen another device, which has a
//! table of its own.
//!
//! SOUNDNESS: each condition has a program that breaks it (kernels/programs/filled-table-bug,
//! kernels/programs/untouched-table-bug, test `tables_that_are_not_known`).

use std::collections::BTreeSet;

use duet_frontend::host;
use duet_frontend::llvm::{self, Val};
use duet_ir::Type;
use inkwell::llvm_sys::LLVMValueKind;
use inkwell::llvm_sys::prelude::LLVMModuleRef;

use crate::calls;
use crate::evaluate::Evaluator;
use crate::memory::{Spot, callee_name};
use crate::names;
use crate::relation::Table;
use crate::sites::Finder;

/// The call that fills a table: the variable, the bytes, how many, and where they begin.
pub const FILL: &str = "__duet_symbol";
/// The most bytes of a table that are followed.
const MOST_BYTES: u64 = 4096;
/// Bytes that are followed at a time: the elements of a table are mostly of one of these
/// sizes.
const PIECES: [u64; 4] = [4, 8, 2, 1];

/// The names of the variables that code of the program uses, whatever for.
pub fn used(module: LLVMModuleRef) -> BTreeSet<String> {
    let is_used = |global: &Val| !llvm::users(*global).is_empty();
    llvm::globals(module).into_iter().filter(is_used).map(|global| global.name()).collect()
}

/// The calls of the program that are asked about for each launch.
pub struct Fills {
    /// Those that fill a table.
    fills: Vec<Val>,
    /// Those after which another device may have the tables.
    switches: Vec<Val>,
}

impl Fills {
    /// Those of a module.
    pub fn new(module: LLVMModuleRef) -> Fills {
        let functions = names::defined(module);
        let insts = functions.iter().flat_map(|function| function.blocks());
        let (mut fills, mut switches) = (vec![], vec![]);
        for inst in insts.flat_map(|block| block.instructions()) {
            match callee_name(inst) {
                Some(name) if name == FILL => fills.push(inst),
                Some(name) if calls::chooses_device(&name) => switches.push(inst),
                Some(_) | None => {}
            }
        }
        Fills { fills, switches }
    }

    /// The tables whose contents are known at a launch by the default stream.
    pub fn at(&self, finder: &Finder<'_>, launch: Val) -> Vec<Table> {
        let position = &finder.cfg.position;
        let is_before = |fill: &&Val| match (position.get(*fill), position.get(&launch)) {
            (Some(&(block, at)), Some(&(own, own_at))) if block == own => at < own_at,
            (Some(&(block, _)), Some(&(own, _))) => finder.cfg.dominates(block, own),
            (None, _) | (_, None) => false,
        };
        let stays = |fill: &&Val| {
            let may_follow = |switch: &Val| {
                !position.contains_key(switch) || finder.cfg.reaches(**fill, *switch, None)
            };
            !self.switches.iter().any(may_follow)
        };
        let fills = self.fills.iter().filter(is_before).filter(stays);
        fills.filter_map(|&fill| filled(finder, fill)).collect()
    }
}

/// The table that a call fills, if it is the only use of the table and all is constant.
fn filled(finder: &Finder<'_>, fill: Val) -> Option<Table> {
    let arguments = fill.arguments();
    let &[table, source, bytes, offset] = arguments.as_slice() else { return None };
    let is_variable = table.kind() == LLVMValueKind::LLVMGlobalVariableValueKind;
    let is_only = is_variable && llvm::users(table) == [fill] && source != table;
    let bytes = bytes.const_u64().filter(|bytes| is_only && *bytes <= MOST_BYTES)?;
    let size = host::size_of(finder.memory.module, table.value_type());
    if offset.const_u64() != Some(0) || size != bytes {
        return None;
    }
    let (file, line) = llvm::global_variable_description(table)?.variable_file()?;
    let contents =
        PIECES.into_iter().find_map(|piece| bytes_at(finder, fill, source, (bytes, piece)))?;
    Some(Table { symbol: table.name(), file: file.1, line, contents })
}

/// The bytes behind a pointer just before a call, followed some at a time.
fn bytes_at(
    finder: &Finder<'_>,
    call: Val,
    source: Val,
    (bytes, piece): (u64, u64),
) -> Option<Vec<u8>> {
    let block = finder.cfg.block_of(call);
    let mut evaluator = Evaluator::new(finder.cfg, finder.memory, finder.names, block);
    let start = finder.memory.spot(source, piece).filter(|_| bytes.is_multiple_of(piece))?;
    let mut contents = vec![];
    for number in 0..bytes / piece {
        let offset = start.offset + i64::try_from(number * piece).ok()?;
        let spot = Spot { offset, ..start };
        if !finder.memory.is_steady(spot) {
            return None;
        }
        let found = finder.memory.resolve(finder.memory.source_before(spot, call));
        let term = evaluator.source(found, Type::Int(8 * piece as u8), "");
        let bits = evaluator.terms.bits(term)?;
        contents.extend_from_slice(&bits.to_le_bytes()[..piece as usize]);
    }
    Some(contents)
}

/// May a symbol of the host be the variable of this name? More may than are.
pub fn may_be(symbol: &str, name: &str) -> bool {
    let plain = symbol.split('.').next().unwrap_or(symbol);
    plain == name || symbol.contains(&format!("{}{name}", name.len()))
}

#[cfg(test)]
mod tests {
    use super::may_be;

    #[test]
    fn symbols_of_a_variable() {
        for symbol in ["first", "first.3", "_ZL5first", "_ZN2ns5firstE", "_ZZ4mainE5first"] {
            assert!(may_be(symbol, "first"), "{symbol}");
        }
        for symbol in ["second", "first_of_all", "_ZL6second", "_ZL9firstborn"] {
            assert!(!may_be(symbol, "first"), "{symbol}");
        }
    }
}
