//! A solver's model in the user's terms: sizes, ids and arguments as numbers.

use std::collections::BTreeMap;

use duet_ir::Dim;
use duet_smt::{Model, TermId, Value, eval};
use duet_vc::{Position, Scalar, SiteTerm, Touched, Walker, Witness};

/// Reads models of questions about a walker's terms.
pub(crate) struct ModelReader<'a>(pub(crate) &'a Walker<'a>);

impl ModelReader<'_> {
    /// The sizes, threads and arguments of a model. A model is total: a symbol
    /// that it does not list is zero.
    pub(crate) fn witness(&self, model: &Model) -> Witness {
        let threads = match self.is_about_a_pair(model) {
            true => {
                let (first, second) = (self.position(model, "'1"), self.position(model, "'2"));
                vec![first, self.with_its_block(model, first, second)]
            }
            false => vec![self.position(model, "")],
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
            let Some(rest) = self.0.pool.func_data(func).name.strip_prefix("contents:") else {
                continue;
            };
            let arrays = self.0.facts.module.arrays.values();
            let of_name = |name: &str| rest == name || rest.starts_with(&format!("{name}@"));
            let Some(data) = arrays.into_iter().find(|data| of_name(&data.name)) else { continue };
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
            let name = &self.0.pool.func_data(func).name;
            let is_id = name.starts_with("threadIdx.") || name.starts_with("blockIdx.");
            is_id && (name.ends_with("'1") || name.ends_with("'2"))
        })
    }

    fn position(&self, model: &Model, suffix: &str) -> Position {
        let id = |what: &str| {
            Dim::ALL.map(|dim| self.symbol(model, &format!("{what}.{dim}{suffix}")).unwrap_or(0))
        };
        Position { thread: id("threadIdx"), block: id("blockIdx") }
    }

    /// Within a row for threads of one block the second has no block of its own.
    fn with_its_block(&self, model: &Model, first: Position, second: Position) -> Position {
        let own =
            Dim::ALL.iter().any(|dim| self.symbol(model, &format!("blockIdx.{dim}'2")).is_some());
        match own || first.thread == second.thread {
            true => second,
            false => Position { block: first.block, ..second },
        }
    }

    fn symbol(&self, model: &Model, name: &str) -> Option<u32> {
        let bits = model.by_name(&self.0.pool, name)?.bits()?;
        u32::try_from(bits).ok()
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
                let symbol = duet_vc::argument_name(func, param.value);
                let value = model.by_name(&self.0.pool, &symbol)?;
                let bits = value.bits().or_else(|| value.as_bool().map(u128::from))?;
                Some((param.name.to_string(), Scalar { bits, ty: param.ty }))
            })
            .collect()
    }
}

/// The sizes, threads and arguments of a model.
pub fn witness_of(walker: &Walker<'_>, model: &Model) -> Witness {
    ModelReader(walker).witness(model)
}
