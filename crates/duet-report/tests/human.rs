//! The text form of diagnostics, compared with what a reader should see.

use std::path::PathBuf;

use duet_ir::{Diagnostic, Rule, SourceSpan};
use duet_report::{Options, Sources, render_diagnostic, render_diagnostics};

fn span(file: &str, line: u32, column: u32) -> Option<SourceSpan> {
    Some(SourceSpan { file: PathBuf::from(file), line, column })
}

fn and(mut diagnostic: Diagnostic, place: Option<SourceSpan>, label: &str) -> Diagnostic {
    diagnostic.secondary.extend(place.map(|place| (place, label.to_string())));
    diagnostic
}

/// Renders with the file `k.cu` of the given contents.
fn render(source: &[u8], diagnostic: &Diagnostic) -> String {
    let mut sources = Sources::new();
    sources.insert("k.cu", source);
    render_diagnostic(diagnostic, &mut sources, &Options::default())
}

#[track_caller]
fn check(source: &[u8], diagnostic: &Diagnostic, expected: &str) {
    let actual = render(source, diagnostic);
    assert_eq!(actual, expected, "\n--- actual ---\n{actual}--- expected ---\n{expected}");
}

const KERNEL: &[u8] = b"\
__global__ void k(int *a) {
  int i = threadIdx.x;
  a[i] = 1;
  int x = 1;
  int y = 2;
  x += a[i + 1];
  y += x;
}
";

fn race() -> Diagnostic {
    Diagnostic::new(Rule::ReadWriteRace, "two threads race on a")
}

#[test]
fn the_token_at_the_column_is_underlined_and_tabs_do_not_shift_it() {
    let diagnostic = Diagnostic::new(Rule::UnsupportedConstruct, "fib calls itself")
        .at(span("k.cu", 2, 9))
        .note("everything is inlined")
        .help("write it as a loop");
    check(
        b"int fib(int n) {\n\treturn fib(n - 1);\n}\n",
        &diagnostic,
        "\
error[unsupported-construct]: fib calls itself
 --> k.cu:2:9
  |
2 |     return fib(n - 1);
  |            ^^^
  |
  = note: everything is inlined
  = help: write it as a loop
",
    );
}

#[test]
fn a_second_place_in_the_file_shares_the_picture() {
    check(
        KERNEL,
        &and(race().at(span("k.cu", 3, 8)), span("k.cu", 6, 8), "read by thread (1, 0, 0)"),
        "\
error[read-write-race]: two threads race on a
 --> k.cu:3:8
  |
3 |   a[i] = 1;
  |        ^
...
6 |   x += a[i + 1];
  |        - read by thread (1, 0, 0)
",
    );
}

#[test]
fn places_in_other_files_follow() {
    let mut sources = Sources::new();
    sources.insert("k.cu", KERNEL);
    sources.insert("h.cuh", "void put(int *p) {\n  *p = 1;\n}\n");
    let diagnostic = race().at(span("h.cuh", 2, 6));
    let diagnostic = and(diagnostic, span("k.cu", 6, 8), "the other access");
    let diagnostic = and(diagnostic, span("h.cuh", 1, 6), "inlined from here");
    let actual = render_diagnostic(&diagnostic, &mut sources, &Options::default());
    let expected = "\
error[read-write-race]: two threads race on a
 --> h.cuh:2:6
  |
1 | void put(int *p) {
  |      --- inlined from here
2 |   *p = 1;
  |      ^
  |
 ::: k.cu:6:8
  |
6 |   x += a[i + 1];
  |        - the other access
";
    assert_eq!(actual, expected, "\n{actual}");
}

#[test]
fn without_a_column_the_line_is_underlined() {
    check(
        KERNEL,
        &Diagnostic::new(Rule::SignedOverflow, "this may overflow").at(span("k.cu", 3, 0)),
        "\
warning[signed-overflow]: this may overflow
 --> k.cu:3:3
  |
3 |   a[i] = 1;
  |   ^^^^^^^^^
",
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let place = span("no/such.cu", 3, 8);
    let diagnostic =
        and(race().at(place), span("no/other.cu", 7, 0), "read here").note("one block");
    check(
        KERNEL,
        &diagnostic,
        "\
error[read-write-race]: two threads race on a
--> no/such.cu:3:8
::: no/other.cu:7
 = note: read here
 = note: one block
",
    );
}

#[test]
fn a_line_past_the_end_of_the_file_is_named() {
    let expected = "error[read-write-race]: two threads race on a\n--> k.cu:900:1\n";
    check(KERNEL, &race().at(span("k.cu", 900, 1)), expected);
    let expected = "error[read-write-race]: two threads race on a\n--> k.cu:1:1\n";
    check(b"", &race().at(span("k.cu", 1, 1)), expected);
}

#[test]
fn a_column_past_the_end_of_the_line_points_behind_it() {
    check(
        KERNEL,
        &race().at(span("k.cu", 3, 99)),
        "\
error[read-write-race]: two threads race on a
 --> k.cu:3:12
  |
3 |   a[i] = 1;
  |            ^
",
    );
}

#[test]
fn no_place_at_all() {
    check(KERNEL, &race(), "error[read-write-race]: two threads race on a\n");
}

#[test]
fn long_lines_are_shown_around_the_caret() {
    let line = format!("{}foo({});", "x + ".repeat(100), "y".repeat(300));
    let diagnostic = race().at(span("k.cu", 1, 401));
    let diagnostic = and(diagnostic, span("k.cu", 1, 1), "read here");
    let actual = render(line.as_bytes(), &diagnostic);
    let lines: Vec<&str> = actual.lines().collect();
    let (source, carets) = (lines[3], lines[4]);
    assert!(source.len() <= 150, "{actual}");
    assert!(source.starts_with("1 | ...") && source.ends_with("..."), "{actual}");
    let caret = carets.find("^^^").unwrap();
    assert_eq!(&source[caret..caret + 3], "foo", "{actual}");
    assert_eq!(lines[5..], [" ::: k.cu:1:1", "  = note: read here"], "{actual}");
}

#[test]
fn a_file_that_is_not_text_is_shown_as_far_as_it_goes() {
    check(
        b"\xff\xfe\0 a[i] = 1;\n",
        &race().at(span("k.cu", 1, 10)),
        "\
error[read-write-race]: two threads race on a
 --> k.cu:1:10
  |
1 | \u{fffd}\u{fffd}\u{2400} a[i] = 1;
  |          ^
",
    );
}

#[test]
fn colour_only_when_asked() {
    let mut sources = Sources::new();
    sources.insert("k.cu", KERNEL);
    let diagnostic = race().at(span("k.cu", 3, 8));
    let plain = render_diagnostic(&diagnostic, &mut sources, &Options::default());
    assert!(!plain.contains('\u{1b}'));
    let options = Options { color: true, ..Options::default() };
    let coloured = render_diagnostic(&diagnostic, &mut sources, &options);
    assert!(coloured.contains("\u{1b}["));
}

#[test]
fn escape_codes_of_the_source_do_not_reach_the_terminal() {
    let actual = render(b"int \x1b[31mx;\n", &race().at(span("k.cu", 1, 1)).note("\u{1b}[2J"));
    assert!(!actual.contains('\u{1b}'), "{actual:?}");
}

#[test]
fn several_diagnostics_are_apart() {
    let list = [race(), Diagnostic::new(Rule::MissingRestrict, "a and b may overlap")];
    let actual = render_diagnostics(&list, &mut Sources::new(), &Options::default());
    let expected = "\
error[read-write-race]: two threads race on a

warning[missing-restrict]: a and b may overlap

";
    assert_eq!(actual, expected);
}
