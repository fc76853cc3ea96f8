//! A solver's model in the user's terms: sizes, ids and arguments as numbers.

use std::collections::BTreeMap;

use duet_ir::Dim;
use duet_smt::{Model, TermId, Value, eval};
use duet_vc::{Origin, Position, Scalar, Side, SiteTerm, Symbol, Touched, Walker, Witness};

/// Reads models of questions about a walker's terms.
pub(crate) struct ModelReader<'a>(pub(crate) &'a Walker<'a>);

impl ModelReader<'_> {
    /// The sizes, threads and arguments of a model. A model is total: a symbol
    /// that it does not list is zero.
    pub(crate) fn witness(&self, model: &Model) -> Witness {
        let threads = match self.is_about_a_pair(model) {
            true => {
                let (first, second) =
                    (self.position(model, Side::First), self.position(model, Side::Second));
                vec![first, self.with_its_block(model, first, second)]
            }
            false => vec![self.position(model, Side::Alone)],
        };
        Witness {
            block_dim: self.0.geometry.block.map(|size| self.number(model, size)),
            grid_dim: self.0.geometry.grid.map(|size| self.number(model, size)),
            threads,
            arguments: self.arguments(model),
            contents: self.contents(model),
            touched: vec![],
        }
    }

    /// The elements of arrays that the model lists, at whatever moment.
    fn contents(&self, model: &Model) -> Vec<(String, BTreeMap<u64, u128>)> {
        let mut list = vec![];
        for (func, table) in model.funcs() {
            let Some(Symbol { origin: Origin::Contents(array), .. }) = self.0.symbols.get(func)
            else {
                continue;
            };
            let data = &self.0.facts.module.arrays[array];
            let Some(Value::Array(value)) = table.entries.get(&[] as &[Value]) else { continue };
            let granule = u128::from(data.granule.max(1));
            let element = |(offset, bits): (&Value, &Value)| {
                let index = u64::try_from(offset.bits()? / granule).ok()?;
                Some((index, bits.bits()?))
            };
            list.push((data.name.clone(), value.entries.iter().filter_map(element).collect()));
        }
        list
    }

    /// The bytes that accesses touch in a model.
    pub(crate) fn touched(&self, model: &Model, sites: &[&SiteTerm]) -> Vec<Touched> {
        let walker = self.0;
        let touched = sites.iter().map(|site| {
            let value = eval(&walker.pool, model, site.offset).ok()?;
            let spare = 128 - walker.pool.width(site.offset);
            let offset = i64::try_from((value.bits()? << spare) as i128 >> spare).ok()?;
            Some(Touched { array: site.array, offset, bytes: site.bytes })
        });
        touched.flatten().collect()
    }

    /// Two threads differ in some id, so one of their ids is not zero.
    fn is_about_a_pair(&self, model: &Model) -> bool {
        model.funcs().any(|(func, _)| {
            let symbol = self.0.symbols.get(func);
            symbol.is_some_and(|symbol| match symbol.origin {
                Origin::ThreadId(side, _) | Origin::BlockId(side, _) => {
                    matches!(side, Side::First | Side::Second)
                }
                Origin::BlockSize(_)
                | Origin::GridSize(_)
                | Origin::Argument(_)
                | Origin::Contents(_)
                | Origin::Value(_)
                | Origin::Visits(_)
                | Origin::Copied(_)
                | Origin::Fold(..)
                | Origin::Cell
                | Origin::Address
                | Origin::Pointer => false,
            })
        })
    }

    fn position(&self, model: &Model, side: Side) -> Position {
        let id = |origin: fn(Side, Dim) -> Origin| {
            Dim::ALL.map(|dim| self.symbol(model, origin(side, dim)).unwrap_or(0))
        };
        Position { thread: id(Origin::ThreadId), block: id(Origin::BlockId) }
    }

    /// Within a row for threads of one block the second has no block of its own.
    fn with_its_block(&self, model: &Model, first: Position, second: Position) -> Position {
        let id = |dim: &Dim| self.symbol(model, Origin::BlockId(Side::Second, *dim));
        let own = Dim::ALL.iter().any(|dim| id(dim).is_some());
        match own || first.thread == second.thread {
            true => second,
            false => Position { block: first.block, ..second },
        }
    }

    /// The value of a size, an id or an argument, if the model has one.
    fn symbol(&self, model: &Model, origin: Origin) -> Option<u32> {
        let bits = self.value(model, origin)?.bits()?;
        u32::try_from(bits).ok()
    }

    fn value(&self, model: &Model, origin: Origin) -> Option<Value> {
        let func = self.0.symbols.of(origin)?;
        model.funcs().any(|(known, _)| known == func).then(|| model.value(&self.0.pool, func, &[]))
    }

    fn number(&self, model: &Model, term: TermId) -> u32 {
        let value = eval(&self.0.pool, model, term).ok().and_then(|value| value.bits());
        value.and_then(|bits| u32::try_from(bits).ok()).unwrap_or(0)
    }

    /// The arguments that the question mentions.
    fn arguments(&self, model: &Model) -> Vec<(String, Scalar)> {
        let func = self.0.facts.func;
        func.scalar_params()
            .filter_map(|param| {
                let value = self.value(model, Origin::Argument(param.value))?;
                let bits = value.bits().or_else(|| value.as_bool().map(u128::from))?;
                Some((
                    param.name.to_string(),
                    Scalar { bits, ty: param.ty, unsigned: param.unsigned },
                ))
            })
            .collect()
    }
}

/// The sizes, threads and arguments of a model.
pub fn witness_of(walker: &Walker<'_>, model: &Model) -> Witness {
    ModelReader(walker).witness(model)
}
