//! Headers that are not there, and the names that nothing declares without them.
//!
//! A program for many machines includes headers that no kernel needs: MPI, graphics, a
//! library for files. A header that is not found is read as an empty one. Each name that
//! is then not known gets a declaration made from `duet/unknown.h`, as the error's place
//! shows what it is: a type, a namespace, or a value that can also be called.
//!
//! What such a name means is unknown to host code: no function there has a body. Kernels
//! cannot use one, since everything about it is for the host alone. What a kernel could
//! still use is the size of such a type, so the device side is compiled with two sizes
//! and must come out the same ([`Unknown::has_types`]).
//!
//! Without a missing header only names of CUDA's own libraries are treated so: our headers
//! don't declare them all, whereas another unknown name is a mistake of the source.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use duet_ir::{Diagnostic, Rule};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Type,
    Template,
    Namespace,
    Value,
}

/// What a file is read without.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// Headers that were not found, with the message about each.
    headers: BTreeMap<String, Diagnostic>,
    /// Names that nothing declares, with their namespaces.
    names: BTreeMap<Vec<String>, Kind>,
    /// Members of objects of unknown types.
    members: BTreeSet<String>,
}

impl Unknown {
    /// Is everything declared?
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.names.is_empty()
    }

    /// The headers that were not found.
    pub fn headers(&self) -> impl Iterator<Item = &String> {
        self.headers.keys()
    }

    /// Is there a type of which nothing is known?
    pub fn has_types(&self) -> bool {
        self.names.values().any(|kind| matches!(kind, Kind::Type | Kind::Template))
    }

    /// Does a text ask for the size of a type of which nothing is known?
    pub fn is_measured(&self, text: &str) -> bool {
        let is_type = |name: &str| {
            let mut names = self.names.iter();
            names.any(|(path, kind)| *kind != Kind::Value && path.last().is_some_and(|n| n == name))
        };
        text.match_indices("sizeof").any(|(at, word)| {
            let rest = text[at + word.len()..].trim_start_matches([' ', '(']);
            let rest = rest.strip_prefix("struct ").unwrap_or(rest);
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_:".contains(c));
            let name = &rest[..end.unwrap_or(rest.len())];
            is_type(name.rsplit("::").next().unwrap_or(name))
        })
    }

    /// Takes up what an error says is missing; whether that is something new. `text` is the
    /// file that the error is about.
    pub fn learn(&mut self, error: &Diagnostic, text: Option<&str>) -> bool {
        let headline = error.headline.as_str();
        let Some(name) = quoted(headline) else { return false };
        if headline.contains("file not found") {
            // What is named as code of the device is not replaced by nothing.
            let is_device = [".cuh", ".cu"].iter().any(|end| name.ends_with(end));
            let is_new = !is_device && !self.headers.contains_key(name);
            return is_new && self.headers.insert(name.to_string(), error.clone()).is_none();
        }
        let rest = &headline[headline.find(name).unwrap_or(0) + name.len()..];
        let scope = quoted(rest.trim_start_matches('\'')).unwrap_or("");
        if headline.starts_with("no member named") && !headline.contains("in namespace") {
            return self.is_unknown_type(scope) && self.members.insert(name.to_string());
        }
        let is_scoped = headline.contains("in namespace");
        let mut path: Vec<String> = match is_scoped {
            true => scope.split("::").map(str::to_string).collect(),
            false => vec![],
        };
        path.push(name.to_string());
        let Some(kind) = kind(headline, name, error, text) else { return false };
        let is_ours = self.headers.is_empty() && !is_of_cuda(&path);
        if is_ours || self.names.contains_key(&path) || !path.iter().all(|part| is_name(part)) {
            return false;
        }
        self.names.insert(path, kind);
        true
    }

    fn is_unknown_type(&self, name: &str) -> bool {
        let path: Vec<String> = name.split("::").map(str::to_string).collect();
        name == "duet_unknown::any" || self.names.contains_key(&path)
    }

    /// A header that declares the names.
    pub fn declarations(&self) -> String {
        let mut text = String::new();
        let members: Vec<String> =
            self.members.iter().map(|name| format!("static any {name};")).collect();
        let _ = writeln!(text, "#define __DUET_UNKNOWN_MEMBERS {}", members.join(" "));
        let _ = writeln!(text, "#include <duet/unknown.h>");
        for (path, kind) in &self.names {
            let (name, scope) = path.split_last().expect("a name");
            for part in scope {
                let _ = write!(text, "namespace {part} {{ ");
            }
            let body = "using duet_unknown::any::any; using duet_unknown::any::operator=;";
            let _ = match kind {
                Kind::Type => write!(text, "struct {name} : duet_unknown::any {{ {body} }};"),
                Kind::Template => {
                    let head = "template <class...> struct";
                    write!(text, "{head} {name} : duet_unknown::any {{ {body} }};")
                }
                Kind::Namespace => write!(text, "namespace {name} {{}}"),
                Kind::Value => write!(text, "extern duet_unknown::any {name};"),
            };
            let _ = writeln!(text, "{}", " }".repeat(scope.len()));
        }
        text
    }

    /// What is said about it: a warning for each header.
    pub fn notes(&self) -> Vec<Diagnostic> {
        let shown: Vec<String> =
            self.names.keys().take(8).map(|path| format!("`{}`", path.join("::"))).collect();
        let rest = match self.names.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let names = format!("nothing is known about {}{rest}", shown.join(", "));
        let warning = |headline: String, error: Option<&Diagnostic>| {
            let warning = Diagnostic::new(Rule::MissingHeader, headline);
            warning.at(error.and_then(|error| error.primary.clone()))
        };
        let mut notes: Vec<Diagnostic> = self
            .headers
            .iter()
            .map(|(name, error)| {
                warning(format!("`{name}` was not found and is read as empty"), Some(error))
            })
            .collect();
        if !self.names.is_empty() {
            match notes.last_mut() {
                Some(last) => *last = last.clone().note(names),
                None => notes.push(warning(names, None)),
            }
        }
        notes
    }
}

/// Is it a name of CUDA's libraries?
fn is_of_cuda(path: &[String]) -> bool {
    let name = path.first().map_or("", String::as_str);
    let after = |prefix: &str| name.strip_prefix(prefix).and_then(|rest| rest.chars().next());
    let starts = |prefix: &str| after(prefix).is_some_and(|c| c.is_ascii_uppercase() || c == '_');
    let libraries = ["cuda", "cu", "CU", "CUDA", "cublas", "cublasLt", "cufft", "cusparse"];
    let others = ["cusolver", "cusolverDn", "cudnn", "curand", "nvml", "nccl", "nvrtc", "nvtx"];
    let is_library = libraries.iter().chain(&others).any(|prefix| starts(prefix));
    is_library || matches!(name, "cuda" | "thrust" | "cub" | "nvcuda") && path.len() > 1
}

fn is_name(part: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !part.is_empty() && part.chars().all(is_part) && !part.starts_with(|c: char| c.is_ascii_digit())
}

/// The first text in quotation marks.
fn quoted(text: &str) -> Option<&str> {
    text.split('\'').nth(1).filter(|text| !text.is_empty())
}

/// What a name is that an error says is unknown.
fn kind(headline: &str, name: &str, error: &Diagnostic, text: Option<&str>) -> Option<Kind> {
    if headline.starts_with("unknown type name") || headline.starts_with("no type named") {
        return Some(Kind::Type);
    }
    if headline.starts_with("no template named") {
        return Some(Kind::Template);
    }
    let is_name = headline.starts_with("use of undeclared identifier")
        || headline.starts_with("no member named");
    is_name.then_some(())?;
    let (before, after) = around(name, error, text).unwrap_or_default();
    Some(kind_by_text(before, after))
}

/// What stands on the line before and after the name, where the error is about that place.
fn around<'a>(name: &str, error: &Diagnostic, text: Option<&'a str>) -> Option<(&'a str, &'a str)> {
    let place = error.primary.as_ref()?;
    let line = text?.lines().nth(place.line.checked_sub(1)? as usize)?;
    let column = place.column.checked_sub(1)? as usize;
    let (before, rest) = line.split_at_checked(column)?;
    Some((before.trim_end(), rest.strip_prefix(name)?.trim_start()))
}

/// What a name is by what stands around it. A value can also be called.
fn kind_by_text(before: &str, after: &str) -> Kind {
    let is_word = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let starts_statement = before.is_empty() || before.ends_with([';', '{', '}']);
    let behind_stars = after.trim_start_matches(['*', '&', ' ']);
    if after.starts_with("::") {
        return Kind::Namespace;
    }
    if after.starts_with('<') && !after.starts_with("<<") && !after.starts_with("<=") {
        return Kind::Template;
    }
    let is_cast = before.ends_with('(')
        && behind_stars.strip_prefix(')').is_some_and(|rest| {
            let rest = rest.trim_start();
            is_word(rest) || rest.starts_with(['&', '(']) || after.starts_with('*')
        });
    let is_argument = before.ends_with('<') && behind_stars.starts_with(['>', ',']);
    let is_declared = is_word(after) || starts_statement && after != behind_stars;
    match is_cast || is_argument || is_declared {
        true => Kind::Type,
        false => Kind::Value,
    }
}

/// The folder under which an empty header is found by its name; names that begin with `..`
/// stay inside of the temporary folder.
pub const INNER: &str = "a/b/c/d/e/f";

/// Makes empty headers under a folder.
pub fn make_empty(folder: &Path, unknown: &Unknown) -> std::io::Result<()> {
    let inner = folder.join(INNER);
    std::fs::create_dir_all(&inner)?;
    for name in unknown.headers() {
        let depth = name.matches("..").count();
        if depth > INNER.split('/').count() || name.starts_with('/') {
            continue;
        }
        let file = inner.join(name);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(file, "")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use duet_ir::{Diagnostic, Rule, SourceSpan};

    use super::{Kind, Unknown, kind_by_text};

    fn error(text: &str) -> Diagnostic {
        let place = SourceSpan { file: "k.cu".into(), line: 1, column: 1 };
        Diagnostic::new(Rule::CompileError, text).at(Some(place))
    }

    #[test]
    fn names_are_what_they_are_used_as() {
        assert_eq!(kind_by_text("", "(&argc, &argv);"), Kind::Value);
        assert_eq!(kind_by_text("", "status;"), Kind::Type);
        assert_eq!(kind_by_text("  if (x) {", "*window = 0;"), Kind::Type);
        assert_eq!(kind_by_text("int x = a +", "* 2;"), Kind::Value);
        assert_eq!(kind_by_text("x = (", ") y;"), Kind::Type);
        assert_eq!(kind_by_text("f(", ");"), Kind::Value);
        assert_eq!(kind_by_text("std::vector<", "> all;"), Kind::Type);
        assert_eq!(kind_by_text("", "::Mat image;"), Kind::Namespace);
    }

    #[test]
    fn only_names_of_cuda_are_unknown_without_a_missing_header() {
        let mut unknown = Unknown::default();
        assert!(!unknown.learn(&error("use of undeclared identifier 'lenght'"), Some("lenght;")));
        assert!(unknown.learn(&error("use of undeclared identifier 'cublasNew'"), None));
        assert!(unknown.learn(&error("'mpi.h' file not found"), None));
        assert!(!unknown.learn(&error("'mpi.h' file not found"), None));
        assert!(unknown.learn(&error("use of undeclared identifier 'MPI_Init'"), None));
        assert!(unknown.learn(&error("no type named 'Mat' in namespace 'cv'"), None));
        assert!(unknown.learn(&error("no member named 'rank' in 'cv::Mat'"), None));
        assert!(!unknown.learn(&error("no member named 'rank' in 'Mine'"), None));
        let text = unknown.declarations();
        assert!(text.contains("namespace cv { struct Mat : duet_unknown::any"), "{text}");
        assert!(text.contains("static any rank;"), "{text}");
    }

    #[test]
    fn sizes_of_unknown_types_are_seen() {
        let mut unknown = Unknown::default();
        unknown.learn(&error("'cv.h' file not found"), None);
        unknown.learn(&error("no type named 'Mat' in namespace 'cv'"), None);
        assert!(unknown.is_measured("cudaMalloc(&p, n * sizeof(cv::Mat));"));
        assert!(unknown.is_measured("n * sizeof ( struct Mat )"));
        assert!(!unknown.is_measured("n * sizeof(Matrix) + sizeof(float)"));
    }

    #[test]
    fn code_of_the_device_is_not_read_as_empty() {
        let mut unknown = Unknown::default();
        assert!(!unknown.learn(&error("'kernels.cuh' file not found"), None));
        assert!(!unknown.learn(&error("'kernels.cu' file not found"), None));
    }
}
