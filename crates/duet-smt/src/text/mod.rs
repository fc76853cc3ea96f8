//! The text form: SMT-LIB 2.6, written by us and read back for tests.

mod print;
mod read;
mod sexp;
mod symbols;

pub use print::{Printer, write_script};
pub use read::{ReadError, Script, parse_script};
pub use sexp::{Sexp, SexpError, parse_sexps};

pub(crate) use read::parse_bv_literal;
