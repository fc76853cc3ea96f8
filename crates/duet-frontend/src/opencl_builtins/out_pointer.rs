//! Float functions with a second result that goes through a pointer.

use duet_ir::{FunctionBuilder, Type, Value};

use super::ops::*;
use super::{Call, Lanes};
use crate::mangled::{Mangled, ParamType};

/// The two results of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutPointer {
    /// Lanes of the returned value.
    pub result: Vec<Value>,
    /// Lanes of the value to be stored through the pointer, which is the last
    /// argument.
    pub pointee: Vec<Value>,
}

/// How the two results are called; each is a `pure` function of the arguments.
struct Names {
    result: &'static str,
    pointee: &'static str,
}

/// Builds a call of `fract`, `frexp`, `lgamma_r`, `modf`, `remquo` or `sincos`.
/// `args` are the lanes of the arguments before the pointer. `None` if `name` is
/// none of these; nothing has been built then.
///
/// `frexp`'s, `modf`'s and `remquo`'s results are those of exact functions, yet
/// `pure` like all float functions; `sincos` has names of its own since its
/// precision need not be that of `sin` and `cos`.
pub fn lower_with_out_pointer(
    builder: &mut FunctionBuilder,
    name: &Mangled,
    args: &[Vec<Value>],
    result: Lanes,
) -> Option<OutPointer> {
    let call = Call { name, args, result };
    let pointee = Lanes { ty: pointee_type(name, result)?, count: result.count };
    if args.len() + 1 != name.params.len() || !result.ty.is_float() {
        return None;
    }
    let names = names(call.base())?;
    let value = call.lane_wise(builder, |b, lane| pure(b, names.result, lane, result.ty));
    let stored = call.lane_wise(builder, |b, lane| pure(b, names.pointee, lane, pointee.ty));
    Some(OutPointer { result: value, pointee: stored })
}

/// The type behind the last parameter: an `int` or the result's own type.
fn pointee_type(name: &Mangled, result: Lanes) -> Option<Type> {
    let element = name.params.last().and_then(ParamType::pointee)?.element()?;
    Some(if element.is_float() { result.ty } else { Type::I32 })
}

fn names(base: &str) -> Option<Names> {
    let (result, pointee) = match base {
        // SOUNDNESS: not `fmin(x - floor(x), …)`, which differs for infinities and NaN
        // (kernels/soundness/112-fraction-of-infinity).
        "fract" => ("fract", "floor"),
        "frexp" => ("frexp", "frexp_exponent"),
        "lgamma_r" => ("lgamma_r", "lgamma_r_sign"),
        // The whole part is exact: the same as `trunc`.
        "modf" => ("modf", "trunc"),
        "remquo" => ("remquo", "remquo_quotient"),
        "sincos" => ("sincos_sin", "sincos_cos"),
        _ => return None,
    };
    Some(Names { result, pointee })
}
