//! Where values are defined, and whether each use is dominated by its definition.

use std::collections::HashSet;

use cranelift_entity::SecondaryMap;

use super::WellFormedRule;
use super::dominance::Dominance;
use super::function::fits;
use super::subject::Subject;
use crate::{Block, Const, Place, Type, Value, ValueDef};

/// Where a value is defined: parameters of the function come before all blocks,
/// those of a block at position 0, the `n`th instruction's results at `n` + 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Site {
    #[default]
    Nowhere,
    Function,
    Block(Block, usize),
}

/// The definitions of a function's values, and the constants that have been looked at.
#[derive(Default)]
pub struct Definitions {
    sites: SecondaryMap<Value, Site>,
    checked: HashSet<Value>,
}

impl Definitions {
    /// Notes where each value is defined.
    pub fn of_blocks(&mut self, subject: &mut Subject) {
        for &block in &subject.func.layout {
            subject.at = Place::Block(subject.id, block);
            let data = &subject.func.blocks[block];
            for (n, &value) in data.params.iter().enumerate() {
                self.define(
                    subject,
                    value,
                    ValueDef::BlockParam(block, n as u32),
                    Site::Block(block, 0),
                );
            }
            for (position, &inst) in data.insts.iter().enumerate() {
                subject.at = Place::Inst(subject.id, inst);
                for (n, &value) in subject.func.results_of[inst].iter().enumerate() {
                    let def = ValueDef::Result(inst, n as u32);
                    self.define(subject, value, def, Site::Block(block, position + 1));
                }
            }
        }
    }

    /// Notes that `value` is defined here; its entry in the table must agree.
    /// The result says whether it exists.
    pub fn define(
        &mut self,
        subject: &mut Subject,
        value: Value,
        def: ValueDef,
        site: Site,
    ) -> bool {
        if !subject.value_exists(value) {
            return false;
        }
        if self.sites[value] != Site::Nowhere {
            subject.error(WellFormedRule::Definition, format!("{value} is defined twice"));
            return true;
        }
        if subject.func.values[value] != def {
            subject.error(
                WellFormedRule::Definition,
                format!("{value} is not defined where its entry says"),
            );
        }
        self.sites[value] = site;
        subject.check_type(subject.type_of(value));
        true
    }

    /// Are the operands values that are known at this point of the block? The
    /// result says whether they exist, so that their types can be looked at.
    pub fn uses(
        &mut self,
        subject: &mut Subject,
        values: &[Value],
        block: Block,
        at: usize,
        dominance: &Dominance,
    ) -> bool {
        let mut exist = true;
        for &value in values {
            exist &= subject.value_exists(value);
            if subject.func.values.is_valid(value) && subject.func.types.is_valid(value) {
                self.check_use(subject, value, block, at, dominance);
            }
        }
        exist
    }

    fn check_use(
        &mut self,
        subject: &mut Subject,
        value: Value,
        block: Block,
        at: usize,
        dominance: &Dominance,
    ) {
        if let ValueDef::Const(constant) = subject.func.values[value] {
            if self.checked.insert(value) {
                check_constant(subject, constant, value);
            }
            return;
        }
        let known = match self.sites[value] {
            Site::Nowhere => {
                let message = format!("{value} is not defined in the function");
                return subject.error(WellFormedRule::IdExists, message);
            }
            Site::Function => true,
            Site::Block(home, position) if home == block => position < at,
            Site::Block(home, _) => dominance.dominates(home, block),
        };
        if !known {
            let message = format!("{value} is not defined on every path to this use");
            subject.error(WellFormedRule::Dominance, message);
        }
    }
}

/// Is the constant one of its type?
fn check_constant(subject: &mut Subject, constant: Const, value: Value) {
    let ty = subject.type_of(value);
    subject.check_type(ty);
    let fits = match (constant, ty) {
        (Const::Bits(_), Type::Ref) => false,
        (Const::Bits(bits), _) => fits(bits, ty),
        (Const::Array(array), Type::Ref) => subject.array_exists(array),
        (Const::Null, Type::Ref) => true,
        (Const::Array(_) | Const::Null, _) => false,
    };
    if !fits {
        let message = format!("`{}` is no constant of type {ty}", subject.show(value));
        subject.error(WellFormedRule::Constant, message);
    }
}
