//! What OpenCL's built-ins are: the declarations in clang's own `opencl-c.h`.
//!
//! The list of functions to test is clang's, not ours: whatever the front end learns
//! of OpenCL is in it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// A scalar or a vector.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ty {
    /// The name of the element type; `void` for nothing.
    pub element: String,
    /// 1 for a scalar.
    pub lanes: usize,
}

/// A parameter's type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Param {
    Value(Ty),
    Pointer {
        /// `global`, `local`, `private`, `constant`, or nothing for the generic space.
        space: String,
        pointee: Ty,
    },
    /// An event, an image, a sampler, an order or scope of memory, …
    Other(String),
}

/// One declaration.
#[derive(Clone, Debug)]
pub struct Overload {
    pub name: String,
    pub result: Ty,
    pub params: Vec<Param>,
}

impl Overload {
    /// How it reads in a message.
    pub fn text(&self) -> String {
        let params: Vec<String> = self.params.iter().map(Param::text).collect();
        format!("{}({})", self.name, params.join(", "))
    }

    /// The name, but for the number of lanes in a conversion's.
    pub fn family(&self) -> String {
        let Some(rest) = self.name.strip_prefix("convert_") else { return self.name.clone() };
        let (element, suffix) = rest.split_once('_').map_or((rest, ""), |(e, s)| (e, s));
        let element = element.trim_end_matches(|c: char| c.is_ascii_digit());
        format!("convert_{element}_{suffix}")
    }

    /// The types without their lanes.
    fn elements(&self) -> Vec<String> {
        let of = |param: &Param| match param {
            Param::Value(ty) => ty.element.clone(),
            Param::Pointer { space, pointee } => format!("{space} {}*", pointee.element),
            Param::Other(name) => name.clone(),
        };
        self.params.iter().map(of).collect()
    }

    /// The most lanes of a value that goes in or comes out.
    pub fn lanes(&self) -> usize {
        let of = |param: &Param| match param {
            Param::Value(ty) | Param::Pointer { pointee: ty, .. } => ty.lanes,
            Param::Other(_) => 1,
        };
        self.params.iter().map(of).max().unwrap_or(1).max(self.result.lanes)
    }

    /// Does a value that goes in or comes out have this element type?
    pub fn has_value(&self, element: &str) -> bool {
        let is = |param: &Param| matches!(param, Param::Value(ty) if ty.element == element);
        self.result.element == element || self.params.iter().any(is)
    }

    /// Does a value, or what a pointer points to, have this element type?
    pub fn has(&self, element: &str) -> bool {
        let is = |ty: &Ty| ty.element == element;
        is(&self.result)
            || self.params.iter().any(|param| match param {
                Param::Value(ty) | Param::Pointer { pointee: ty, .. } => is(ty),
                Param::Other(_) => false,
            })
    }
}

impl Ty {
    pub fn text(&self) -> String {
        match self.lanes {
            1 => self.element.clone(),
            lanes => format!("{}{lanes}", self.element),
        }
    }
}

impl Param {
    fn text(&self) -> String {
        match self {
            Param::Value(ty) => ty.text(),
            Param::Pointer { space, pointee } => format!("{space} {} *", pointee.text()),
            Param::Other(name) => name.clone(),
        }
    }
}

/// Every declaration, in the header's order.
pub fn declarations() -> Vec<Overload> {
    let text = std::fs::read_to_string(header()).expect("clang's opencl-c.h");
    let joined = text.replace("\\\n", " ").replace(",\n", ", ");
    joined.lines().filter_map(declaration).collect()
}

fn header() -> PathBuf {
    let output = Command::new("clang-19").arg("-print-resource-dir").output().expect("clang-19");
    let folder = String::from_utf8(output.stdout).expect("a path");
    PathBuf::from(folder.trim()).join("include/opencl-c.h")
}

fn declaration(line: &str) -> Option<Overload> {
    let (before, rest) = line.split_once('(')?;
    let params = rest.split_once(')')?.0;
    let mut words: Vec<&str> = before.split_whitespace().collect();
    if !words.contains(&"__ovld") || line.starts_with('#') {
        return None;
    }
    let name = words.pop()?.to_owned();
    let result = words.into_iter().find_map(ty)?;
    let params = params.split(',').filter(|text| !matches!(text.trim(), "" | "void"));
    Some(Overload { name, result, params: params.map(param).collect() })
}

fn param(text: &str) -> Param {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c == '*').collect();
    let space = ["__global", "__local", "__private", "__constant"];
    let space = words.iter().find(|word| space.contains(word)).map_or("", |word| &word[2..]);
    match words.iter().find_map(|word| ty(word)) {
        Some(pointee) if text.contains('*') => Param::Pointer { space: space.into(), pointee },
        Some(value) => Param::Value(value),
        None => Param::Other(text.trim().to_owned()),
    }
}

/// The elements that numbers have.
pub const ELEMENTS: [&str; 11] =
    ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"];

/// Those of them that round.
const FLOATS: [&str; 3] = ["half", "float", "double"];

fn ty(word: &str) -> Option<Ty> {
    let of = |element: &str, lanes| Some(Ty { element: element.into(), lanes });
    match word {
        "void" => return of("void", 0),
        "bool" => return of("uchar", 1),
        "size_t" | "uintptr_t" | "atomic_size_t" | "atomic_uintptr_t" => return of("ulong", 1),
        "ptrdiff_t" | "intptr_t" | "atomic_ptrdiff_t" | "atomic_intptr_t" => return of("long", 1),
        _ => {}
    }
    // An atomic type holds the number that it is named for.
    let word = word.strip_prefix("atomic_").unwrap_or(word);
    let element = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let lanes = if element == word { 1 } else { word[element.len()..].parse().ok()? };
    ELEMENTS.contains(&element).then(|| of(element, lanes))?
}

/// For each function and choice of element types: the scalar one, and one of the
/// vectors, a different width from function to function.
pub fn representatives(declared: &[Overload]) -> Vec<&Overload> {
    let mut groups: BTreeMap<(String, Vec<String>), BTreeMap<usize, &Overload>> = BTreeMap::new();
    for overload in declared {
        let group = groups.entry((overload.family(), overload.elements())).or_default();
        group.entry(overload.lanes()).or_insert(overload);
    }
    let mut chosen = vec![];
    for (turn, ((family, _), group)) in groups.iter().enumerate() {
        let mut vectors = group.range(2..).map(|(_, overload)| *overload);
        let scalar = group.get(&1).copied();
        // There are thousands of conversions. Their lanes are made in one way, and
        // between integers nothing is rounded.
        let conversion = family.starts_with("convert_");
        let rounds = ["_rte", "_rtz", "_rtp", "_rtn"].iter().any(|mode| family.ends_with(mode));
        let whole = scalar.is_some_and(|one| FLOATS.iter().all(|float| !one.has(float)));
        if conversion && rounds && whole && turn % 16 != 0 {
            continue;
        }
        chosen.extend(scalar);
        if !conversion || turn % 7 == 0 {
            let count = vectors.clone().count().max(1);
            chosen.extend(vectors.nth(turn % count));
        }
    }
    chosen
}
