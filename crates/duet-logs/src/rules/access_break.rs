//! *accessBreak* (r0): each id of the thread can be read off a logged offset.
//!
//! With `a[16 * threadIdx.x + i]`, `i` below 16, `threadIdx.x` is the offset divided by the
//! size of 16 elements. What the loop changes is left out of the sum.

use super::{Input, LogRule, linear};
use crate::log::Key;
use crate::statement::{OffsetIs, Statement};

/// The rule.
pub(crate) const RULE: LogRule = LogRule {
    name: "accessBreak",
    number: Some(0),
    guess: |input| input.logged_keys().into_iter().flat_map(|key| of_key(input, key)).collect(),
};

fn of_key(input: &Input<'_, '_>, key: Key) -> Vec<Statement> {
    let offsets = input.offsets(key);
    let [offset] = offsets[..] else { return vec![] };
    let Some(sum) = linear::sum_of(input, offset) else { return vec![] };
    let mut found = vec![];
    for (&id, &factor) in sum.ids.iter().filter(|(_, factor)| **factor > 0) {
        let mut others = sum.clone();
        others.ids.remove(&id);
        let (Some(mut parts), Some(ids), Some(own)) = (
            linear::fixed_parts(input, &others),
            linear::id_parts(input, &others),
            linear::id_expr(input, id),
        ) else {
            continue;
        };
        parts.extend(ids);
        let rest = linear::sum_expr(input, parts, sum.constant);
        let is = OffsetIs::Component { id: own, rest, stride: factor as u128 };
        found.push(Statement::Offset(key, is));
    }
    found
}
