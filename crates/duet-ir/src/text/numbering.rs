//! The last step of reading a function: blocks and values go to their numbers,
//! constants to the numbers that are free.

use cranelift_entity::PrimaryMap;

use super::cursor::{ErrorAt, MAX_ID};
use super::parse_function::{Definition, FunctionParser};
use crate::{Block, BlockData, Const, Type, Value, ValueDef};

impl FunctionParser<'_, '_> {
    /// Numbers blocks and values, or notes why that is impossible.
    pub fn number(&mut self) {
        self.number_blocks();
        self.number_values();
    }

    fn fail(&mut self, at: usize, message: String) {
        self.parser.errors.push(ErrorAt { at, message });
    }

    /// Takes `count` from the module's budget of unused numbers.
    fn spend_gaps(&mut self, count: usize, at: usize) -> bool {
        match self.parser.spend_gaps(count, at) {
            Ok(()) => true,
            Err(error) => {
                self.parser.errors.push(error);
                false
            }
        }
    }

    fn number_blocks(&mut self) {
        let mut blocks = std::mem::take(&mut self.blocks);
        blocks.sort_by_key(|block| (block.number, block.at));
        let mut table: PrimaryMap<Block, BlockData> = PrimaryMap::new();
        let mut defined = Vec::new();
        for block in blocks {
            let Some(gap) = (block.number as usize).checked_sub(table.len()) else {
                self.fail(block.at, format!("bb{} is defined twice", block.number));
                continue;
            };
            if !self.spend_gaps(gap, block.at) {
                return;
            }
            for _ in 0..gap {
                table.push(BlockData::default());
            }
            defined.resize(table.len(), false);
            defined.push(true);
            let id = table.push(block.data);
            self.lines.blocks[id] = self.parser.cursor.line(block.at);
            self.lines.terminators[id] = self.parser.cursor.line(block.end_at);
        }
        for (number, at) in std::mem::take(&mut self.targets) {
            if !defined.get(number as usize).is_some_and(|&defined| defined) {
                self.fail(at, format!("bb{number} is not defined"));
            }
        }
        self.func.blocks = table;
    }

    fn number_values(&mut self) {
        let mut defs = std::mem::take(&mut self.defs);
        defs.sort_by_key(|def| (def.number, def.at));
        let count = defs.len();
        let Some(defined) = self.place_values(defs, count) else { return };
        for (number, at) in std::mem::take(&mut self.uses) {
            if !defined.get(number as usize).is_some_and(|&defined| defined) {
                self.fail(at, format!("v{number} is not defined"));
            }
        }
        for (number, claimed, at) in std::mem::take(&mut self.claims) {
            match self.func.types.get(Value::from_u32(number)) {
                Some(&ty) if ty != claimed => {
                    self.fail(at, format!("v{number} is {ty}, not {claimed}"));
                }
                _ => {}
            }
        }
    }

    /// Makes all values; the result says which numbers the text defines.
    fn place_values(&mut self, defs: Vec<Definition>, count: usize) -> Option<Vec<bool>> {
        let consts = std::mem::take(&mut self.consts);
        if let Some(last) = defs.last() {
            let gaps = (last.number as usize + 1).saturating_sub(count + consts.len());
            if !self.spend_gaps(gaps, last.at) {
                return None;
            }
        }
        let mut consts = consts.into_iter();
        let mut const_values = Vec::new();
        let mut defined = Vec::new();
        for Definition { number, def, ty, name, at } in defs {
            if self.func.values.len() > number as usize {
                self.fail(at, format!("v{number} is defined twice"));
                continue;
            }
            while self.func.values.len() < number as usize {
                match consts.next() {
                    Some(constant) => const_values.push(self.place_constant(constant)),
                    None => {
                        self.func.make_value(ValueDef::Const(Const::Bits(0)), Type::BOOL);
                    }
                }
            }
            defined.resize(self.func.values.len(), false);
            defined.push(true);
            let value = self.func.make_value(def, ty);
            self.name(value, name);
        }
        for constant in consts {
            const_values.push(self.place_constant(constant));
        }
        self.replace_constants(&const_values);
        Some(defined)
    }

    fn place_constant(&mut self, constant: (Const, Type, Option<String>)) -> Value {
        let (constant, ty, name) = constant;
        let value = self.func.constant(constant, ty);
        self.name(value, name);
        value
    }

    fn name(&mut self, value: Value, name: Option<String>) {
        if name.is_some() {
            self.func.names[value] = name;
        }
    }

    /// Replaces the placeholders of constants in all operands.
    fn replace_constants(&mut self, values: &[Value]) {
        let replace = |value: &mut Value| {
            if let Some(index) = value.as_u32().checked_sub(MAX_ID) {
                *value = values[index as usize];
            }
        };
        for data in self.func.insts.values_mut() {
            data.visit_values_mut(replace);
        }
        for block in self.func.blocks.values_mut() {
            block.terminator.visit_values_mut(replace);
        }
    }
}
