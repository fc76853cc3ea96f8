//! Which engines look at the candidates, in which order: `DYN;H`, `DYN||SBASE||H`.

use std::fmt;
use std::str::FromStr;

/// Something that refutes candidates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Engine {
    /// Houdini: all edges, again and again, until what is left is inductive. The only
    /// one that proves anything.
    Houdini,
    /// Edges that enter a loop.
    Base,
    /// Edges that go back.
    Step,
    /// The first so many iterations of every loop.
    Unroll(u32),
    /// Runs of the interpreter.
    Dynamic,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Engine::Houdini => f.write_str("H"),
            Engine::Base => f.write_str("SBASE"),
            Engine::Step => f.write_str("SSTEP"),
            Engine::Unroll(iterations) => write!(f, "LU({iterations})"),
            Engine::Dynamic => f.write_str("DYN"),
        }
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        let iterations = text.strip_prefix("LU(").and_then(|rest| rest.strip_suffix(')'));
        match (text, iterations.map(str::parse)) {
            ("H", _) => Ok(Engine::Houdini),
            ("SBASE", _) => Ok(Engine::Base),
            ("SSTEP", _) => Ok(Engine::Step),
            ("DYN", _) => Ok(Engine::Dynamic),
            (_, Some(Ok(iterations @ 1..=4))) => Ok(Engine::Unroll(iterations)),
            _ => Err(format!("`{text}` is no engine: H, SBASE, SSTEP, LU(1) to LU(4), DYN")),
        }
    }
}

/// Stages one after the other; the engines of a stage run at the same time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composition {
    /// Never empty; Houdini is in the last one and only there.
    stages: Vec<Vec<Engine>>,
}

impl Composition {
    /// Houdini alone.
    pub fn houdini() -> Composition {
        Composition { stages: vec![vec![Engine::Houdini]] }
    }

    /// The stages.
    pub fn stages(&self) -> &[Vec<Engine>] {
        &self.stages
    }
}

/// What measured best (docs/bench.md): runs take a few milliseconds and refute about half
/// of the candidates that don't hold.
impl Default for Composition {
    fn default() -> Composition {
        Composition { stages: vec![vec![Engine::Dynamic], vec![Engine::Houdini]] }
    }
}

impl fmt::Display for Composition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, stage) in self.stages.iter().enumerate() {
            let names: Vec<String> = stage.iter().map(Engine::to_string).collect();
            write!(f, "{}{}", if number > 0 { ";" } else { "" }, names.join("||"))?;
        }
        Ok(())
    }
}

impl FromStr for Composition {
    type Err = String;

    fn from_str(text: &str) -> Result<Composition, String> {
        let stage = |part: &str| part.split("||").map(|name| name.trim().parse()).collect();
        let stages: Vec<Vec<Engine>> = text.split(';').map(stage).collect::<Result<_, _>>()?;
        let houdinis =
            |stage: &Vec<Engine>| stage.iter().filter(|engine| **engine == Engine::Houdini).count();
        let (last, before) = stages.split_last().ok_or("no engine")?;
        match houdinis(last) == 1 && before.iter().all(|stage| houdinis(stage) == 0) {
            true => Ok(Composition { stages }),
            false => Err("H must be in the last stage, once, and nowhere else".to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Composition, Engine};

    #[test]
    fn compositions_are_read_as_they_are_written() {
        for text in ["H", "DYN;H", "DYN||SBASE||H", "DYN;LU(1);SSTEP;SBASE||H"] {
            let composition: Composition = text.parse().expect(text);
            assert_eq!(composition.to_string(), text);
        }
        let stages = " DYN || SBASE ; H".parse::<Composition>().expect("blanks").stages;
        assert_eq!(stages, [vec![Engine::Dynamic, Engine::Base], vec![Engine::Houdini]]);
    }

    #[test]
    fn houdini_has_the_last_word() {
        for text in ["", "DYN", "H;DYN", "H;H", "H||H", "LU(0);H", "LU(9);H", "HOUDINI"] {
            assert!(text.parse::<Composition>().is_err(), "{text}");
        }
    }
}
