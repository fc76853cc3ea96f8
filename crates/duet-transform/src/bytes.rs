//! Arrays modelled by bytes instead of by elements.
//!
//! The granule of an array says in which units later stages may think of it; what a run
//! does with given contents of memory does not depend on it. Granule 1 fits every access (an access touches whole bytes, and
//! every alignment is a multiple of 1), so the module stays well formed, the runs are
//! the same, and a proof of one is a proof of the other. It costs solvers more.

use duet_ir::WellFormed;

/// The module with every array modelled by bytes.
pub fn by_bytes(module: &WellFormed) -> WellFormed {
    module.clone().rewrite(|module| {
        module.arrays.values_mut().for_each(|array| array.granule = 1);
    })
}
