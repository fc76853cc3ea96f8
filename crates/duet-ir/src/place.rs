//! Places in a module, for messages about it.

use crate::{Array, Block, Func, Inst, Loc, Module};

/// The part of a module that a message is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// The module as a whole.
    Module,
    /// An array.
    Array(Array),
    /// A source location.
    Loc(Loc),
    /// A function: its header.
    Function(Func),
    /// A block: its header.
    Block(Func, Block),
    /// An instruction.
    Inst(Func, Inst),
    /// The end of a block.
    Terminator(Func, Block),
}

impl Place {
    /// The function that the place is in.
    pub fn function(self) -> Option<Func> {
        match self {
            Place::Module | Place::Array(_) | Place::Loc(_) => None,
            Place::Function(func)
            | Place::Block(func, _)
            | Place::Inst(func, _)
            | Place::Terminator(func, _) => Some(func),
        }
    }

    /// The place in the words of the text form: the function's name and the
    /// instruction as it prints.
    pub fn describe(self, module: &Module) -> String {
        let part = match self {
            Place::Module => return "module".to_string(),
            Place::Loc(loc) => return format!("!{}", loc.as_u32()),
            Place::Array(array) => {
                return match module.arrays.get(array) {
                    Some(data) => format!("array `{}`", data.name),
                    None => array.to_string(),
                };
            }
            Place::Function(_) => None,
            Place::Block(_, block) => Some(block.to_string()),
            Place::Inst(func, inst) => Some(
                self.text(module, func, |function| function.display_inst(module, inst).to_string()),
            ),
            Place::Terminator(func, block) => Some(self.text(module, func, |function| {
                function.display_terminator(module, block).to_string()
            })),
        };
        let func = self.function().expect("the other places have returned");
        let name = module.functions.get(func).map_or(func.to_string(), |f| f.name.clone());
        match part {
            Some(part) => format!("function `{name}`, `{part}`"),
            None => format!("function `{name}`"),
        }
    }

    /// What `print` makes of the function, if there is such a function.
    fn text(
        self,
        module: &Module,
        func: Func,
        print: impl Fn(&crate::Function) -> String,
    ) -> String {
        module.functions.get(func).map(print).unwrap_or_default()
    }
}
