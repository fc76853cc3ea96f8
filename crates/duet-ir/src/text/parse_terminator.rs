//! Reads the ends of blocks.

use super::cursor::{Parsed, error};
use super::lexer::Kind;
use super::operands::parse_int;
use super::parse_operand::OperandParser;
use crate::{Edge, Terminator, Type};

/// Reading the end of a block of a function with these results.
pub(super) struct TerminatorParser<'o, 'p, 't> {
    pub operands: &'o mut OperandParser<'p, 't>,
    pub results: &'o [Type],
}

impl TerminatorParser<'_, '_, '_> {
    /// The end of a block, if the next word starts one.
    pub fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let Some(word) = self.operands.cursor().peek_word() else { return Ok(None) };
        if !matches!(word, "jump" | "br" | "switch" | "return" | "halt") {
            return Ok(None);
        }
        self.operands.cursor().advance();
        Ok(Some(match word {
            "jump" => Terminator::Jump(self.operands.edge()?),
            "br" => self.branch()?,
            "switch" => self.switch()?,
            "return" => self.return_values()?,
            _ => Terminator::Halt,
        }))
    }

    /// `br v1, bb1, bb2(v3)`
    fn branch(&mut self) -> Parsed<Terminator> {
        let cond = self.operands.operand(Some(Type::BOOL))?;
        self.operands.cursor().expect_punct(b',')?;
        let then = self.operands.edge()?;
        self.operands.cursor().expect_punct(b',')?;
        Ok(Terminator::Branch { cond, then, otherwise: self.operands.edge()? })
    }

    /// `switch i32 v1 [0: bb1, 5: bb2], default bb3`
    fn switch(&mut self) -> Parsed<Terminator> {
        let ty = self.operands.cursor().ty()?;
        let at = self.operands.cursor().here();
        let arg = self.operands.operand(Some(ty))?;
        self.operands.values.claim(arg, ty, at);
        let cases = self.cases(ty)?;
        self.operands.after_comma("default")?;
        Ok(Terminator::Switch { arg, cases, default: self.operands.edge()? })
    }

    fn cases(&mut self, ty: Type) -> Parsed<Vec<(u128, Edge)>> {
        self.operands.cursor().expect_punct(b'[')?;
        self.operands.list(b']', |operands| case(operands, ty))
    }

    /// `return v1, v2`; a bare number takes the type of the function's result.
    fn return_values(&mut self) -> Parsed<Terminator> {
        let mut values = Vec::new();
        if matches!(self.operands.cursor().peek().kind, Kind::Newline | Kind::Punct(b'!')) {
            return Ok(Terminator::Return(values));
        }
        loop {
            let expected = self.results.get(values.len()).copied();
            values.push(self.operands.operand(expected)?);
            if !self.operands.cursor().eat_punct(b',') {
                return Ok(Terminator::Return(values));
            }
        }
    }
}

/// `5: bb2(v3)`
fn case(operands: &mut OperandParser, ty: Type) -> Parsed<(u128, Edge)> {
    let (at, text) = (operands.cursor().here(), operands.cursor().peek_text());
    if operands.cursor().peek().kind != Kind::Number {
        return operands.cursor().unexpected("the number of a case");
    }
    operands.cursor().advance();
    let number = match parse_int(text, ty.bits().unwrap_or(0)) {
        Ok(number) => number,
        Err(message) => return error(at, message),
    };
    operands.cursor().expect_punct(b':')?;
    Ok((number, operands.edge()?))
}
