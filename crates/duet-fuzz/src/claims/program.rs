//! A made kernel as text of CUDA: statements that can be taken out again.

use std::fmt::Write as _;

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// One that has no parts.
    Line(String),
    /// The head of a loop or branch, and what is in it.
    Block(String, Vec<Piece>),
}

/// A kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its number, which is part of its name.
    pub number: usize,
    /// Blocks have two dimensions.
    pub is_flat: bool,
    /// The functions that it calls, whole.
    pub functions: Vec<String>,
    /// Its statements.
    pub body: Vec<Piece>,
}

/// What stands for the number of a thread in an expression.
pub const THREAD: char = '@';

impl Program {
    /// The kernel's name.
    pub fn name(&self) -> String {
        format!("kernel{}", self.number)
    }

    /// Is something known by its contract?
    pub fn has_contract(&self) -> bool {
        !self.functions.is_empty()
    }

    /// The text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for function in &self.functions {
            let _ = writeln!(text, "{function}");
        }
        let id = match self.is_flat {
            true => "threadIdx.x + threadIdx.y * blockDim.x",
            false => "threadIdx.x",
        };
        let size = if self.is_flat { "blockDim.x * blockDim.y" } else { "blockDim.x" };
        let _ = writeln!(
            text,
            "__global__ void {}(unsigned *out, const unsigned *in, unsigned n) {{",
            self.name()
        );
        let _ = writeln!(text, "  __requires(n <= 4);");
        let _ = writeln!(text, "  __shared__ unsigned a[256];\n  __shared__ unsigned b[256];");
        let _ =
            writeln!(text, "  unsigned t = {id};\n  unsigned size = {size};\n  unsigned v = 0;");
        write(&mut text, &self.body, 1);
        text + "}\n"
    }

    /// The kernel with one statement less, for each statement: without it, or with what is
    /// in it in its place.
    pub fn smaller(&self) -> Vec<Program> {
        less(&self.body).into_iter().map(|body| Program { body, ..self.clone() }).collect()
    }
}

fn write(text: &mut String, pieces: &[Piece], depth: usize) {
    let indent = "  ".repeat(depth);
    for piece in pieces {
        match piece {
            Piece::Line(line) => {
                let _ = writeln!(text, "{indent}{line}");
            }
            Piece::Block(head, body) => {
                let _ = writeln!(text, "{indent}{head} {{");
                write(text, body, depth + 1);
                let _ = writeln!(text, "{indent}}}");
            }
        }
    }
}

fn less(pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let mut found = vec![];
    for (at, piece) in pieces.iter().enumerate() {
        let with = |middle: &[Piece]| [&pieces[..at], middle, &pieces[at + 1..]].concat();
        found.push(with(&[]));
        if let Piece::Block(head, body) = piece {
            found.push(with(body));
            let inner = less(body).into_iter();
            found.extend(inner.map(|body| with(&[Piece::Block(head.clone(), body)])));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Piece, Program};

    #[test]
    fn every_statement_can_be_taken_out() {
        let line = |text: &str| Piece::Line(text.to_string());
        let body =
            vec![line("first();"), Piece::Block("if (n)".to_string(), vec![line("second();")])];
        let program = Program { number: 1, is_flat: false, functions: vec![], body };
        let has = |program: &Program, word: &str| program.text().contains(word);
        let smaller = program.smaller();
        assert_eq!(smaller.len(), 4);
        assert!(smaller.iter().any(|one| !has(one, "first();") && has(one, "second();")));
        assert!(smaller.iter().any(|one| has(one, "second();") && !has(one, "if (n)")));
        assert!(smaller.iter().any(|one| has(one, "if (n)") && !has(one, "second();")));
    }
}
