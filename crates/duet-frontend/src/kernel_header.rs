//! The header of a kernel file: what is expected of it, and how to launch it.
//!
//! ```text
//! //pass                            or //xfail:NOT_ALL_VERIFIED, //xfail:UNPROVEN
//! //--blockDim=64 --gridDim=2       options, between blanks; may be empty
//! //write-write-race                any number of regular expressions
//!                                   the first other line ends the header
//! ```
//!
//! Only the text is read here: options stay words, patterns stay text.

use std::fmt;
use std::path::Path;

/// In an option word: the folder of the kernel file.
const KERNEL_DIR: &str = "${KERNEL_DIR}";

/// The header of a kernel file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// What a verifier should say.
    pub expectation: Expectation,
    /// The options, with the kernel's folder filled in.
    pub options: Vec<String>,
    /// Regular expressions that the output must match, one each.
    pub patterns: Vec<String>,
}

/// What a verifier should say about a kernel file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expectation {
    /// Everything is proved.
    Pass,
    /// It ends with this code (`NOT_ALL_VERIFIED`, `UNPROVEN`, `CLANG_ERROR`, ...), in
    /// capital letters.
    Fail(String),
}

/// Why a file has no header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderError {
    /// Line 1 is something else.
    NoExpectation,
    /// Line 2 is something else.
    NoOptions,
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HeaderError::NoExpectation => "line 1 is neither `//pass` nor `//xfail:CODE`",
            HeaderError::NoOptions => "line 2 is no comment with launch options",
        })
    }
}

impl std::error::Error for HeaderError {}

impl Header {
    /// Reads the header of a file's text; `folder` is the file's.
    pub fn parse(text: &str, folder: &Path) -> Result<Header, HeaderError> {
        let mut lines = text.lines();
        let expectation = lines.next().and_then(parse_expectation);
        let expectation = expectation.ok_or(HeaderError::NoExpectation)?;
        let options = lines.next().and_then(|line| line.strip_prefix("//"));
        let folder = folder.display().to_string();
        let options = options
            .ok_or(HeaderError::NoOptions)?
            .split_whitespace()
            .map(|word| word.replace(KERNEL_DIR, &folder))
            .collect();
        // Blanks at the end of a pattern belong to it.
        let pattern = |line: &str| {
            line.strip_prefix("//").filter(|rest| !rest.is_empty()).map(str::to_string)
        };
        let patterns = lines.map_while(pattern).collect();
        Ok(Header { expectation, options, patterns })
    }

    /// Is the option there, as a word of its own?
    pub fn has(&self, option: &str) -> bool {
        self.options.iter().any(|word| word == option)
    }

    /// The values of `option=value`, in order.
    pub fn values<'h>(&'h self, option: &'h str) -> impl Iterator<Item = &'h str> {
        self.options.iter().filter_map(move |word| word.strip_prefix(option)?.strip_prefix('='))
    }

    /// The arguments of a flag of the compiler: `-DX` and `-D X` alike.
    pub fn flag<'h>(&'h self, flag: &'h str) -> impl Iterator<Item = &'h str> {
        let next = self.options.iter().skip(1).map(String::as_str).chain([""]);
        let pairs = self.options.iter().zip(next);
        pairs.filter_map(move |(word, next)| match word.strip_prefix(flag)? {
            "" => Some(next).filter(|next| !next.is_empty()),
            rest => Some(rest),
        })
    }
}

/// `//pass` or `//xfail:CODE`, in letters of either case.
fn parse_expectation(line: &str) -> Option<Expectation> {
    let word = line.strip_prefix("//")?.trim_end().to_ascii_uppercase();
    match word.strip_prefix("XFAIL:") {
        Some(code) if !code.is_empty() => Some(Expectation::Fail(code.to_string())),
        _ => (word == "PASS").then_some(Expectation::Pass),
    }
}

#[cfg(test)]
mod tests {
    use super::{Expectation, Header, HeaderError};
    use std::path::Path;

    fn parse(text: &str) -> Result<Header, HeaderError> {
        Header::parse(text, Path::new("some/where"))
    }

    #[test]
    fn a_full_header() {
        let text = "//xfail:NOT_ALL_VERIFIED\n\
                    //--blockDim=64  --gridDim=[2,1] -DN=3 -I ${KERNEL_DIR}/inc --strict\n\
                    //write-write-race \n//line 7\n//\n//not a pattern\n";
        let header = parse(text).expect("a header");
        assert_eq!(header.expectation, Expectation::Fail("NOT_ALL_VERIFIED".into()));
        assert_eq!(header.patterns, ["write-write-race ", "line 7"]);
        assert_eq!(header.values("--gridDim").collect::<Vec<_>>(), ["[2,1]"]);
        assert_eq!(header.values("--grid").count(), 0);
        assert!(header.has("--strict") && !header.has("--blockDim"));
        assert_eq!(header.flag("-D").collect::<Vec<_>>(), ["N=3"]);
        assert_eq!(header.flag("-I").collect::<Vec<_>>(), ["some/where/inc"]);
    }

    #[test]
    fn letters_of_either_case_and_nothing_else() {
        let header = parse("//PaSs\r\n//\n__global__ void k() {}\n").expect("a header");
        assert_eq!((header.expectation, header.options.len()), (Expectation::Pass, 0));
        let xfail = parse("//xFail:bugle_error\n//\n").expect("a header");
        assert_eq!(xfail.expectation, Expectation::Fail("BUGLE_ERROR".into()));
        assert_eq!(parse("// pass\n//\n"), Err(HeaderError::NoExpectation));
        assert_eq!(parse("//xfail:\n//\n"), Err(HeaderError::NoExpectation));
        assert_eq!(parse(""), Err(HeaderError::NoExpectation));
        assert_eq!(parse("//pass\n--blockDim=1\n"), Err(HeaderError::NoOptions));
        assert_eq!(parse("//pass"), Err(HeaderError::NoOptions));
    }
}
