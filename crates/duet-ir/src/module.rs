//! Modules: arrays, functions, files and locations.

use std::fmt;
use std::path::PathBuf;

use cranelift_entity::{PrimaryMap, SecondaryMap};

use crate::annotation::names;
use crate::{Array, File, Func, Function, Inst, Loc, SourceSpan, Type};

/// Everything read from one source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// The source language.
    pub language: Language,
    /// 32 or 64: the width of offsets.
    pub pointer_width: u8,
    /// Every piece of memory.
    pub arrays: PrimaryMap<Array, ArrayData>,
    /// Kernels and device functions.
    pub functions: PrimaryMap<Func, Function>,
    /// The source files.
    pub files: PrimaryMap<File, FileData>,
    /// Source locations.
    pub locs: PrimaryMap<Loc, LocData>,
}

/// The source language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// CUDA C++.
    Cuda,
    /// OpenCL C.
    OpenCl,
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FileData {
    /// Its path.
    pub path: String,
    /// Is it a header of the checker's own? Messages are then about the user's call
    /// that leads there.
    pub is_library: bool,
}

impl FileData {
    /// A file of the user's.
    pub fn of_user(path: impl Into<String>) -> FileData {
        FileData { path: path.into(), is_library: false }
    }
}

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LocData {
    /// The file.
    pub file: File,
    /// From 1.
    pub line: u32,
    /// From 1; 0 where unknown.
    pub column: u32,
    /// The call that this place was inlined through.
    pub inlined_at: Option<Loc>,
}

/// One piece of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayData {
    /// Name in the source; unique in the module.
    pub name: String,
    /// Memory space.
    pub space: Space,
    /// Element size in bytes at which it may be modelled; 1 where accesses do
    /// not agree.
    pub granule: u32,
    /// Size in bytes, where it is known.
    pub size: Option<u64>,
    /// What it is in the source.
    pub origin: ArrayOrigin,
    /// The source promises that no other name reaches it (`restrict`).
    pub restrict: bool,
    /// Initial contents, where the source gives them.
    pub init: Option<Vec<u8>>,
    /// What the source initialises it with although the host may change that before a launch
    /// (`__constant__`, `__device__`). It says nothing of what a launch finds: two versions of
    /// a kernel are compared by it, and nothing else reads it. All zeros count as nothing,
    /// and no bytes stand for contents that are not known.
    pub declared: Option<Vec<u8>>,
    /// What a launch finds there, as far as the host program shows it.
    pub found: Found,
    /// Where it is declared.
    pub loc: Option<Loc>,
}

/// What a launch finds in memory that the host program set up. The kernel may change it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Found {
    /// Nothing is known.
    #[default]
    Unknown,
    /// Nothing was ever written there: any contents are possible, and no code made them
    /// zeros.
    Unset,
    /// Bytes from the array's start on all hold this one.
    Filled {
        /// The byte.
        byte: u8,
        /// How many bytes; all of them if there is no number. The others were never written.
        bytes: Option<u64>,
    },
}

impl Found {
    /// The same behind a pointer into the memory, so many bytes from its start, if that is
    /// known.
    pub fn seen_from(self, offset: Option<u128>) -> Found {
        match (self, offset) {
            (Found::Filled { byte, bytes: Some(bytes) }, Some(before)) => {
                // What is behind the filled bytes was never written.
                match bytes.saturating_sub(u64::try_from(before).unwrap_or(u64::MAX)) {
                    0 => Found::Unset,
                    bytes => Found::Filled { byte, bytes: Some(bytes) },
                }
            }
            (Found::Filled { bytes: Some(_), .. }, None) => Found::Unknown,
            (Found::Filled { bytes: None, .. } | Found::Unset | Found::Unknown, _) => self,
        }
    }
}

impl ArrayData {
    /// The byte at a place when the kernel begins, if it is known.
    pub fn byte_at_launch(&self, place: u64) -> Option<u8> {
        if let Some(bytes) = &self.init {
            return bytes.get(usize::try_from(place).ok()?).copied();
        }
        match self.found {
            Found::Filled { byte, bytes } if bytes.is_none_or(|bytes| place < bytes) => Some(byte),
            Found::Filled { .. } | Found::Unset | Found::Unknown => None,
        }
    }

    /// The byte that all of it holds when the kernel begins, if it is known.
    pub fn filled_at_launch(&self) -> Option<u8> {
        match self.found {
            Found::Filled { byte, bytes: None } => Some(byte),
            Found::Filled { .. } | Found::Unset | Found::Unknown => None,
        }
    }
}

/// Memory spaces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Space {
    /// One per launch.
    Global,
    /// One per launch, never written.
    Constant,
    /// One per block.
    Shared,
    /// One per thread.
    Private,
}

/// What an array is in the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArrayOrigin {
    /// A pointer parameter of a kernel, or a pointer in a struct parameter.
    Param,
    /// A variable at file scope, or static.
    Variable,
    /// `extern __shared__`: all such names of a kernel are this one array.
    DynamicShared,
    /// A variable of a function.
    Local,
    /// An image, texture or surface: elements are texels of 16 bytes.
    Image,
    /// `__requires_fresh_array`, or memory that only a loaded pointer reaches.
    Fresh,
}

names!(Language { Cuda = "cuda", OpenCl = "opencl" });
names!(Space { Global = "global", Constant = "constant", Shared = "shared", Private = "private" });
names!(ArrayOrigin {
    Param = "param",
    Variable = "variable",
    DynamicShared = "dynamic_shared",
    Local = "local",
    Image = "image",
    Fresh = "fresh",
});

impl Module {
    /// An empty module.
    pub fn new(language: Language, pointer_width: u8) -> Module {
        Module {
            language,
            pointer_width,
            arrays: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            files: PrimaryMap::new(),
            locs: PrimaryMap::new(),
        }
    }

    /// The type of offsets.
    pub fn pointer_type(&self) -> Type {
        Type::Int(self.pointer_width)
    }

    /// Drops the arrays that no function mentions.
    pub fn retain_used_arrays(&mut self) {
        let mut used = std::collections::BTreeSet::new();
        for function in self.functions.values() {
            used.extend(function.arrays_used());
        }
        let mut new = SecondaryMap::new();
        let mut kept = PrimaryMap::new();
        for (array, data) in std::mem::take(&mut self.arrays) {
            if used.contains(&array) {
                new[array] = Some(kept.push(data));
            }
        }
        self.arrays = kept;
        for function in self.functions.values_mut() {
            function.renumber_arrays(&new);
        }
    }

    /// The kernels, in source order.
    pub fn kernels(&self) -> impl Iterator<Item = (Func, &Function)> {
        self.functions.iter().filter(|(_, function)| function.is_kernel())
    }

    /// The outermost place of a location: what the user's kernel says.
    pub fn outermost(&self, loc: Loc) -> Loc {
        let mut at = loc;
        while let Some(call) = self.locs[at].inlined_at {
            at = call;
        }
        at
    }

    /// `file:line:column` of a location.
    pub fn describe(&self, loc: Loc) -> impl fmt::Display + '_ {
        let LocData { file, line, column, .. } = self.locs[loc];
        format!("{}:{line}:{column}", self.files[file].path)
    }

    /// A location as a span for messages: where the user's own code is, which is the
    /// innermost call outside of library headers.
    pub fn source_span(&self, loc: Option<Loc>) -> Option<SourceSpan> {
        let mut at = loc?;
        while self.files[self.locs[at].file].is_library {
            at = self.locs[at].inlined_at?;
        }
        let LocData { file, line, column, .. } = self.locs[at];
        Some(SourceSpan { file: PathBuf::from(&self.files[file].path), line, column })
    }

    /// Where the user's source has an instruction of a function of this module.
    pub fn span_of_inst(&self, func: &Function, inst: Inst) -> Option<SourceSpan> {
        self.source_span(func.inst_locs[inst])
    }
}
