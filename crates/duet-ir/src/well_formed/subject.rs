//! The function under check: the place that is being looked at, the errors found, and
//! what is expected of values and operands. It does not know where values are defined.

use super::{Errors, WellFormedRule};
use crate::{Array, Func, Function, Module, Place, Type, Value};

/// A function, the place in it that is being looked at, and the errors found so far.
pub struct Subject<'m> {
    pub module: &'m Module,
    pub func: &'m Function,
    pub id: Func,
    pub errors: &'m mut Errors,
    /// What is being looked at.
    pub at: Place,
}

impl Subject<'_> {
    /// Notes an error at the current place.
    pub fn error(&mut self, rule: WellFormedRule, message: impl Into<String>) {
        self.errors.push(self.at, rule, message);
    }

    /// A value as it prints.
    pub fn show(&self, value: Value) -> String {
        self.func.display_value(self.module, value).to_string()
    }

    /// The type in the table.
    pub fn type_of(&self, value: Value) -> Type {
        self.func.types[value]
    }

    /// Integers have 1 to 128 bits.
    pub fn check_type(&mut self, ty: Type) {
        if let Type::Int(width) = ty
            && !(1..=128).contains(&width)
        {
            self.error(
                WellFormedRule::TypeWidth,
                format!("integers have 1 to 128 bits, not {width}"),
            );
        }
    }

    /// Does the value have a definition and a type?
    pub fn value_exists(&mut self, value: Value) -> bool {
        let exists = self.func.values.is_valid(value) && self.func.types.is_valid(value);
        if !exists {
            self.error(WellFormedRule::IdExists, format!("{value} does not exist"));
        }
        exists
    }

    /// Does the array exist?
    pub fn array_exists(&mut self, array: Array) -> bool {
        let exists = self.module.arrays.is_valid(array);
        if !exists {
            self.error(WellFormedRule::IdExists, format!("{array} does not exist"));
        }
        exists
    }
}

/// What operands are expected to be.
impl Subject<'_> {
    /// Notes that `value` is not `what`.
    pub fn not_a(&mut self, value: Value, what: &str) {
        let message = format!("`{}` is {}, expected {what}", self.show(value), self.type_of(value));
        self.error(WellFormedRule::OperandType, message);
    }

    /// An operand of this type.
    pub fn expect(&mut self, value: Value, ty: Type) {
        if self.type_of(value) != ty {
            self.not_a(value, &ty.to_string());
        }
    }

    /// An integer of any width.
    pub fn expect_int(&mut self, value: Value) {
        if !self.type_of(value).is_int() {
            self.not_a(value, "an integer");
        }
    }

    /// A float of any format.
    pub fn expect_float(&mut self, value: Value) {
        if !self.type_of(value).is_float() {
            self.not_a(value, "a float");
        }
    }

    /// Operands of one type, that of the first.
    pub fn expect_same(&mut self, values: &[Value]) {
        for &value in values.iter().skip(1) {
            self.expect(value, self.type_of(values[0]));
        }
    }

    /// Notes a wrong number of operands.
    pub fn expect_count(&mut self, values: &[Value], count: usize) -> bool {
        if values.len() != count {
            let message = format!("expected {count} operands, found {}", values.len());
            self.error(WellFormedRule::OperandCount, message);
        }
        values.len() == count
    }

    /// Operands of exactly these types.
    pub fn expect_all(&mut self, values: &[Value], types: &[Type]) {
        if self.expect_count(values, types.len()) {
            for (&value, &ty) in values.iter().zip(types) {
                self.expect(value, ty);
            }
        }
    }

    /// The type that an instruction names for its result.
    pub fn expect_result(&mut self, ty: Type, want: Type) {
        if ty != want {
            self.error(WellFormedRule::ResultType, format!("the result is {ty}, expected {want}"));
        }
    }
}
