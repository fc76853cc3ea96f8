//! Makes up small host programs: one file with many functions, each with a kernel of its
//! own, and a `main` that runs the one asked for.

use std::fmt::Write as _;

/// A source of numbers that repeats for a seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}

/// A file of programs.
pub struct Programs {
    pub text: String,
    /// Of each program: is all that reaches its launches an expression over the input?
    pub is_plain: Vec<bool>,
}

/// Makes up so many programs.
pub fn programs(seed: u64, count: usize) -> Programs {
    let mut text = String::from(
        "#include <algorithm>\n#include <cmath>\n#include <cstdlib>\n#include <cstring>\n\
         struct Sizes { int a; int b; unsigned c; };\n\
         static int half(int a, int b) { return (a - b) / 2; }\n\
         static unsigned up(unsigned a, unsigned b) { return (a + b - 1) / b; }\n\
         __attribute__((noinline)) static int far(int a) { return a * 3 + 1; }\n\
         __attribute__((noinline)) static void change(int *p, int v) { if (v & 1) *p = v; }\n",
    );
    let mut is_plain = vec![];
    for number in 0..count {
        let mut writer = Writer {
            random: Random::new(seed.wrapping_mul(1000) + number as u64 + 1),
            number,
            text: String::new(),
            depth: 0,
            is_plain: number % 3 == 0,
        };
        writer.program();
        text.push_str(&writer.text);
        is_plain.push(writer.is_plain);
    }
    text.push_str("int main(int argc, char **argv) {\n  int n = atoi(argv[2]), m = atoi(argv[3]);\n  switch (atoi(argv[1])) {\n");
    for number in 0..count {
        let _ = writeln!(text, "  case {number}: run{number}(n, m); break;");
    }
    text.push_str("  }\n}\n");
    Programs { text, is_plain }
}

struct Writer {
    random: Random,
    number: usize,
    text: String,
    depth: usize,
    /// Only what is surely an expression over the input.
    is_plain: bool,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(self.depth));
    }

    fn program(&mut self) {
        let number = self.number;
        self.line(&format!(
            "__global__ void k{number}(float *a, float *b, int x, unsigned y, long z, short w) {{}}"
        ));
        // A launch that several calls may reach.
        self.line(&format!(
            "static void go{number}(float *a, float *b, int x, long z) {{\n  \
             k{number}<<<dim3(x + 1, 2), dim3(x & 63, 1)>>>(a, b, x, x * 2, z, 1);\n}}"
        ));
        let first = self.random.below(300);
        self.line(&format!("static int g{number} = {first};"));
        self.line(&format!("static void set{number}(int v) {{ g{number} = v; }}"));
        self.line(&format!("static void run{number}(int n, int m) {{"));
        self.depth = 1;
        self.line("int v0 = n, v1 = m, v2 = 3, v3 = 0;");
        self.line("unsigned u = (unsigned)n; long l = m;");
        self.line("Sizes s = {n, 5, 7u}; Sizes t = {1, m, 9u};");
        self.line(
            "float *p, *q, *r[2]; cudaMalloc(&p, 4 * (size_t)u + 64); q = p; (void)t; (void)l; (void)v3;",
        );
        self.line("for (int i = 0; i < 2; i++) cudaMalloc(&r[i], 128); (void)r;");
        let statements = 2 + self.random.below(6);
        for _ in 0..statements {
            self.statement(0);
        }
        self.launch();
        self.depth = 0;
        self.line("}");
    }

    fn statement(&mut self, level: u64) {
        let kinds = match (self.is_plain, level < 2) {
            (true, true) => 13,
            (true, false) => 5,
            (false, true) => 16,
            (false, false) => 10,
        };
        match self.random.below(kinds) {
            7 if self.is_plain => self.launch(),
            0..=3 => {
                let (to, value) = (self.variable(), self.expression(0));
                self.line(&format!("{to} = {value};"));
            }
            4 => {
                let value = self.expression(1);
                let to = self.random.one_of(&["s.a", "s.b", "s.c", "t.a"]);
                self.line(&format!("{to} = {value};"));
            }
            5 => {
                let what = self.random.one_of(&["s = t;", "memcpy(&s, &t, sizeof s);"]);
                self.line(what);
            }
            6 => {
                let value = self.expression(1);
                let number = self.number;
                self.line(&format!("set{number}({value});"));
            }
            7 => {
                let value = self.expression(1);
                let to = self.random.one_of(&["v0", "v1", "v2"]);
                self.line(&format!("change(&{to}, {value});"));
            }
            8 => self.pointer_statement(),
            9 => self.launch(),
            10..=12 => {
                let cond = self.condition();
                self.line(&format!("if ({cond}) {{"));
                self.block(level);
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.block(level);
                }
                self.line("}");
            }
            13 => {
                let cond = self.condition();
                self.line(&format!("if ({cond}) return;"));
            }
            _ => self.repeat(level),
        }
    }

    fn block(&mut self, level: u64) {
        self.depth += 1;
        for _ in 0..1 + self.random.below(2) {
            self.statement(level + 1);
        }
        self.depth -= 1;
    }

    fn repeat(&mut self, level: u64) {
        let start = self.expression(1);
        let end = self.expression(1);
        let name = format!("i{level}");
        let step = 1 + self.random.below(5);
        let head = match self.random.below(6) {
            0 => format!("for (int {name} = 0; {name} < ({end} & 7); {name}++) {{"),
            1 => format!("for (int {name} = {start} & 15; {name} > 0; {name} -= {step}) {{"),
            2 => format!("for (int {name} = {start} & 63; {name}; {name} /= 2) {{"),
            3 => format!("for (unsigned {name} = 1; {name} < ({end} & 127); {name} <<= 1) {{"),
            4 => format!("for (int {name} = -9; {name} < ({end} & 7); {name} += {step}) {{"),
            _ => format!("for (unsigned {name} = {start} & 31; {name} != 0; {name} >>= 1) {{"),
        };
        self.line(&head);
        self.depth += 1;
        let to = self.random.one_of(&["v2", "v3", "v1"]);
        self.line(&format!("{to} = {to} + (int){name};"));
        self.depth -= 1;
        self.block(level);
        self.line("}");
    }

    fn pointer_statement(&mut self) {
        let value = self.expression(1);
        let text = match self.random.below(16) {
            11 => "cudaMemset(q, 0, 64);".to_string(),
            12 => format!("cudaMalloc(&q, 64); cudaMemset(q, {}, 64);", self.random.below(300)),
            13 => "cudaMalloc(&q, 64); cudaMemset(q, 0, 64);".to_string(),
            14 => format!("cudaMemset(p, {value}, 4 * (size_t)(unsigned)n + 64);"),
            15 => format!(
                "cudaMalloc(&q, 4 * (size_t)(unsigned)({value}) + 4); \
                 cudaMemset(q, 255, 4 * (size_t)(unsigned)({value}) + 4);"
            ),
            6 => format!("cudaMalloc(&r[({value}) & 1], 128);"),
            7 => format!("r[({value}) & 1] = q;"),
            8 => "q = r[1];".to_string(),
            9 => format!("p = r[({value}) & 1];"),
            10 => format!("q = ({value}) > 3 ? p : q;"),
            0 => format!("cudaMalloc(&q, (size_t)(unsigned)({value}));"),
            1 => format!("q = p + ({value});"),
            2 => "std::swap(p, q);".to_string(),
            3 => format!("if ({value}) q = p;"),
            4 => "cudaFree(q); cudaMalloc(&q, 64);".to_string(),
            _ => "q = p;".to_string(),
        };
        self.line(&text);
    }

    fn launch(&mut self) {
        let number = self.number;
        if !self.is_plain && self.random.below(2) == 0 {
            let (x, z) = (self.expression(1), self.expression(1));
            let pointers = self.random.one_of(&["p, q", "q, p", "p, p"]);
            return self.line(&format!("go{number}({pointers}, {x}, {z});"));
        }
        let sizes: Vec<String> = (0..4).map(|_| self.expression(1)).collect();
        let arguments: Vec<String> = (0..4).map(|_| self.expression(1)).collect();
        self.line(&format!(
            "k{number}<<<dim3({}, {}), dim3({}, {})>>>(p, q, {}, {}, {}, {});",
            sizes[0],
            sizes[1],
            sizes[2],
            sizes[3],
            arguments[0],
            arguments[1],
            arguments[2],
            arguments[3]
        ));
    }

    fn variable(&mut self) -> &'static str {
        self.random.one_of(&["v0", "v1", "v2", "v3", "u", "l"])
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(1), self.expression(2));
        let sign = self.random.one_of(&["<", "<=", ">", ">=", "==", "!="]);
        format!("{a} {sign} {b}")
    }

    fn expression(&mut self, depth: u64) -> String {
        if depth >= 3 {
            return self.leaf();
        }
        let number = 1 + self.random.below(64);
        match self.random.below(14) {
            0..=3 => self.leaf(),
            4..=6 => {
                let sign = self.random.one_of(&["+", "-", "*"]);
                let (a, b) = (self.expression(depth + 1), self.expression(depth + 1));
                format!("({a} {sign} {b})")
            }
            7 => {
                let sign = self.random.one_of(&["/", "%"]);
                format!("({} {sign} {number})", self.expression(depth + 1))
            }
            8 => {
                let sign = self.random.one_of(&["<<", ">>"]);
                format!("({} {sign} {})", self.expression(depth + 1), number % 8)
            }
            9 => {
                let cond = self.condition();
                let (a, b) = (self.expression(depth + 1), self.expression(depth + 1));
                format!("({cond} ? {a} : {b})")
            }
            10 => {
                let name = self.random.one_of(&["std::min<int>", "std::max<int>", "half"]);
                let (a, b) = (self.expression(depth + 1), self.expression(depth + 1));
                format!("{name}({a}, {b})")
            }
            11 => format!("up({}, {number})", self.expression(depth + 1)),
            12 => {
                let to = self.random.one_of(&["unsigned", "long", "short", "signed char", "int"]);
                format!("({to})({})", self.expression(depth + 1))
            }
            _ if self.is_plain => self.leaf(),
            _ if self.random.below(2) == 0 => {
                let value = self.expression(depth + 1);
                match self.random.below(4) {
                    0 => format!("(int)ceil((double)(int)({value}) / {number}.0)"),
                    1 => format!("(int)ceilf((float)(int)({value}) / {number}.0f)"),
                    2 => format!("(unsigned)(((short)({value}) + {number}.0) / 16)"),
                    _ => format!("(int)floor((unsigned)({value}) / {number}.0 * 2.0)"),
                }
            }
            _ => format!("far({})", self.expression(depth + 1)),
        }
    }

    fn leaf(&mut self) -> String {
        let number = self.number;
        match self.random.below(10) {
            0..=2 => self.random.one_of(&["n", "m"]).to_string(),
            3..=5 => self.variable().to_string(),
            6 => self.random.one_of(&["s.a", "s.b", "t.b"]).to_string(),
            7 if !self.is_plain => format!("g{number}"),
            _ => {
                self.random.one_of(&["0", "1", "7", "32", "256", "1000", "-3", "65536"]).to_string()
            }
        }
    }
}
