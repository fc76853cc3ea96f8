//! `duet equiv`: places that are taken apart in other ways than they are put together, and what
//! the relation says of the other launch. Each rule with pairs that are equal and with planted
//! bugs, in both orders; the engines are asked alone, so that no run hides a wrong proof.

#[path = "equiv/asked.rs"]
mod asked;

use asked::both_orders;
use duet_equiv::pair::expr::Expr;
use duet_equiv::pair::request::Request;

const ID: &str = "int i = blockIdx.x * blockDim.x + threadIdx.x;";

/// What is asked of a pair, and of the pair with its sides exchanged.
fn requests(given: &str) -> [Request; 2] {
    let turned = given.replace("_a", "_c").replace("_b", "_a").replace("_c", "_b");
    [given, &turned].map(|text| {
        let given = match text {
            "" => vec![],
            text => vec![Expr::parse(text).expect("an expression")],
        };
        Request { given, work: Some(30_000_000), ..Request::default() }
    })
}

/// Is a pair proved, in each order?
fn shown(name: &str, params: &str, bodies: [&str; 2], given: &str) -> [bool; 2] {
    let [first, second] = requests(given);
    let said = both_orders(name, params, bodies[0], bodies[1], None, [&first, &second]);
    said.map(|engine| engine.is_some())
}

/// The pair is proved in both orders, and in none with one of the bugs in B.
fn holds_but_for(
    name: &str,
    params: &str,
    (a, b): (&str, &str),
    given: &str,
    bugs: &[(&str, &str)],
) {
    assert_eq!(shown(name, params, [a, b], given), [true; 2], "{a}\n{b}");
    for (number, (from, to)) in bugs.iter().enumerate() {
        let wrong = b.replacen(from, to, 1);
        assert_ne!(b, wrong, "{from}");
        let said = shown(&format!("{name}-{number}"), params, [a, &wrong], given);
        assert_eq!(said, [false; 2], "{a}\n{wrong}");
    }
}

#[test]
fn places_by_the_number_of_their_element() {
    let scattered = format!("{ID} if (i < n) out[n - 1 - i] = in[i];");
    let gathered = format!("{ID} if (i < n) out[i] = in[n - 1 - i];");
    let bugs = [
        ("in[n - 1 - i]", "in[n - i]"),
        ("in[n - 1 - i]", "in[i]"),
        ("i < n", "i < n - 1"),
        ("out[i]", "out[i + 1]"),
    ];
    holds_but_for(
        "reversed",
        "int *out, const int *in, int n",
        (&scattered, &gathered),
        "gridDim.x * blockDim.x >= n",
        &bugs,
    );
    // Without enough threads each kernel writes another part.
    let said = shown(
        "reversed-short",
        "int *out, const int *in, int n",
        [&scattered, &gathered],
        "gridDim.x * blockDim.x >= n - 1",
    );
    assert_eq!(said, [false; 2]);
}

#[test]
fn two_neighbours_per_thread() {
    let one = format!("{ID} if (i < n) out[i] = 2 * in[i];");
    let two = "int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); \
        if (i < n) out[i] = 2 * in[i]; if (i + 1 < n) out[i + 1] = 2 * in[i + 1];";
    let bugs = [
        ("if (i + 1 < n)", "if (i + 2 < n)"),
        ("2 * in[i + 1]", "2 * in[i]"),
        ("int i = 2 *", "int i = 3 *"),
        ("if (i < n)", "if (i <= n)"),
    ];
    holds_but_for(
        "neighbours",
        "int *out, const int *in, int n",
        (&one, two),
        "blockDim_a.x == blockDim_b.x && gridDim_a.x == 2 * gridDim_b.x",
        &bugs,
    );
}

#[test]
fn bits_that_differ_in_one_place() {
    let params = "unsigned *out, const unsigned *in, int n";
    let numbers = format!("{ID} if (i < n) {{ unsigned x = in[i]; out[i] = x / 8 * 8 + x % 8; }}");
    let bits =
        format!("{ID} if (i < n) {{ unsigned x = in[i]; out[i] = (x >> 3) << 3 | (x & 7); }}");
    let bugs = [("x & 7", "x & 6"), ("x & 7", "x & 3"), ("<< 3", "<< 2"), ("|", "&")];
    holds_but_for("bits", params, (&numbers, &bits), "", &bugs);
    // The same function of different cells is not the same.
    let pair = [
        format!("{ID} if (i < n) out[i] = (in[i] & 7) | 8;"),
        format!("{ID} if (i < n) out[i] = (in[i + 1] & 7) + 8;"),
    ];
    assert_eq!(shown("bits-of-cells", params, [&pair[0], &pair[1]], ""), [false; 2]);
}
