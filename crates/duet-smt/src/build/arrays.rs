//! Select and store.

use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::TermId;

impl TermPool {
    /// The element of an array. Looks through stores at indices that are
    /// plainly the same or plainly different.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let mut base = array;
        while self.op(base) == Op::Store {
            let [inner, i, value] = *self.args(base) else { unreachable!("store has three") };
            let same = self.eq(i, index);
            match self.as_bool(same) {
                Some(true) => return value,
                Some(false) => base = inner,
                None => break,
            }
        }
        self.raw(Op::Select, &[base, index])
    }

    /// The array with one element changed. A later store to the same index
    /// hides an earlier one.
    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let base = match self.data(array) {
            data if data.op == Op::Store && data.args[1] == index => data.args[0],
            _ => array,
        };
        self.raw(Op::Store, &[base, index, value])
    }
}
