//! Source locations and source names, from debug information.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use duet_ir::{File, FileData, Loc, LocData, Module};

use crate::llvm::{Md, Val};

/// Locations seen so far.
pub struct Locations {
    /// Relative paths are shown relative to this folder.
    directory: PathBuf,
    by_node: HashMap<Md, Loc>,
    by_data: HashMap<LocData, Loc>,
    files: HashMap<String, File>,
}

impl Locations {
    /// No locations yet; clang ran in `directory`.
    pub fn new(directory: &Path) -> Locations {
        Locations {
            directory: directory.to_path_buf(),
            by_node: HashMap::new(),
            by_data: HashMap::new(),
            files: HashMap::new(),
        }
    }

    /// The location of an instruction.
    pub fn of_inst(&mut self, module: &mut Module, inst: Val) -> Option<Loc> {
        inst.debug_loc().and_then(|node| self.of_node(module, node))
    }

    /// The location that a debug node describes.
    fn of_node(&mut self, module: &mut Module, node: Md) -> Option<Loc> {
        if let Some(&loc) = self.by_node.get(&node) {
            return Some(loc);
        }
        let inlined_at = node.inlined_at().and_then(|call| self.of_node(module, call));
        let (line, column) = node.line_column();
        let file = self.file(module, node.location_file()?);
        let loc = self.intern(module, LocData { file, line, column, inlined_at });
        self.by_node.insert(node, loc);
        Some(loc)
    }

    /// The place where a function is defined.
    pub fn of_function(&mut self, module: &mut Module, function: Val) -> Option<Loc> {
        let subprogram = function.subprogram()?;
        let line = subprogram.subprogram_line();
        let file = self.file(module, subprogram.scope_file()?);
        Some(self.intern(module, LocData { file, line, column: 0, inlined_at: None }))
    }

    /// A line of a file named by a debug node with a `file` operand.
    pub fn of_line(
        &mut self,
        module: &mut Module,
        file: (String, String),
        line: u32,
    ) -> Option<Loc> {
        let file = self.file(module, file);
        Some(self.intern(module, LocData { file, line, column: 0, inlined_at: None }))
    }

    fn intern(&mut self, module: &mut Module, data: LocData) -> Loc {
        *self.by_data.entry(data).or_insert_with(|| module.locs.push(data))
    }

    fn file(&mut self, module: &mut Module, (directory, name): (String, String)) -> File {
        let path = match Path::new(&name).is_absolute() || directory.is_empty() {
            true => PathBuf::from(name),
            false => Path::new(&directory).join(name),
        };
        let shown = path.strip_prefix(&self.directory).unwrap_or(&path);
        let shown = shown.to_string_lossy().into_owned();
        let is_library = is_ours(&shown);
        let data = FileData { path: shown.clone(), is_library };
        *self.files.entry(shown).or_insert_with(|| module.files.push(data))
    }
}

/// Is the file one of our own headers?
pub fn is_ours(path: &str) -> bool {
    crate::headers::is_ours(Path::new(path))
}

/// The name of the variable that a debug node describes.
pub fn variable_name(node: Val) -> Option<String> {
    node.md_operands().get(1).copied().flatten().and_then(Val::md_string)
}

/// The type of the variable that a debug node describes.
pub fn variable_type(node: Val) -> Option<Val> {
    node.md_operands().get(3).copied().flatten()
}

/// The width of a signed integer type, seen through its aliases.
pub fn signed_width(ty: Val) -> Option<u32> {
    let operands = ty.md_operands();
    // A type that is made of another has it as its fourth operand.
    if let Some(base) = operands.get(3).copied().flatten() {
        return signed_width(base);
    }
    match operands.get(2).copied().flatten().and_then(Val::md_string)?.as_str() {
        "int" => Some(32),
        "long" | "long long" => Some(64),
        _ => None,
    }
}

/// Is it an unsigned integer type, seen through its aliases?
pub fn is_unsigned(ty: Val) -> bool {
    let operands = ty.md_operands();
    if let Some(base) = operands.get(3).copied().flatten() {
        return is_unsigned(base);
    }
    let name = operands.get(2).copied().flatten().and_then(Val::md_string);
    name.is_some_and(|name| name.starts_with("unsigned "))
}

/// The names of the fields on the way to a byte offset of a struct type, by its
/// debug description.
pub fn field_path(ty: Val, offset: u64) -> Option<String> {
    let operands = ty.md_operands();
    // Operands of a type: file, scope, name, base type, elements, …
    let base = operands.get(3).copied().flatten();
    let elements = operands.get(4).copied().flatten().map(Val::md_operands).unwrap_or_default();
    if elements.is_empty() {
        return base.and_then(|base| field_path(base, offset));
    }
    let mut best: Option<(u64, Val)> = None;
    for element in elements.into_iter().flatten() {
        let start = crate::llvm::di_offset_bits(element)? / 8;
        if start <= offset && best.is_none_or(|(found, _)| start >= found) {
            best = Some((start, element));
        }
    }
    let (start, member) = best?;
    let name = member.md_operands().get(2).copied().flatten().and_then(Val::md_string)?;
    let inner = member.md_operands().get(3).copied().flatten();
    let rest = inner.and_then(|inner| field_path(inner, offset - start));
    Some(match rest {
        Some(rest) => format!("{name}.{rest}"),
        None => name,
    })
}
