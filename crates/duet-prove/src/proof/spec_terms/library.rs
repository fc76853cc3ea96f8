//! Calls of functions that the source language has.

use duet_ir::{FloatType, InstData, ScalarType};
use duet_spec::{BinaryOp, Expr, Type, integer_function, math_function, math_type};
use duet_vc::uninterpreted_term;

use super::numbers::float_type;
use super::{Result, SpecTerm, Terms};

impl Terms<'_, '_> {
    /// A call of a function of the mathematical library, or of `min`, `max` or `abs` of integers.
    pub(super) fn library_call(&mut self, name: &str, args: &[Expr]) -> Result<SpecTerm> {
        let mut values = vec![];
        for arg in args {
            values.push(self.term(arg)?);
        }
        if integer_function(name).is_some() {
            return self.choice(name, &values);
        }
        let Some((_, is_single)) = math_function(name) else {
            return Err(format!("`{name}` is no function of contracts"));
        };
        let types: Vec<Type> = values.iter().map(type_of).collect();
        let ty = match math_type(is_single, &types) {
            Type::Float => FloatType::F32,
            Type::Bool | Type::Int | Type::Double | Type::Array(_) => FloatType::F64,
        };
        let to = if ty == FloatType::F32 { ScalarType::Float } else { ScalarType::Double };
        let mut operands = vec![];
        for value in values {
            match self.cast(value, to)? {
                SpecTerm::Float(term, _) => operands.push(term),
                SpecTerm::Int(..) | SpecTerm::Bool(_) | SpecTerm::Array(..) => {
                    return Err("this conversion is not covered".into());
                }
            }
        }
        let name = self.name_in_code(name, ty, operands.len());
        let pool = &mut self.walker.pool;
        let term = uninterpreted_term(pool, &name, &operands, float_type(ty));
        Ok(SpecTerm::Float(term, ty))
    }

    /// The name that the code has for the function at a precision: in CUDA `exp` of a `float` is
    /// `expf`, in OpenCL it is `exp`. One that the code does not call is a function of its own.
    ///
    /// SOUNDNESS: only a function of the same precision and number of arguments is meant
    /// (test `functions_of_the_code_are_told_by_precision`).
    fn name_in_code(&self, name: &str, ty: FloatType, arity: usize) -> String {
        let func = self.walker.facts.func;
        let has = |wanted: &str| {
            func.insts_in_order().any(|inst| {
                let InstData::Pure { name, args, ty: own } = &func.insts[inst] else {
                    return false;
                };
                name == wanted && args.len() == arity && *own == float_type(ty)
            })
        };
        let single = format!("{name}f");
        match ty == FloatType::F32 && !has(name) && has(&single) {
            true => single,
            false => name.to_string(),
        }
    }

    /// `min`, `max` or `abs` of integers.
    fn choice(&mut self, name: &str, values: &[SpecTerm]) -> Result<SpecTerm> {
        let (a, b) = match *values {
            [a, b] => (a, b),
            [a] => {
                let zero = SpecTerm::Int(self.walker.pool.bv(64, 0), (0, 0));
                (a, self.binary(BinaryOp::Sub, zero, a)?)
            }
            _ => return Err(format!("`{name}` has other parameters")),
        };
        let op = if name == "min" { BinaryOp::Lt } else { BinaryOp::Gt };
        let SpecTerm::Bool(first) = self.binary(op, a, b)? else {
            return Err("an integer is expected".into());
        };
        self.choose(first, a, b)
    }
}

fn type_of(value: &SpecTerm) -> Type {
    match value {
        SpecTerm::Int(..) => Type::Int,
        SpecTerm::Float(_, FloatType::F64) => Type::Double,
        SpecTerm::Float(_, FloatType::F32 | FloatType::F16 | FloatType::BF16) => Type::Float,
        SpecTerm::Bool(_) => Type::Bool,
        SpecTerm::Array(_, ty) => Type::Array(*ty),
    }
}
