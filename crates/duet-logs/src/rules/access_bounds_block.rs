//! *accessLowerBoundBlock* (r2) and *accessUpperBoundBlock* (r3): blocks access ranges of
//! their own, which what the loop does not change of the offset bounds. Each offset that the
//! loop accesses may give the bounds of all.

use duet_ir::{GeometryKind, IntCc, Value};

use super::{Input, LogRule, linear};
use crate::log::Key;
use crate::statement::{OffsetIs, Statement};

/// r2.
pub(crate) const LOWER: LogRule =
    LogRule { name: "accessLowerBoundBlock", number: Some(2), guess: |input| bounds(input, false) };

/// r3.
pub(crate) const UPPER: LogRule =
    LogRule { name: "accessUpperBoundBlock", number: Some(3), guess: |input| bounds(input, true) };

fn bounds(input: &Input<'_, '_>, is_upper: bool) -> Vec<Statement> {
    let mut found = vec![];
    for key in input.logged_keys() {
        for offset in input.offsets(key) {
            let more = bound(input, key, offset, is_upper);
            found.extend(more.filter(|one| !found.contains(one)));
        }
    }
    found
}

fn bound(input: &Input<'_, '_>, key: Key, offset: Value, is_upper: bool) -> Option<Statement> {
    let sum = linear::sum_of(input, offset)?;
    let blocks: Vec<i128> = sum
        .ids
        .iter()
        .filter(|((kind, _), _)| *kind == GeometryKind::BlockId)
        .map(|(_, factor)| *factor)
        .collect();
    let [factor] = blocks[..] else { return None };
    let mut parts = linear::fixed_parts(input, &sum)?;
    parts.extend(linear::id_parts(input, &sum)?);
    let (cc, constant) = match is_upper {
        true => (IntCc::Slt, sum.constant + factor),
        false => (IntCc::Sge, sum.constant),
    };
    let limit = linear::sum_expr(input, parts, constant);
    Some(Statement::Offset(key, OffsetIs::Compared(cc, limit)))
}
