//! The values of a function while its text is read. A use may come before its
//! definition, so all are kept as numbers; when the function ends every number must
//! have one definition, and constants get the numbers that are free.

use std::collections::HashMap;

use super::cursor::MAX_ID;
use super::parse::Parser;
use crate::{Const, Function, Type, Value, ValueDef};

/// What the text says about the values of a function.
#[derive(Default)]
pub(super) struct Values {
    defs: Vec<Definition>,
    /// Numbers of used values, with their places.
    uses: Vec<(u32, usize)>,
    /// Types that the text gives to operands, to be compared with the truth.
    claims: Vec<(u32, Type, usize)>,
    /// Constants in order of first use, with their source names.
    consts: Vec<(Const, Type, Option<String>)>,
    const_ids: HashMap<(Const, Type), u32>,
}

/// The definition of a value.
pub(super) struct Definition {
    pub number: u32,
    pub def: ValueDef,
    pub ty: Type,
    pub name: Option<String>,
    pub at: usize,
}

impl Values {
    /// Notes a definition.
    pub fn define(&mut self, definition: Definition) {
        self.defs.push(definition);
    }

    /// Notes a use of the value of this number.
    pub fn use_at(&mut self, number: u32, at: usize) {
        self.uses.push((number, at));
    }

    /// A constant, as a value that [`Self::number`] will replace.
    pub fn constant(&mut self, constant: Const, ty: Type) -> Value {
        let next = self.consts.len() as u32;
        let index = *self.const_ids.entry((constant, ty)).or_insert(next);
        if index == next {
            self.consts.push((constant, ty, None));
        }
        Value::from_u32(MAX_ID + index)
    }

    /// Gives a constant its source name; `false` if the value is no constant.
    pub fn name_constant(&mut self, value: Value, name: String) -> bool {
        let Some(index) = value.as_u32().checked_sub(MAX_ID) else { return false };
        self.consts[index as usize].2.get_or_insert(name);
        true
    }

    /// The text says that `value` has type `ty` and this is kept nowhere else.
    pub fn claim(&mut self, value: Value, ty: Type, at: usize) {
        if value.as_u32() < MAX_ID {
            self.claims.push((value.as_u32(), ty, at));
        }
    }

    /// Gives every value its number and its entry in the table, or notes why that is
    /// impossible.
    pub fn number(mut self, func: &mut Function, parser: &mut Parser) {
        let mut defs = std::mem::take(&mut self.defs);
        defs.sort_by_key(|def| (def.number, def.at));
        let Some(defined) = self.place(defs, func, parser) else { return };
        for (number, at) in self.uses {
            if !defined.get(number as usize).is_some_and(|&defined| defined) {
                parser.fail(at, format!("v{number} is not defined"));
            }
        }
        for (number, claimed, at) in self.claims {
            match func.types.get(Value::from_u32(number)) {
                Some(&ty) if ty != claimed => {
                    parser.fail(at, format!("v{number} is {ty}, not {claimed}"));
                }
                _ => {}
            }
        }
    }

    /// Makes all values; the result says which numbers the text defines.
    fn place(
        &mut self,
        defs: Vec<Definition>,
        func: &mut Function,
        parser: &mut Parser,
    ) -> Option<Vec<bool>> {
        let consts = std::mem::take(&mut self.consts);
        if let Some(last) = defs.last() {
            let gaps = (last.number as usize + 1).saturating_sub(defs.len() + consts.len());
            if !parser.try_spend_gaps(gaps, last.at) {
                return None;
            }
        }
        let mut consts = consts.into_iter();
        let mut const_values = Vec::new();
        let mut defined = Vec::new();
        for Definition { number, def, ty, name, at } in defs {
            if func.values.len() > number as usize {
                parser.fail(at, format!("v{number} is defined twice"));
                continue;
            }
            while func.values.len() < number as usize {
                match consts.next() {
                    Some(constant) => const_values.push(place_constant(func, constant)),
                    None => {
                        func.make_value(ValueDef::Const(Const::Bits(0)), Type::BOOL);
                    }
                }
            }
            defined.resize(func.values.len(), false);
            defined.push(true);
            let value = func.make_value(def, ty);
            set_name(func, value, name);
        }
        for constant in consts {
            const_values.push(place_constant(func, constant));
        }
        replace_constants(func, &const_values);
        Some(defined)
    }
}

fn place_constant(func: &mut Function, constant: (Const, Type, Option<String>)) -> Value {
    let (constant, ty, name) = constant;
    let value = func.constant(constant, ty);
    set_name(func, value, name);
    value
}

fn set_name(func: &mut Function, value: Value, name: Option<String>) {
    if name.is_some() {
        func.names[value] = name;
    }
}

/// Replaces the placeholders of constants in all operands.
fn replace_constants(func: &mut Function, values: &[Value]) {
    let replace = |value: &mut Value| {
        if let Some(index) = value.as_u32().checked_sub(MAX_ID) {
            *value = values[index as usize];
        }
    };
    for data in func.insts.values_mut() {
        data.visit_values_mut(replace);
    }
    for block in func.blocks.values_mut() {
        block.terminator.visit_values_mut(replace);
    }
}
