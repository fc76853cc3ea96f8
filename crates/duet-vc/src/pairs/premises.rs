//! What a kernel is walked for: the launch and the arguments that are given.

use std::collections::BTreeMap;

use duet_ir::{Dim, Function, Value};
use duet_smt::{Sort, TermId, TermPool};

use crate::symbols::{Origin, Symbol, Symbols};
use crate::{Extent, Geometry, LaunchSpec, argument_name};

/// The launch and the arguments that a kernel is walked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Premises {
    /// The launch.
    pub launch: LaunchSpec,
    /// Threads of the whole grid along each dimension, where they are given while
    /// the block's size is free: blocks times threads come to this.
    pub global_size: [Option<u32>; 3],
    /// Values of scalar parameters, by position among them.
    pub scalar_args: Vec<Option<u128>>,
    /// What a thread stores in its private arrays is known when it loads it.
    pub private_arrays: bool,
}

impl Premises {
    /// Is any size of the launch free?
    pub fn is_size_free(&self) -> bool {
        self.launch.block.iter().chain(&self.launch.grid).any(|size| *size == Extent::Free)
    }

    /// Scalar arguments that were given as numbers.
    pub fn given_arguments(&self, func: &Function) -> BTreeMap<Value, u128> {
        let given = func.scalar_params().map(|param| param.value).zip(&self.scalar_args);
        given.filter_map(|(value, bits)| Some((value, (*bits)?))).collect()
    }

    /// The launch as terms, for those who keep no table of symbols.
    pub fn geometry_terms(&self, pool: &mut TermPool, func: &Function) -> Geometry {
        self.geometry(pool, &mut Symbols::default(), func)
    }

    /// The launch as terms, with what is known of it and of the arguments.
    pub(super) fn geometry(
        &self,
        pool: &mut TermPool,
        symbols: &mut Symbols,
        func: &Function,
    ) -> Geometry {
        let mut geometry = Geometry::new(pool, &self.launch);
        for dim in Dim::ALL {
            let of = |origin| Symbol { origin, side: None };
            symbols.note(pool, geometry.block[dim.index()], of(Origin::BlockSize(dim)));
            symbols.note(pool, geometry.grid[dim.index()], of(Origin::GridSize(dim)));
        }
        geometry.facts.extend(self.argument_facts(pool, symbols, func));
        let global_size = self.global_size_facts(pool, &geometry);
        geometry.facts.extend(global_size);
        geometry
    }

    fn argument_facts(
        &self,
        pool: &mut TermPool,
        symbols: &mut Symbols,
        func: &Function,
    ) -> Vec<TermId> {
        let mut facts = vec![];
        for (value, bits) in self.given_arguments(func) {
            let Some(width) = func.type_of(value).bits() else { continue };
            let name = argument_name(func, value);
            let noted = Symbol { origin: Origin::Argument(value), side: None };
            if width == 1 {
                let symbol = pool.constant(&name, Sort::Bool);
                symbols.note(pool, symbol, noted);
                facts.push(if bits == 0 { pool.not(symbol) } else { symbol });
                continue;
            }
            let symbol = pool.bv_var(&name, width);
            symbols.note(pool, symbol, noted);
            let number = pool.bv(width, bits);
            facts.push(pool.eq(symbol, number));
        }
        facts
    }

    /// Blocks times threads come to the global size: so the block's size divides it.
    fn global_size_facts(&self, pool: &mut TermPool, geometry: &Geometry) -> Vec<TermId> {
        let mut facts = vec![];
        for (dim, global) in self.global_size.iter().enumerate() {
            let Some(global) = global else { continue };
            // In 64 bits, where the product of two sizes does not wrap.
            let block = pool.bits().zero_extend(32, geometry.block[dim]);
            let grid = pool.bits().zero_extend(32, geometry.grid[dim]);
            let threads = pool.bits().mul(block, grid);
            let global = pool.bv(64, u128::from(*global));
            facts.push(pool.eq(threads, global));
        }
        facts
    }
}

impl super::Walker<'_> {
    /// Is the number that of a thread of the block?
    pub fn is_thread_of_block(&mut self, number: TermId) -> TermId {
        let sizes = self.geometry.block;
        crate::claim_terms::thread_with_number(&mut self.pool, sizes, number).1
    }
}
