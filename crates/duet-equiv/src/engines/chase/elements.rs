//! Places by the number of their element, as one symbol.
//!
//! What takes a place apart is then divided out of one symbol and not out of a sum:
//! `out[n - 1 - i]`, `out[y * w + x]` against `out[i]`.

use duet_smt::{Op, Sort, TermId};

use super::Chase;
use super::offsets::{element, is_signed, shifted};
use crate::engines::NotShown;
use crate::pair::request::Side;

/// Finds a write of the other side at the place of a write, whose element is named.
///
/// SOUNDNESS: that the name is the number is a fact about a new symbol, and no bound of it
/// is one before it is shown (test `places_by_the_number_of_their_element`).
pub(super) fn find_partner(
    chase: &mut Chase<'_>,
    from: Side,
    (site, place): (usize, TermId),
    pair: [duet_ir::Array; 2],
    facts: &[TermId],
) -> Result<(), NotShown> {
    let (base, shift) = shifted(&chase.pool, place);
    let (index, by) = element(&chase.pool, base).ok_or("the place is no element")?;
    if chase.pool.width(index) != 32 || matches!(chase.pool.op(index), Op::Apply(_)) {
        return Err("the number of the element is a symbol".into());
    }
    let is_signed = is_signed(&chase.pool, base);
    let name = chase.pool.fresh("element", Sort::BitVec(32));
    let mut facts: Vec<TermId> = facts.to_vec();
    facts.push(chase.pool.eq(name, index));
    let zero = chase.pool.bv(32, 0);
    let is_natural = chase.pool.compare().sle(zero, name);
    if chase.goals.show_all(&mut chase.pool, &facts, &[is_natural]).is_ok() {
        facts.push(is_natural);
    }
    let width = chase.pool.width(place);
    let wide = match is_signed {
        true => chase.pool.bits().sext_or_trunc(name, width),
        false => chase.pool.bits().zext_or_trunc(name, width),
    };
    let (by, shift) = (chase.pool.bv(width, by), chase.pool.bv(width, shift));
    let scaled = chase.pool.bits().mul(wide, by);
    let named = chase.pool.bits().add(scaled, shift);
    chase.elements.push((name, index));
    let shown = chase.find_partner_at(from, (site, named), pair, &facts);
    chase.elements.pop();
    shown
}
