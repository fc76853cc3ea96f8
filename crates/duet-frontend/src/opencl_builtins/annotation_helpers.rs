//! Arithmetic and logic written as calls inside annotations (`__implies`,
//! `__ite`, `__add`, `__add_noovfl`), so that they cause no control flow. Known
//! under the same names in OpenCL and CUDA, overloaded or not.

use duet_ir::{AnnotationKind, FunctionBuilder, InstData, IntCc, Type, Value};

use super::Call;
use super::ops::*;

pub(super) fn lower(b: &mut FunctionBuilder, call: &Call) -> Option<Vec<Value>> {
    let scalars: Vec<Value> = call.args.iter().flatten().copied().collect();
    let base = call.base();
    let value = match scalars[..] {
        [x, y] if base == "__implies" => {
            let unless = b.not(x);
            or(b, unless, y)
        }
        [c, x, y] if is_family(base, "__ite") => b.select(c, x, y),
        _ if is_family(base, "__add_noovfl") && call.result.ty == Type::BOOL => {
            sum_fits(b, &scalars)?
        }
        [x, y] if is_family(base, "__add_noovfl") => {
            add_assuming_fit(b, x, y, !base.contains("unsigned"))
        }
        [x, y] if is_family(base, "__add") => b.add(x, y),
        _ => return None,
    };
    Some(vec![value])
}

/// The overloaded name, or one that spells its type out: `__ite_unsigned_int`.
fn is_family(base: &str, family: &str) -> bool {
    base.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

/// Does the sum of unsigned numbers stay in their type? It does if no partial sum
/// is below the one before it.
fn sum_fits(b: &mut FunctionBuilder, terms: &[Value]) -> Option<Value> {
    let (&first, rest) = terms.split_first()?;
    let (mut sum, mut fits) = (first, b.bool(true));
    for &term in rest {
        let next = b.add(sum, term);
        let no_carry = b.compare(IntCc::Uge, next, sum);
        fits = and(b, fits, no_carry);
        sum = next;
    }
    Some(fits)
}

/// A sum, with the assumption that it fits the type.
fn add_assuming_fit(b: &mut FunctionBuilder, x: Value, y: Value, signed: bool) -> Value {
    let sum = b.add(x, y);
    let [wide_x, wide_y, wide_sum] = [x, y, sum].map(|value| widen(b, value, signed));
    let exact = b.add(wide_x, wide_y);
    let fits = b.compare(IntCc::Eq, exact, wide_sum);
    b.inst(InstData::Annotation { kind: AnnotationKind::Assume, args: vec![fits] });
    sum
}
