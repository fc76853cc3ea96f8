//! Limits of products, such as `nx * ny * nz <= INT_MAX`, as facts of 64 bits.

use duet_smt::{TermId, TermPool};

use crate::requires::subsets;

/// The products of every two or more of the factors are at most the limit, as terms of 64 bits.
///
/// Of factors that are at least 1, the product of some is at most that of all. It is at most
/// `limit`, an `int`, and so is each product on the way to it: none wraps at 64 bits.
// SOUNDNESS: a factor that is zero or negative bounds nothing (test `zero_bounds_no_product`).
pub fn products_of_some(pool: &mut TermPool, factors: &[TermId], limit: i32) -> Vec<TermId> {
    let limit = pool.bv(64, i128::from(limit) as u128);
    let limited = |some: Vec<TermId>| {
        let mut product = pool.bv(64, 1);
        for factor in some {
            product = pool.bits().mul(product, factor);
        }
        pool.compare().sle(product, limit)
    };
    subsets(factors).into_iter().map(limited).collect()
}
