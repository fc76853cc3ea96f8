//! The text form of the IR: printing and reading.
//!
//! docs/ir-text.md describes the syntax. Two promises hold between the halves:
//!
//! * `print(parse(text)) == text` for every text that the printer produced;
//! * `parse(print(m))` is `m` without what is not part of its functions (blocks
//!   outside the layout, instructions outside blocks, unused unnamed constants).
//!
//! Values and blocks **keep their ids**, so that `v17` in a log or an error is
//! the `v17` of the printed text. Constants are written at their uses and have
//! no id there; the reader gives them the numbers that the text leaves free, in
//! order of first use, then the ones after the last. What is left of the gaps
//! becomes unused constants. Instructions are numbered in the order of the text.

mod blocks;
mod cursor;
mod lexer;
mod lines;
mod operands;
mod parse;
mod parse_function;
mod parse_inst;
mod parse_operand;
mod parse_terminator;
mod print;
mod print_inst;
mod values;

pub use cursor::ParseError;
pub use lines::SourceLines;
