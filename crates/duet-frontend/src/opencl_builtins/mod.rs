//! What OpenCL's built-in functions mean, as kernel IR.
//!
//! *Value* built-ins compute a result from their arguments and the launch:
//! [`lower`] builds them, lane by lane; [`lower_with_out_pointer`] those that
//! also return something through a pointer (`frexp`, `sincos`, …). Built-ins that
//! touch memory, synchronise or need a sampler are only classified here
//! ([`classify`]); the translator, which knows pointers, lowers them.
//!
//! Three ways to give a value built-in its meaning, in order of preference:
//! * integer, relational and bitwise functions are exact;
//! * float functions for which the specification fixes every bit (`fabs`,
//!   `copysign`, `sign`, `step`) are exact too, and those it defines by a formula
//!   over several lanes (`dot`, `length`, …) are that formula, each operation
//!   rounded on its own;
//! * every other float function is `pure` under its OpenCL name: an unknown
//!   function of its arguments. That holds for any implementation, whatever its
//!   precision. `mad`, `mix` and `smoothstep` are of this kind because an
//!   implementation may fuse their operations, `min`, `max` and `clamp` of floats
//!   because their results on NaN are left open.
//!
//! Where the specification leaves the result of an integer function open
//! (`mul24` of numbers that need more than 24 bits), the result there is `pure`
//! as well.

mod annotation_helpers;
mod convert;
mod float_math;
mod geometric;
mod integer;
mod memory;
mod ops;
mod out_pointer;
mod relational;
mod signature;
mod work_item;

#[cfg(test)]
mod memory_tests;
#[cfg(test)]
mod tests;

use duet_ir::{FunctionBuilder, Type, Value};

use crate::mangled::{Mangled, Scalar};

pub use memory::{
    AtomicBuiltin, AtomicOperands, AtomicOrder, AtomicResult, AtomicScope, ImageQuery,
    LevelOfDetail, MemoryBuiltin, Rounding, Texel, classify, memory_order, memory_scope,
};
pub use out_pointer::lower_with_out_pointer;
pub use signature::{suits_effect, suits_out_pointer, suits_value};

/// A scalar or a vector: so many values of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// Type of each lane.
    pub ty: Type,
    /// Number of lanes; 1 for a scalar.
    pub count: usize,
}

/// Builds the value of a call of a built-in: the lanes of the result. `args` are
/// the lanes of each argument. `None` if `name` is no value built-in known here;
/// nothing has been built then.
pub fn lower(
    builder: &mut FunctionBuilder,
    name: &Mangled,
    args: &[Vec<Value>],
    result: Lanes,
) -> Option<Vec<Value>> {
    let call = Call { name, args, result };
    // One family after another; their names do not overlap but for `min`, `max`
    // and `clamp`, where the argument's type decides.
    let families = [
        work_item::lower,
        integer::lower,
        relational::lower,
        convert::lower,
        geometric::lower,
        float_math::lower,
        annotation_helpers::lower,
    ];
    families.into_iter().find_map(|family| family(builder, &call))
}

/// A call to be lowered.
struct Call<'a> {
    name: &'a Mangled,
    args: &'a [Vec<Value>],
    result: Lanes,
}

impl Call<'_> {
    /// The function's name without its types.
    fn base(&self) -> &str {
        &self.name.base
    }

    /// Is the result a vector?
    fn is_vector(&self) -> bool {
        self.result.count > 1
    }

    /// The number type of the first argument.
    fn element(&self) -> Option<Scalar> {
        self.name.element(0)
    }

    /// The arguments of one lane; a scalar argument serves every lane.
    fn lane(&self, index: usize) -> Vec<Value> {
        let pick = |arg: &Vec<Value>| if arg.len() == 1 { arg[0] } else { arg[index] };
        self.args.iter().map(pick).collect()
    }

    /// Applies `op` to the arguments of each lane.
    fn lane_wise(
        &self,
        builder: &mut FunctionBuilder,
        mut op: impl FnMut(&mut FunctionBuilder, &[Value]) -> Value,
    ) -> Vec<Value> {
        (0..self.result.count).map(|index| op(builder, &self.lane(index))).collect()
    }
}
