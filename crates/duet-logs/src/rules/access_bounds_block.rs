//! *accessLowerBoundBlock* (r2) and *accessUpperBoundBlock* (r3): blocks access ranges of
//! their own, which what the loop does not change of the offset bounds.

use duet_ir::{GeometryKind, IntCc};

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
    let keys = input.logged_keys().into_iter();
    keys.filter_map(|key| bound(input, key, is_upper)).collect()
}

fn bound(input: &Input<'_, '_>, key: Key, is_upper: bool) -> Option<Statement> {
    let offsets = input.offsets(key);
    let [offset] = offsets[..] else { return None };
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
