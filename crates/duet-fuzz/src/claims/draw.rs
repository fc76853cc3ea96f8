//! Random kernels about claims.
//!
//! A kernel is a few phases that barriers separate. In each, threads store values to shared
//! arrays by a formula of their number; what was stored last is remembered, so that a claim
//! before the barrier can say just that. Then something is drawn that may be wrong: another
//! value, another cell, another thread, a store of somebody else, a thread that returns, a
//! narrower barrier. After the barrier cells are loaded and asserted to be what was claimed,
//! or used as places of stores, so that whoever believes a false claim proves something false.

use super::contracts;
use super::program::{Piece, Program, THREAD};
use crate::random::Random;

/// What is claimed at the barriers of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Something of each thread.
    Unary,
    /// Something of every two threads.
    Binary,
    /// Something of every element.
    Cell,
}

/// An index as a formula of the thread's number, the elements that threads reach by it, and
/// which thread reaches an element `k`; the latter two only where there is one thread.
type Index = (&'static str, Option<(&'static str, &'static str)>);

const INDICES: &[Index] = &[
    ("@", Some(("k < size", "k"))),
    ("@", Some(("k < size", "k"))),
    ("(63 - @)", Some(("63 - k < size", "(63 - k)"))),
    ("(@ ^ 1)", Some(("(k ^ 1) < size", "(k ^ 1)"))),
    ("(2 * @)", Some(("((k & 1) == 0 & k < 2 * size)", "(k >> 1)"))),
    ("(2 * @ + 1)", Some(("((k & 1) == 1 & k < 2 * size)", "(k >> 1)"))),
    ("(@ + 1)", Some(("k - 1 < size", "(k - 1)"))),
    ("(@ + n)", Some(("k - n < size", "(k - n)"))),
    (
        "((5 * @ + 3) & 63)",
        Some(("(k < 64 & ((13 * (k - 3)) & 63) < size)", "((13 * (k - 3)) & 63)")),
    ),
    ("(@ >> 1)", None),
    ("(@ & 7)", None),
    ("0", None),
];

const VALUES: &[&str] = &[
    "@",
    "@",
    "@",
    "0",
    "1",
    "7",
    "n",
    "(@ + 1)",
    "(@ ^ 5)",
    "(63 - @)",
    "(2 * @)",
    "(@ >> 1)",
    "(@ & 1)",
    "in[@]",
    "(in[@] & 3)",
    "(@ * n)",
    "(@ + size)",
    "blockIdx.x",
];

/// Those that differ from thread to thread.
const DISTINCT: &[&str] = &["@", "(@ + 1)", "(@ ^ 5)", "(63 - @)", "(2 * @)", "(@ + size)"];

const GUARDS: &[&str] =
    &["@ < n", "(@ & 1) == 0", "@ < 4", "@ == 0", "@ != 0", "in[@] > 2", "@ < 32", "n > 2"];

const OTHERS: &[&str] = &[
    "@",
    "(@ ^ 1)",
    "(@ + 1)",
    "(@ - 1)",
    "(63 - @)",
    "((@ + 1) & 63)",
    "0",
    "(@ + 32)",
    "(size - 1 - @)",
];

/// A store that every thread makes, perhaps under a condition.
#[derive(Clone, Debug)]
struct Store {
    array: &'static str,
    index: Index,
    value: String,
    guard: Option<&'static str>,
}

/// Puts a number in the place of that of the thread.
pub(super) fn of(formula: &str, thread: &str) -> String {
    formula.replace(THREAD, thread)
}

/// Draws the kernel of a number.
pub fn draw(number: usize, random: &mut Random) -> (Kind, Program) {
    let kind = [Kind::Unary, Kind::Binary, Kind::Cell][number % 3];
    let is_flat = random.percent(8);
    // A kernel in which nothing goes wrong on purpose tests that true claims are accepted.
    let is_faithful = random.percent(40);
    let slip = if is_faithful { 0 } else { random.pick(&[0, 0, 5, 15, 30]) };
    let mut drawing = Drawing {
        random,
        kind,
        is_faithful,
        slip,
        stores: vec![],
        counter: None,
        claims: 0,
        listed: vec![],
        writes_out: false,
    };
    let mut functions = vec![];
    let mut body = vec![];
    if drawing.slips(3) {
        body.push(Piece::Line("if (t >= 4 * (n + 1)) return;".to_string()));
    }
    if !is_flat && drawing.random.percent(if is_faithful { 15 } else { 30 }) {
        let (function, call) = contracts::draw(number, drawing.random);
        functions.push(function);
        body.extend(call);
    }
    let phases = drawing.random.pick(&[1, 1, 1, 2, 2, 3]);
    for _ in 0..phases {
        match drawing.random.percent(22) {
            true => body.extend(drawing.repeated()),
            false => body.extend(drawing.phase()),
        }
    }
    if drawing.claims == 0 {
        body.extend(drawing.phase());
    }
    (kind, Program { number, is_flat, functions, body })
}

/// The state of drawing one kernel.
struct Drawing<'r> {
    random: &'r mut Random,
    kind: Kind,
    /// Claims say what was stored.
    is_faithful: bool,
    /// Percentage of places where something goes wrong on purpose.
    slip: usize,
    /// What was stored, the latest last.
    stores: Vec<Store>,
    /// The counter of the loop around.
    counter: Option<&'static str>,
    /// Claims so far.
    claims: usize,
    /// The threads that the last claim lists.
    listed: Vec<&'static str>,
    /// A use of them writes to the output.
    writes_out: bool,
}

impl Drawing<'_> {
    /// Does something go wrong here, in one of `one_in` places that could?
    fn slips(&mut self, one_in: usize) -> bool {
        self.random.percent(self.slip) && self.random.below(one_in) == 0
    }

    /// Stores, a claim, the barrier, and uses of what was claimed.
    fn phase(&mut self) -> Vec<Piece> {
        let mut pieces = vec![];
        // Two stores to one array mostly race.
        let first = self.random.pick(&["a", "a", "b"]);
        pieces.extend(self.store(first));
        if self.random.percent(35) {
            let other = if (first == "a") != self.slips(1) { "b" } else { "a" };
            pieces.extend(self.store(other));
        }
        if self.slips(2) {
            pieces.extend(self.disturbance());
        }
        if !self.is_faithful && self.random.percent(20) {
            pieces = self.watched(pieces);
        }
        let subject = self.subject();
        pieces.push(line(self.claim(&subject)));
        pieces.push(line("__syncthreads();"));
        for _ in 0..self.random.below(3) {
            pieces.push(self.used(&subject));
        }
        // Without it the stores of the next phase race with these uses.
        if !self.slips(1) {
            pieces.push(line("__syncthreads();"));
        }
        pieces
    }

    /// A loop around a phase.
    fn repeated(&mut self) -> Vec<Piece> {
        let (head, counter) = self.random.pick(&[
            ("for (unsigned i = 0; i < 3; i++)", "i"),
            ("for (unsigned i = 0; i < n; i++)", "i"),
            ("for (unsigned i = 1; i < size; i *= 2)", "i"),
            ("for (unsigned i = size; i > 0; i >>= 1)", "i"),
        ]);
        let before = self.stores.clone();
        self.counter = Some(counter);
        let mut body = self.phase();
        self.counter = None;
        // What was stored in the loop may name its counter.
        self.stores = before;
        if self.slips(2) {
            body.insert(0, line("if (i == (t & 1)) continue;"));
        }
        vec![Piece::Block(head.to_string(), body)]
    }

    fn value(&mut self) -> String {
        match self.counter {
            Some(counter) if self.random.percent(40) => {
                self.random.pick(&["C", "(@ + C)", "(C + 1)", "(@ ^ C)"]).replace('C', counter)
            }
            _ => self.random.pick(VALUES).to_string(),
        }
    }

    /// A store; now and then a loop of stores, or one after a load.
    fn store(&mut self, array: &'static str) -> Vec<Piece> {
        // The last of them are places of several threads.
        let indices = if self.slips(1) { INDICES } else { &INDICES[..9] };
        let store = Store {
            array,
            index: self.random.pick(indices),
            value: self.value(),
            guard: self.random.percent(20).then(|| self.random.pick(GUARDS)),
        };
        let Store { array, index, value, guard } = &store;
        let (cell, value) = (format!("{array}[{}]", of(index.0, "t")), of(value, "t"));
        let stored = match self.random.below(14) {
            0 => {
                let head = "for (unsigned j = 0; j < 2; j++)".to_string();
                Piece::Block(head, vec![line(format!("{cell} = {value};"))])
            }
            1 => Piece::Block(
                String::new(),
                vec![line(format!("v = {value};")), line(format!("{cell} = v;"))],
            ),
            _ => line(format!("{cell} = {value};")),
        };
        let stored = match guard {
            Some(guard) => vec![Piece::Block(format!("if ({})", of(guard, "t")), vec![stored])],
            None => vec![stored],
        };
        self.stores.push(store);
        stored
    }

    /// Something that others may not expect.
    fn disturbance(&mut self) -> Vec<Piece> {
        let array = self.random.pick(&["a", "a", "b"]);
        let other = of(self.random.pick(OTHERS), "t");
        let text = match self.random.below(9) {
            0 => format!("__syncwarp(); {array}[{other}] = 3;"),
            1 => {
                format!("if (t == 0) {array}[{}] = 9;", self.random.pick(&["0", "5", "n", "size"]))
            }
            2 => format!("atomicAdd(&{array}[{other}], 1);"),
            3 => format!("((unsigned char *){array})[4 * t + 1] = 1;"),
            4 => format!("if (n == 3) __syncthreads(); {array}[t] = 2;"),
            5 => format!("if (t == 1) {{ {array}[0] = 7; return; }}"),
            6 => format!("v = {array}[{other}];"),
            7 => "__syncthreads();".to_string(),
            _ => format!("{array}[t]++;"),
        };
        vec![line(text)]
    }

    /// Statements between two looks at a cell, which is asserted to be as before.
    fn watched(&mut self, pieces: Vec<Piece>) -> Vec<Piece> {
        let array = self.random.pick(&["a", "b", "b"]);
        let cell = format!("{array}[{}]", of(self.random.pick(OTHERS), "t"));
        let name = format!("seen{}", self.stores.len());
        let look = format!(
            "__non_temporal_loads_begin(); unsigned {name} = {cell}; __non_temporal_loads_end();"
        );
        let after = line(format!("__unsafe_assert({cell} == {name});"));
        [vec![line(look)], pieces, vec![after]].concat()
    }

    /// What a claim is about: often what was stored last, at times nearly that.
    fn subject(&mut self) -> Store {
        if self.is_faithful {
            return self.stores.last().expect("a phase begins with a store").clone();
        }
        let recent = self.stores.len().saturating_sub(1 + self.random.below(2));
        let mut subject = self.random.pick(&self.stores[recent..]);
        if self.random.percent(6) {
            subject = self.random.pick(&self.stores);
        }
        match self.random.below(12) {
            0 => subject.value = self.value(),
            1 => subject.index = self.random.pick(INDICES),
            2 => subject.guard = None,
            _ => {}
        }
        subject
    }

    fn claim(&mut self, subject: &Store) -> String {
        self.claims += 1;
        match self.kind {
            Kind::Unary => self.unary(subject),
            Kind::Binary => self.binary(subject),
            Kind::Cell => self.cell(subject),
        }
    }

    fn unary(&mut self, subject: &Store) -> String {
        let said = self.said(subject, "t");
        let count = self.random.below(3);
        format!("__barrier_invariant_{count}({said}{});", self.list(count))
    }

    /// The numbers of so many threads, each after a comma.
    fn list(&mut self, count: usize) -> String {
        self.listed = (0..count).map(|_| self.random.pick(OTHERS)).collect();
        self.listed.iter().map(|other| format!(", {}", of(other, "t"))).collect()
    }

    /// A fact of one thread's cell.
    fn said(&mut self, subject: &Store, thread: &str) -> String {
        let cell = format!("{}[{}]", subject.array, of(subject.index.0, thread));
        let value = of(&subject.value, thread);
        let fact = match self.random.below(20) {
            _ if self.is_faithful => format!("{cell} == {value}"),
            0..=1 => format!("{cell} <= {value}"),
            2 => format!("{cell} < 64 + size"),
            3 => format!("{cell} != {value} + 1"),
            4 => format!("{cell} < {value}"),
            5 => format!("{cell} + {cell} == 2 * {value}"),
            _ => format!("{cell} == {value}"),
        };
        match subject.guard {
            Some(guard) => format!("__implies({}, {fact})", of(guard, thread)),
            None => fact,
        }
    }

    fn binary(&mut self, subject: &Store) -> String {
        let cell = format!("{}[{}]", subject.array, of(subject.index.0, "t"));
        let is_uniform = !subject.value.contains(THREAD);
        let is_distinct = DISTINCT.contains(&subject.value.as_str());
        let fact = match self.random.below(8) {
            _ if self.is_faithful && is_distinct => format!("__distinct_int({cell})"),
            0..=5 if is_uniform => format!("__uniform_int({cell})"),
            0..=3 => format!("__distinct_int({cell})"),
            4 => format!("__implies(t < __other_int(t), {cell} <= __other_int({cell}))"),
            5 => format!("__implies(t < __other_int(t), {cell} < __other_int({cell}))"),
            6 => format!("__uniform_int({cell})"),
            _ => format!("__other_int({cell}) - {cell} == __other_int(t) - t"),
        };
        let fact = match subject.guard {
            Some(guard) => format!("__implies(__all({}), {fact})", of(guard, "t")),
            None => fact,
        };
        let count = self.random.below(3);
        format!("__barrier_invariant_binary_{count}({fact}{});", self.list(2 * count))
    }

    fn cell(&mut self, subject: &Store) -> String {
        let (domain, thread) = match subject.index.1 {
            Some(inverse) if self.is_faithful || !self.random.percent(5) => inverse,
            _ => self.random.pick(&[
                ("k < size", "k"),
                ("k < 64", "k"),
                ("true", "k"),
                ("k == 0", "0"),
            ]),
        };
        let domain = match self.random.below(25) {
            _ if self.is_faithful => domain,
            0 => "true",
            1 => "k <= size",
            _ => domain,
        };
        let cell = Store { index: ("k", None), ..subject.clone() };
        let said = self.said(&cell, thread);
        format!("__cell_invariant({}, k, __implies({domain}, {said}));", subject.array)
    }

    /// The thread whose cell is used: in a faithful kernel one of which something was claimed.
    fn other(&mut self) -> &'static str {
        match (self.is_faithful, self.kind) {
            (true, Kind::Unary) => {
                let own = [self.listed.as_slice(), &["@"]].concat();
                self.random.pick(&own)
            }
            (true, Kind::Binary) => "@",
            (true, Kind::Cell) | (false, _) => self.random.pick(OTHERS),
        }
    }

    /// A use of what was claimed, of the thread itself or of another.
    fn used(&mut self, subject: &Store) -> Piece {
        let other = of(self.other(), "t");
        let cell = |thread: &str| format!("{}[{}]", subject.array, of(subject.index.0, thread));
        let said = |drawing: &mut Self, cell: &str| {
            let value = of(&subject.value, &other);
            let relation = if drawing.random.percent(90) { "==" } else { "<=" };
            format!("{cell} {relation} {value}")
        };
        let mut inside = format!("{other} < size");
        if let Some(guard) = subject.guard
            && !self.slips(1)
        {
            inside = format!("{inside} && {}", of(guard, &other));
        }
        let checked = |text: String| Piece::Block(format!("if ({inside})"), vec![line(text)]);
        let may_write = !self.is_faithful || DISTINCT.contains(&subject.value.as_str());
        match (self.kind, self.random.below(6)) {
            (Kind::Binary, 0..=3) | (_, 0) if !may_write => line("v++;"),
            (Kind::Binary, 0..=3) | (_, 0) if !self.writes_out || self.slips(1) => {
                self.writes_out = true;
                line(format!("out[{}] = t;", cell("t")))
            }
            (_, 1) => checked(format!("__unsafe_assert({});", said(self, &cell(&other)))),
            _ => checked(format!("v = {}; __assert({});", cell(&other), said(self, "v"))),
        }
    }
}

pub(super) fn line(text: impl Into<String>) -> Piece {
    Piece::Line(text.into())
}
