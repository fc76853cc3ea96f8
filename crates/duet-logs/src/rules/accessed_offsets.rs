//! *accessedOffsetsSatisfyPredicates* (r1): a logged offset is one of those of the loop's
//! accesses, as far as it does not depend on the iteration; of the rest a remainder is known.

use super::{Input, LogRule, linear};
use crate::log::Key;
use crate::statement::{OffsetIs, Statement};
use duet_ir::{IntCc, Value};

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "accessedOffsetsSatisfyPredicates",
    number: Some(1),
    guess: |input| {
        let keys = input.logged_keys().into_iter();
        keys.filter_map(|key| of_key(input, key)).collect()
    },
};

fn of_key(input: &Input<'_, '_>, key: Key) -> Option<Statement> {
    let parts: Option<Vec<OffsetIs>> =
        input.offsets(key).into_iter().map(|offset| of_offset(input, offset)).collect();
    Some(Statement::Offset(key, OffsetIs::Any(parts?)))
}

fn of_offset(input: &Input<'_, '_>, offset: Value) -> Option<OffsetIs> {
    let sum = linear::sum_of(input, offset)?;
    let mut parts = linear::fixed_parts(input, &sum)?;
    parts.extend(linear::id_parts(input, &sum)?);
    let mut modulus = 0i128;
    for (&value, &factor) in &sum.varying {
        let by = match linear::stride(input, value) {
            Some((index, step)) => {
                parts.push((linear::initial(input, index, value)?, factor));
                factor * step
            }
            None => factor,
        };
        modulus = greatest_common_divisor(modulus, by.abs());
    }
    let rest = linear::sum_expr(input, parts, sum.constant);
    match modulus {
        0 => Some(OffsetIs::Compared(IntCc::Eq, rest)),
        1 => None,
        _ => Some(OffsetIs::Congruent(modulus as u128, rest)),
    }
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
