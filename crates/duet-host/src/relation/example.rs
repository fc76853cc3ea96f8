//! An instance of a relation: values of the unknowns under which all facts hold and the
//! launch is possible. It is found by trying, so there may be one where none is found.

use std::collections::BTreeSet;

use duet_analysis::bits;
use duet_ir::IntCc;

use crate::relation::{Relation, Term, TermData, Unknown};

/// Attempts.
const MOST_ATTEMPTS: usize = 4000;
/// Instances of which one is chosen.
const MOST_FOUND: usize = 16;
/// Numbers that sizes often are, the likeliest first.
const USUAL: [u128; 18] =
    [256, 1024, 64, 32, 1, 128, 512, 4096, 16, 4, 2, 8, 1000, 65536, 1 << 20, 0, 100, 3];

/// An instance of a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// Values of all unknowns.
    pub values: Vec<u128>,
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
}

impl Example {
    /// Threads of the launch.
    fn threads(&self) -> u128 {
        self.grid.iter().chain(&self.block).map(|&size| u128::from(size)).product()
    }

    /// How long a run of it takes, roughly: the digits of its numbers.
    fn weight(&self) -> u32 {
        let digits = |number: u128| u128::BITS - number.leading_zeros();
        self.values.iter().map(|&value| digits(value)).sum::<u32>() + 2 * digits(self.threads())
    }
}

impl Relation {
    /// Looks for an instance. Among those with one number for all unknowns the one with
    /// the fewest threads is taken, because it is run.
    pub fn example(&self) -> Option<Example> {
        let pool = self.numbers();
        let smallest = self.alike(&pool).min_by_key(Example::threads);
        smallest.or_else(|| self.mixed(&pool).next())
    }

    /// The same of several blocks: of some that are found, the one with the smallest numbers.
    pub fn example_of_blocks(&self) -> Option<Example> {
        let pool = self.numbers();
        let found = self.alike(&pool).chain(self.mixed(&pool));
        let several = found.filter(|one| one.grid.iter().any(|&size| size > 1));
        several.take(MOST_FOUND).min_by_key(Example::weight)
    }

    /// Instances with one number of the pool for all unknowns.
    fn alike(&self, pool: &[u128]) -> impl Iterator<Item = Example> {
        pool.iter().filter_map(|&one| self.instance(vec![one; self.unknowns.len()]))
    }

    /// Instances with any numbers of the pool.
    fn mixed(&self, pool: &[u128]) -> impl Iterator<Item = Example> {
        let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut below = move |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % limit
        };
        let attempts = (0..MOST_ATTEMPTS)
            .map(move |_| (0..self.unknowns.len()).map(|_| pool[below(pool.len())]).collect());
        attempts.filter_map(|values| self.instance(values))
    }

    /// The instance with these values, if it is one. What facts say an unknown is, it is
    /// made to be.
    fn instance(&self, mut values: Vec<u128>) -> Option<Example> {
        for (value, data) in values.iter_mut().zip(&self.unknowns) {
            *value &= bits::mask(data.ty.bits()? as u8);
        }
        for &fact in &self.facts {
            let TermData::Compare { cc: IntCc::Eq, args: [a, b] } = self.terms.data(fact) else {
                continue;
            };
            for (a, b) in [(a, b), (b, a)] {
                if let TermData::Unknown { unknown, .. } = self.terms.data(a)
                    && !self.terms.unknowns_of(b).contains(&unknown)
                {
                    values[unknown.0 as usize] = self.number(b, &values)?;
                    break;
                }
            }
        }
        if self.facts.iter().any(|&fact| self.number(fact, &values) != Some(1)) {
            return None;
        }
        let sizes = |terms: [Term; 3]| -> Option<[u32; 3]> {
            let mut sizes = [0; 3];
            for (size, term) in sizes.iter_mut().zip(terms) {
                *size = u32::try_from(self.number(term, &values)?).ok()?;
            }
            Some(sizes)
        };
        let (grid, block) = (sizes(self.grid)?, sizes(self.block)?);
        let threads: u128 = block.iter().map(|&size| u128::from(size)).product();
        let fits = (1..=1024).contains(&threads)
            && grid.iter().all(|&size| size > 0)
            && grid[0] < 1 << 21
            && grid[1].max(grid[2]) <= 65535;
        fits.then_some(Example { values, grid, block })
    }

    fn number(&self, term: Term, values: &[u128]) -> Option<u128> {
        self.terms.evaluate(term, &|Unknown(number)| values.get(number as usize).copied())
    }

    /// Numbers to try: the usual ones, and those around constants of the relation.
    fn numbers(&self) -> Vec<u128> {
        let mut found = USUAL.to_vec();
        let mut seen: BTreeSet<u128> = found.iter().copied().collect();
        for data in self.terms.all() {
            if let TermData::Const { bits, .. } = data {
                for number in [*bits, bits.wrapping_add(1), bits.wrapping_sub(1)] {
                    if seen.insert(number) {
                        found.push(number);
                    }
                }
            }
        }
        found
    }
}
