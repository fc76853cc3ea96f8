//! *valueRange*: a variable is bounded by numbers: literals of the source, sizes of
//! the launch, arguments that are given. The bounds are those of `duet-analysis`.

use duet_analysis::Range;
use duet_ir::{IntCc, Type};
use duet_vc::Expr;

use super::Rule;

/// The rule.
pub const RULE: Rule = Rule {
    name: "valueRange",
    number: None,
    lists_states: false,
    guess: |input| {
        let header = input.view.loops.data(input.view.id).header;
        let mut found = vec![];
        for (index, value, ty) in input.changing() {
            let range = input.kernel.ranges.at(value, header);
            found.extend(range.and_then(|range| bounds(index, ty, range)));
        }
        found
    },
};

/// A range as one statement, if it says anything.
fn bounds(index: usize, ty: Type, range: Range) -> Option<Expr> {
    let full = Range::full(range.width());
    let mask = full.unsigned().1;
    let mut parts = vec![];
    let mut add = |cc, bits| {
        parts.push(Expr::compare(cc, Expr::Param(index), Expr::number(bits, ty)));
    };
    let ((low, high), (slow, shigh)) = (range.unsigned(), range.signed());
    if low > 0 {
        add(IntCc::Uge, low);
    }
    if high < mask {
        add(IntCc::Ule, high);
    }
    if slow > full.signed().0 {
        add(IntCc::Sge, slow as u128 & mask);
    }
    if shigh < full.signed().1 {
        add(IntCc::Sle, shigh as u128 & mask);
    }
    (!range.is_empty() && !parts.is_empty()).then_some(Expr::All(parts))
}
