//! All threads of a launch at once: who wrote a cell of memory, and what did it hold.
//!
//! `duet check` has shown a kernel free of races, so a cell has one last writer, and a
//! claim about the cell is a claim about that one thread. This crate finds it:
//! [`writer`] inverts the index of an access and names the thread by a term.
//!
//! What is found is a guess until its user has proved that the thread exists, gets there
//! and writes that cell; nothing here claims more. The crate asks no solver.

pub mod writer;
