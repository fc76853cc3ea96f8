//! The language of contracts: reading, places of errors, types, and contracts in files.

use duet_spec::{
    Captured, Place, Quantifier, ScalarType, beside, bounds_of, check_types, parse, scan,
    with_captures,
};

fn read(text: &str) -> String {
    match parse(text) {
        Ok(contract) => contract.to_string().trim_end().to_string(),
        Err(error) => format!("{}..{}: {}", error.span.start, error.span.end, error.message),
    }
}

#[test]
fn precedence_is_that_of_c() {
    for (text, means) in [
        ("ensures a + b * c == d;", "ensures (a + (b * c)) == d;"),
        ("ensures 0 <= j < n;", "ensures (0 <= j) && (j < n);"),
        ("ensures a ==> b ==> c;", "ensures a ==> (b ==> c);"),
        ("ensures a || b && c;", "ensures a || (b && c);"),
        ("ensures a << 1 + b == 2;", "ensures (a << (1 + b)) == 2;"),
        (
            "ensures -a[i].x == 1;",
            "13..14: expected an operator: members are selected of names only, found `.`",
        ),
        ("ensures (int)(a + b) == c;", "ensures (int)(a + b) == c;"),
        ("ensures a == 1 ? b : c;", "ensures (a == 1) ? b : c;"),
        ("ensures !a && b;", "ensures !a && b;"),
        ("ensures a - b - c == 0;", "ensures ((a - b) - c) == 0;"),
        ("requires blockDim.x == 0x10u;", "requires blockDim.x == 16;"),
        ("requires get_local_size(0) == 4;", "requires get_local_size(0) == 4;"),
        ("ensures x == 1.5f + 2.0;", "ensures x == (1.5f + 2.0);"),
        ("assigns a[0 .. n-1], b[3];", "assigns a[0 .. n - 1], b[3];"),
        ("assigns \\nothing;", "assigns \\nothing;"),
        ("ghost int m, k;", "ghost int m, k;"),
        (
            "ensures s == \\sum(int k; 0 <= k < n; a[k]);",
            "ensures s == \\sum(int k; 0 <= k < n; a[k]);",
        ),
        (
            "ensures \\forall unsigned i, j; i < n && j < n ==> a[i] == a[j];",
            "ensures \\forall unsigned int i, j; ((i < n) && (j < n)) ==> (a[i] == a[j]);",
        ),
        (
            "logic int f(int x) = x <= 0 ? 0 : f(x - 1);",
            "logic int f(int x) = (x <= 0) ? 0 : f(x - 1);",
        ),
        ("writer a[j] : t == j;", "writer a[j] : t == j;"),
    ] {
        assert_eq!(read(text), means, "{text}");
    }
}

#[test]
fn what_is_printed_is_read_back() {
    for text in [
        "ensures a + b * c == d && (e | f) != 0;",
        "ensures \\forall int j; 0 <= j < n ==> c[j] == \\old(a[j + 1]) % 3;",
        "requires \\is_pow2(n) || n == \\pow2(m) || !(n < 4);",
        "ensures \\max(int k; 0 <= k < n; a[k]) <= \\count(int k; 0 <= k < n; a[k] == 0);",
    ] {
        let once = read(text);
        assert_eq!(read(&once), once, "{text}");
    }
}

#[test]
fn errors_have_places() {
    for (text, says) in [
        ("ensures a = b;", "10..11: expected `;`, found `=`: a contract changes nothing"),
        ("ensures a++;", "9..11: expected `;`, found `++`: a contract changes nothing"),
        ("promise a;", "0..7: `promise` is no clause"),
        ("ensures a & b == c;", "12..18: `&`, `|`, `^` beside a relation need brackets"),
        ("ensures \\most(a);", "8..13: `\\most` is unknown"),
        ("ensures a", "9..10: expected `;`, found the end of the contract"),
        ("ensures @;", "8..9: `@` has no meaning in a contract"),
        ("ensures \\sum(int k; 0 < k < n; a[k]) == 0;", "22..23: expected `<=`, found `<`"),
        ("ghost float m;", "6..11: a ghost variable has an integer type"),
    ] {
        assert_eq!(read(text), says, "{text}");
    }
}

#[test]
fn readers_never_panic() {
    let text = "requires 0x && \\forall int j; 0<=j<n ==> (int)\\sum(int k; 0 <= k < n; a[k]) == 1.e5f; // é";
    for start in 0..text.len() {
        for end in start..text.len() {
            if let Some(part) = text.get(start..end) {
                let _ = parse(part);
                let _ = scan(&format!("//@ {part}\n__global__ void k() {{ }}"));
                let _ = scan(part);
            }
        }
    }
}

fn types(name: &str) -> Option<Captured> {
    match name {
        "n" => Some(Captured::Scalar(ScalarType::Int)),
        "x" => Some(Captured::Scalar(ScalarType::Float)),
        "a" => Some(Captured::Pointer(ScalarType::Int)),
        "f" => Some(Captured::Pointer(ScalarType::Float)),
        _ => None,
    }
}

fn wrong(text: &str) -> String {
    let contract = parse(text).expect("a contract");
    let errors = check_types(&contract, Place::Kernel, None, &types);
    errors.into_iter().map(|error| error.message).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_is_not_well_defined_is_rejected() {
    for (text, says) in [
        ("ensures a[0] == n;", ""),
        ("ensures \\forall int j; 0 <= j < n ==> f[j] == x * 2;", ""),
        ("ensures m == 0;", "`m` is unknown"),
        ("ensures a == n;", "an array is no number: name one of its cells"),
        ("ensures n[0] == 0;", "this is no array"),
        ("ensures a[x] == 0;", "expected an integer, this is float"),
        ("ensures f[0] % 2 == 0;", "expected an integer, this is float"),
        ("ensures \\forall int j; j < n ==> a[j] == 0;", "the variable `j` is not bounded"),
        ("ensures \\forall unsigned j; j < n ==> a[j] == 0;", ""),
        ("ensures \\exists int j; 0 <= j < n && a[j] == 0;", "an `\\exists` cannot be ensured"),
        ("ensures !(\\exists int j; 0 <= j < n && a[j] == 0);", ""),
        ("requires \\exists int j; 0 <= j < n && a[j] == 0;", ""),
        ("requires \\old(a[0]) == 0;", "`requires` speaks of the initial state only"),
        ("loop invariant n == 0;", "a loop invariant stands before a loop, not before a kernel"),
        ("ensures \\min(int k; 0 <= k < n; f[k]) == x;", "`\\min` and `\\max` are for integers"),
        ("ensures g(n) == 0;", "`g` is no function of contracts"),
        ("logic int g(int y) = y; ensures g(n, n) == 0;", "`g` has 1 parameters, not 2"),
        ("ghost int m; requires n == 2 * m;", ""),
        ("ensures n <= INT_MAX;", ""),
    ] {
        assert_eq!(wrong(text), says, "{text}");
    }
}

#[test]
fn bounds_come_from_guards() {
    let contract =
        parse("ensures \\forall int i, j; 0 <= i < n && i <= j <= m && k[j] < 9 ==> a[i] == j;")
            .expect("a contract");
    let duet_spec::ClauseKind::Ensures(pred) = &contract.clauses[0].kind else { panic!() };
    let duet_spec::ExprKind::Quantified(which, binders, body) = &pred.kind else { panic!() };
    assert_eq!(*which, Quantifier::Forall);
    let shown: Vec<String> = bounds_of(*which, binders, body)
        .iter()
        .map(|bounds| {
            let show = |list: &[(&duet_spec::Expr, bool)]| {
                list.iter().map(|(one, strict)| format!("{one}{strict}")).collect::<Vec<_>>()
            };
            format!("{:?} {:?}", show(&bounds.from), show(&bounds.to))
        })
        .collect();
    // A bound of the first variable does not mention the second.
    assert_eq!(shown, ["[\"0false\"] [\"ntrue\"]", "[\"ifalse\"] [\"mfalse\"]"]);
}

const FILE: &str = "//@ requires n > 0; // a remark
//@ ensures a[0] == n;
__global__ void k(int *a, int n) {
  /*@ loop invariant i >= 0; */
  for (int i = 0; i < n; i++) {
    a[i] = n; // \"{\"
  }
  while (n) {
    //@ loop invariant n >= 0;
    n--;
  }
}
// no contract: @ensures
__global__ void other(int *a) { }
";

#[test]
fn contracts_are_found_with_what_they_belong_to() {
    let scanned = scan(FILE);
    assert_eq!(scanned.errors, []);
    let places: Vec<Place> = scanned.specs.iter().map(|spec| spec.place).collect();
    assert_eq!(places, [Place::Kernel, Place::Loop, Place::Loop]);
    let names: Vec<Vec<&str>> = scanned
        .specs
        .iter()
        .map(|spec| spec.captures.iter().map(|one| one.name.as_str()).collect())
        .collect();
    assert_eq!(names, [vec!["n", "a"], vec!["i"], vec!["n"]]);
    for spec in &scanned.specs {
        for capture in &spec.captures {
            let at = spec.start + capture.span.start;
            assert!(FILE[at..].starts_with(&capture.name), "{capture:?}");
        }
    }
}

#[test]
fn captures_leave_lines_where_they_are() {
    let scanned = scan(FILE);
    let text = with_captures(FILE, &scanned.specs);
    assert_eq!(text.lines().count(), FILE.lines().count());
    let line = text.lines().nth(2).expect("the kernel");
    assert!(
        line.contains(
            "{ __duet_capture(0, -1, 0); __duet_capture(0, 0, n); __duet_capture(0, 1, a);"
        )
    );
    assert!(text.lines().nth(4).expect("the loop").contains("__duet_capture(1, 0, i);"));
}

#[test]
fn a_contract_before_nothing_is_an_error() {
    for text in [
        "//@ ensures a[0] == 0;\nint x;\n",
        "//@ ensures n == 0;\n",
        "//@ loop invariant n;\nfor (;;) n++;\n",
    ] {
        let scanned = scan(text);
        assert_eq!(scanned.errors.len(), 1, "{text}");
        assert!(scanned.errors[0].message.contains("stands before"), "{text}");
    }
}

const PLAIN: &str = "__global__ void k(int *a, int n);
template <int M> __global__ void __launch_bounds__(M) k(int *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = n;
  do { n--; } while (n > 0);
  while (n < 5) { n++; }
}
void k(float) { }
";

#[test]
fn contracts_beside_a_source_mean_what_comments_mean() {
    let text = "// A remark.\nkernel k {\n  requires n > 0; // another\n  loop 2 { loop invariant n >= 0; }\n  ensures a[0] == n;\n  loop 3 { loop invariant n < 6; }\n}\n";
    let specs = beside(text, PLAIN).expect("contracts");
    let shown: Vec<(Place, String, &str)> = specs
        .iter()
        .map(|spec| {
            let line = PLAIN[..spec.body].lines().last().expect("a line");
            (spec.place, spec.contract.to_string(), line)
        })
        .collect();
    let head = "template <int M> __global__ void __launch_bounds__(M) k(int *a, int n) {";
    assert_eq!(
        shown,
        [
            (Place::Kernel, "requires n > 0;\nensures a[0] == n;\n".to_string(), head),
            (Place::Loop, "loop invariant n >= 0;\n".to_string(), "  do {"),
            (Place::Loop, "loop invariant n < 6;\n".to_string(), "  while (n < 5) {"),
        ]
    );
    for spec in &specs {
        assert!(spec.is_beside);
        for capture in &spec.captures {
            assert!(text[spec.start + capture.span.start..].starts_with(&capture.name));
        }
    }
}

#[test]
fn contracts_beside_a_source_name_what_is_there() {
    for (text, says) in [
        ("kernel f { ensures 1 == 1; }", "defines no kernel `f`"),
        ("kernel k { loop 1 { loop invariant n > 0; } }", "loop 1 of `k` has no braces"),
        ("kernel k { loop 4 { loop invariant n > 0; } }", "has no loop 4: it has 3"),
        ("kernel k { ensures 1 == 1; } kernel k { }", "has a contract already"),
        ("kernel k { ensures 1 == 1;", "is not closed"),
        ("//@ ensures n == 0;", "not in comments"),
        ("ensures n == 0;", "expected `kernel NAME"),
        ("kernel k { ensures n == ; }", ""),
    ] {
        let errors = beside(text, PLAIN).expect_err(text);
        assert!(errors[0].message.contains(says), "{text}: {:?}", errors[0]);
    }
    let twice = "__global__ void k(int *a) { }\n__global__ void k(float *a) { }\n";
    let errors = beside("kernel k { ensures 1 == 1; }", twice).expect_err("twice");
    assert!(errors[0].message.contains("defines 2 kernels"), "{errors:?}");
}
