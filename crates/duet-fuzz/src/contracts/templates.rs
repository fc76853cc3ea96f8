//! Kernels with contracts that they keep, as templates: what stands for what is said in
//! `pairs::families`, and `{V@j}` in a contract is the value for `j`.

use crate::pairs::trees::Element;

/// Kernels with one contract.
pub struct Template {
    /// For the statistics.
    pub name: &'static str,
    /// What is required, without the word.
    pub requires: &'static str,
    /// What is ensured, without the word.
    pub ensures: &'static [&'static str],
    /// What is assigned, without the word; empty: nothing is said.
    pub assigns: &'static str,
    /// Bodies that keep the contract.
    pub bodies: &'static [&'static str],
    /// What values and conditions are made of.
    pub leaves: &'static [&'static str],
    /// Types of elements.
    pub elements: &'static [Element],
    /// A function of the contract, without the word; empty: there is none.
    pub logic: &'static str,
    /// The invariant of the loops that [`AT_LOOP`] stands before in the bodies.
    pub invariant: &'static str,
}

/// Stands in a body where the invariant of a loop goes.
pub const AT_LOOP: &str = "AT_LOOP";

const ELEMENT: &[&str] = &["in[i]", "w[i]", "i", "n", "in[i + 1]"];
const CELLS: &[&str] = &["in[i]", "w[i]"];

const INTS: &[Element] = &[Element::Int];
const FLOATS_TOO: &[Element] = &[Element::Int, Element::Int, Element::Float];
const WRAPPING: &[Element] = &[Element::Int, Element::Unsigned];

/// All templates.
pub const TEMPLATES: &[Template] = &[
    Template {
        name: "element",
        requires: "0 <= n && n <= \\threads && n < 1000000",
        ensures: &["\\forall int j; 0 <= j < n ==> out[j] == {V@j}"],
        assigns: "",
        bodies: &[
            "{ID} if (i < n) out[i] = {V};",
            "{ID} if (i >= n) return; {T} v = {V}; out[i] = v;",
            "{ID} if (i < n) { out[i] = {W}; out[i] = {V}; }",
            "{ID} if (i < n && {H}) out[i] = {V}; if (i < n && !({H})) out[i] = {V};",
            "{ID} if (!(i < n)) return; out[i] = {V}; if (i > n) out[i] = {W};",
        ],
        leaves: ELEMENT,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "frame",
        requires: "0 <= n && n <= \\threads && n < 1000000",
        ensures: &[
            "\\forall int j; 0 <= j < n ==> out[j] == {V@j}",
            "\\forall int j; n <= j < n + 5 ==> out[j] == \\old(out[j])",
        ],
        assigns: "out[0 .. n - 1]",
        bodies: &[
            "{ID} if (i < n) out[i] = {V};",
            "{ID} if (i >= n) return; out[i] = {W}; __threadfence(); out[i] = {V};",
            "for (int i = {GID}; i < n; i += blockDim.x * gridDim.x) out[i] = {V};",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "choice",
        requires: "0 <= n && n <= \\threads && n < 1000000",
        ensures: &["\\forall int j; 0 <= j < n ==> out[j] == ({H@j} ? {V@j} : {W@j})"],
        assigns: "",
        bodies: &[
            "{ID} if (i < n) { if ({H}) out[i] = {V}; else out[i] = {W}; }",
            "{ID} if (i < n) { out[i] = {W}; if ({H}) out[i] = {V}; }",
            "{ID} if (i >= n) return; if (!({H})) { out[i] = {W}; return; } out[i] = {V};",
            "{ID} {T} v = {H} ? {V} : {W}; if (i < n) out[i] = v;",
        ],
        leaves: &["in[i]", "w[i]", "i", "n"],
        elements: INTS,
        logic: "",
        invariant: "",
    },
    Template {
        name: "places",
        requires: "0 <= n && n <= \\threads && n < 1000000",
        ensures: &[
            "\\forall int j; 0 <= j < n ==> out[2 * j + 1] == {V@j}",
            "\\forall int j; 0 <= j < n ==> out[2 * j] == \\old(out[2 * j])",
        ],
        assigns: "",
        bodies: &[
            "{ID} if (i < n) out[2 * i + 1] = {V};",
            "{ID} if (i < n) { int j = 2 * i; out[j + 1] = {V}; }",
            "{ID} if (i >= n) return; i = n - 1 - i; out[i + i + 1] = {V};",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "in place",
        requires: "0 <= n && n <= \\threads && n < 1000000",
        ensures: &["\\forall int j; 0 <= j < n ==> out[j] == \\old(out[j]) + {V@j}"],
        assigns: "out[0 .. n - 1]",
        bodies: &[
            "{ID} if (i < n) out[i] += {V};",
            "{ID} if (i < n) { {T} v = out[i]; out[i] = v + {V}; }",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "stride",
        requires: "0 <= n && n + \\threads <= INT_MAX",
        ensures: &["\\forall int j; 0 <= j < n ==> out[j] == {V@j}"],
        assigns: "out[0 .. n - 1]",
        bodies: &[
            "for (int i = {GID}; i < n; i += blockDim.x * gridDim.x) out[i] = {V};",
            "int s = blockDim.x * gridDim.x; int i = {GID}; while (i < n) { out[i] = {V}; i += s; }",
            "for (int i = {GID}; i < n; i += blockDim.x * gridDim.x) { out[i] = {W}; out[i] = {V}; }",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "rows",
        requires: "0 <= n && n < 1000 && 0 <= m && m < 1000 && m <= \\threads",
        ensures: &["\\forall int j; 0 <= j < m ==> out[j] == ({T})\\sum(int k; 0 <= k < n; {V@j})"],
        assigns: "",
        bodies: &[
            "{ID} if (i < m) { {T} s = 0; for (int k = 0; k < n; k++) s += {V}; out[i] = s; }",
            "{ID} if (i >= m) return; {T} s = 0; int k = 0; while (k < n) { s = s + {V}; k++; } out[i] = s;",
            "{ID} if (i < m) { {T} s = 0; for (int k = 0; k < n; k++) { {T} v = {V}; s += v; } out[i] = s; }",
        ],
        leaves: &["in[i * n + k]", "w[k]", "in[k]"],
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "counts",
        requires: "0 <= n && n < 1000 && 0 <= m && m < 1000 && m <= \\threads",
        ensures: &["\\forall int j; 0 <= j < m ==> out[j] == \\count(int k; 0 <= k < n; {H@j})"],
        assigns: "",
        bodies: &[
            "{ID} if (i < m) { int s = 0; for (int k = 0; k < n; k++) if ({H}) s++; out[i] = s; }",
            "{ID} if (i < m) { int s = 0; for (int k = 0; k < n; k++) s += {H} ? 1 : 0; out[i] = s; }",
        ],
        leaves: &["in[i * n + k]", "w[k]", "in[k]"],
        elements: INTS,
        logic: "",
        invariant: "",
    },
    Template {
        name: "matrix",
        requires: "0 <= n && n < 1000 && 0 <= m && m < 1000 && m <= \\threads",
        ensures: &[
            "\\forall int j, l; 0 <= j < m && 0 <= l < n ==> out[j * n + l] == {V@j * n + l}",
        ],
        assigns: "",
        bodies: &[
            "{GID0} if (r < m) for (int k = 0; k < n; k++) { int i = r * n + k; out[i] = {V}; }",
            "{GID0} if (r < m) for (int k = n - 1; k >= 0; k--) { int i = r * n + k; out[i] = {V}; }",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "tile",
        requires: "blockDim.x == 8",
        ensures: &[
            "\\forall int b, j; 0 <= b < gridDim.x && 0 <= j < 8 ==> out[8 * b + j] == {V@8 * b + {P@j}}",
        ],
        assigns: "",
        bodies: &[
            "__shared__ {T} s[8]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); out[i] = s[{P}];",
            "__shared__ {T} s[9]; {ID} int t = threadIdx.x; s[t + 1] = {V}; __syncthreads(); {T} v = s[{P} + 1]; out[i] = v;",
            "__shared__ {T} s[8]; {ID} int t = threadIdx.x; s[t] = {W}; __syncthreads(); s[t] = {V}; __syncthreads(); out[i] = s[{P}];",
            "{ID} int t = threadIdx.x; int o = i; i = blockIdx.x * 8 + {P}; out[o] = {V};",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "reduction",
        requires: "\\is_pow2(blockDim.x)",
        ensures: &[
            "\\forall int b; 0 <= b < gridDim.x ==> out[b] == (int)\\sum(int k; 0 <= k < blockDim.x; {V@b * blockDim.x + k})",
        ],
        assigns: "",
        bodies: &[
            "extern __shared__ int s[]; unsigned t = threadIdx.x; {ID} s[t] = {V}; __syncthreads(); for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d]; __syncthreads(); } if (t == 0) out[blockIdx.x] = s[0];",
            "extern __shared__ int s[]; unsigned t = threadIdx.x; {ID} s[t] = {V}; __syncthreads(); for (unsigned d = 1; d < blockDim.x; d *= 2) { if (t % (2 * d) == 0) s[t] += s[t + d]; __syncthreads(); } if (t == 0) out[blockIdx.x] = s[0];",
            "if (threadIdx.x == 0) { int s = 0; for (int k = 0; k < blockDim.x; k++) { int i = blockIdx.x * blockDim.x + k; s += {V}; } out[blockIdx.x] = s; }",
        ],
        leaves: CELLS,
        elements: INTS,
        logic: "",
        invariant: "",
    },
    Template {
        name: "scan",
        requires: "gridDim.x == 1",
        ensures: &[
            "\\forall int j; 0 <= j < blockDim.x ==> out[j] == (int)\\sum(int k; 0 <= k < j + 1; {V@k})",
        ],
        assigns: "",
        bodies: &[
            "extern __shared__ int s[]; int t = threadIdx.x, i = t; s[t] = {V}; __syncthreads(); for (int d = 1; d < blockDim.x; d *= 2) { int v = 0; if (t >= d) v = s[t - d]; __syncthreads(); s[t] += v; __syncthreads(); } out[t] = s[t];",
            "int v = 0; for (int i = 0; i <= threadIdx.x; i++) v += {V}; out[threadIdx.x] = v;",
        ],
        leaves: CELLS,
        elements: INTS,
        logic: "",
        invariant: "",
    },
    Template {
        name: "two dimensions",
        requires: "0 < n && 0 < m && n <= blockDim.x * gridDim.x && m <= blockDim.y * gridDim.y && n * m <= INT_MAX",
        ensures: &[
            "\\forall int j, l; 0 <= j < m && 0 <= l < n ==> out[l * m + j] == in[j * n + l]",
        ],
        assigns: "",
        bodies: &[
            "{ID2} if (x < n && y < m) out[x * m + y] = in[y * n + x];",
            "{ID2} if (x >= n) return; if (y >= m) return; int v = y * n + x; out[y + m * x] = in[v];",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "intervals",
        requires: "gridDim.x == 1 && 2 <= blockDim.x",
        ensures: &[
            "\\forall int j; 1 <= j < blockDim.x ==> out[j] == {V@j}",
            "out[0] == {V@1} + 1",
        ],
        assigns: "out[0 .. blockDim.x - 1]",
        bodies: &[
            "int t = threadIdx.x, i = t; out[t] = {V}; __syncthreads(); if (t == 0) out[0] = out[1] + 1;",
            "int t = threadIdx.x, i = t; out[t] = {V}; __syncthreads(); if (t == 1) out[0] = out[1] + 1;",
            "extern __shared__ {T} s[]; int t = threadIdx.x, i = t; {T} v = {V}; s[t] = v; __syncthreads(); if (t == 0) out[0] = s[1] + 1; else out[t] = v;",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "shift",
        requires: "gridDim.x == 1",
        ensures: &["\\forall int j; 0 <= j < blockDim.x ==> out[j] == \\old(out[j + 1])"],
        assigns: "out[0 .. blockDim.x - 1]",
        bodies: &[
            "{T} v = out[threadIdx.x + 1]; __syncthreads(); out[threadIdx.x] = v;",
            "extern __shared__ {T} s[]; int t = threadIdx.x; s[t] = out[t + 1]; __syncthreads(); out[t] = s[t];",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
    Template {
        name: "histogram",
        requires: "0 <= n && n <= \\threads && n < 1000000 && \\forall int j; 0 <= j < n ==> 0 <= in[j] < 8",
        ensures: &[
            "\\forall int j; 0 <= j < 8 ==> out[j] == (int)(\\old(out[j]) + \\count(int k; 0 <= k < n; in[k] == j))",
        ],
        assigns: "",
        bodies: &[
            "{ID} if (i < n) atomicAdd(&out[in[i]], 1);",
            "{ID} if (i < n) { int b = in[i]; atomicAdd(out + b, 1); }",
        ],
        leaves: CELLS,
        elements: INTS,
        logic: "",
        invariant: "",
    },
    Template {
        name: "wrapped",
        requires: "0 <= n && n <= \\threads && n < 1000000",
        ensures: &["\\forall int j; 0 <= j < n ==> out[j] == ({T})({V@j})"],
        assigns: "out[0 .. n - 1]",
        bodies: &[
            "{ID} if (i < n) out[i] = {V};",
            "{ID} if (i < n) { {T} v = {V}; out[i] = v; }",
            "for (int i = {GID}; i < n; i += blockDim.x * gridDim.x) out[i] = {V};",
        ],
        leaves: ELEMENT,
        elements: WRAPPING,
        logic: "",
        invariant: "",
    },
    Template {
        name: "function",
        requires: "0 <= n && n <= \\threads && n < 1000000",
        ensures: &["\\forall int j; 0 <= j < n ==> out[j] == f(j) + g(w[j])"],
        assigns: "out[0 .. n - 1]",
        bodies: &[
            "{ID} if (i < n) out[i] = {V} + (w[i] + n);",
            "{ID} if (i >= n) return; int v = w[i] + n; int u = {V}; out[i] = u + v;",
        ],
        leaves: &["in[i]", "w[i]", "i"],
        elements: INTS,
        logic: "int f(int i) = {V}; logic int g(int x) = x + n",
        invariant: "",
    },
    Template {
        name: "stated sum",
        requires: "0 <= n && n < 1000 && 0 <= m && m < 1000 && m <= \\threads",
        ensures: &["\\forall int j; 0 <= j < m ==> out[j] == \\sum(int k; 0 <= k < n; {V@j})"],
        assigns: "out[0 .. m - 1]",
        bodies: &[
            "{ID} if (i < m) { {T} s = 0; AT_LOOP for (int k = 0; k < n; k++) { s += {V}; } out[i] = s; }",
            "{ID} if (i >= m) return; {T} s = 0; int k = 0; AT_LOOP while (k < n) { s = s + {V}; k++; } out[i] = s;",
        ],
        leaves: &["in[i * n + k]", "w[k]", "in[k]"],
        elements: FLOATS_TOO,
        logic: "",
        invariant: "s == \\sum(int k; 0 <= k < loop_count; {V}) && k == loop_count",
    },
    Template {
        name: "stated step",
        requires: "0 <= n && n <= \\threads && n < 1000000 && 0 <= m && m < 1000",
        ensures: &["\\forall int j; 0 <= j < n ==> out[j] == {V@j} + 3 * m"],
        assigns: "out[0 .. n - 1]",
        bodies: &[
            "{ID} if (i < n) { int c = {V}, d = 5; AT_LOOP for (int k = 0; k < m; k++) { c += 3; d = c - d; } out[i] = c; }",
            "{ID} if (i < n) { int c = {V}, d = 0; AT_LOOP for (int k = 0; k < m; k++) { int e = c + 5; d++; c = e - 2; } out[i] = c; }",
            "{ID} if (i < n) { int c = {V}, d = 0; AT_LOOP for (int k = 0; k < m; k++) { c = {V} + 3 * (k + 1); } out[i] = c; }",
        ],
        leaves: CELLS,
        elements: INTS,
        logic: "",
        invariant: "c == {V} + 3 * k && k == loop_count && k <= m",
    },
    Template {
        name: "least",
        requires: "0 < n && n < 1000 && 0 <= m && m < 1000 && m <= \\threads",
        ensures: &[
            "\\forall int j; 0 <= j < m ==> out[j] == \\min(int k; 0 <= k < n; in[j * n + k])",
        ],
        assigns: "out[0 .. m - 1]",
        bodies: &[
            "{ID} if (i < m) { int s = in[i * n]; for (int k = 1; k < n; k++) { int v = in[i * n + k]; s = v < s ? v : s; } out[i] = s; }",
            "{ID} if (i < m) { int s = 2147483647; for (int k = 0; k < n; k++) { int v = in[i * n + k]; if (v < s) s = v; } out[i] = s; }",
        ],
        leaves: CELLS,
        elements: INTS,
        logic: "",
        invariant: "",
    },
    Template {
        name: "atomic sum",
        requires: "0 <= n && n <= \\threads && n < 1000000",
        ensures: &[
            "out[0] == (int)(\\old(out[0]) + \\sum(int k; 0 <= k < n; {V@k}))",
            "\\forall int j; 1 <= j < 5 ==> out[j] == \\old(out[j])",
        ],
        assigns: "out[0]",
        bodies: &[
            "{ID} if (i < n) atomicAdd(out, {V});",
            "{ID} if (i < n) { int v = {V}; atomicAdd(&out[0], v); }",
            "{ID} if (i >= n) return; atomicAdd(out, {V});",
        ],
        leaves: CELLS,
        elements: INTS,
        logic: "",
        invariant: "",
    },
    Template {
        name: "atomic count",
        requires: "0 <= n && n <= \\threads && n < 1000000",
        ensures: &["out[0] == (int)(\\old(out[0]) + \\count(int k; 0 <= k < n; {H@k}))"],
        assigns: "out[0]",
        bodies: &[
            "{ID} if (i < n && {H}) atomicAdd(out, 1);",
            "{ID} if (i < n) { if ({H}) atomicAdd(out, 1); }",
        ],
        leaves: CELLS,
        elements: INTS,
        logic: "",
        invariant: "",
    },
    Template {
        name: "frame of a block",
        requires: "blockDim.x == 4 && 0 <= n && n <= gridDim.x",
        ensures: &[
            "\\forall int b, j; 0 <= b < n && 0 <= j < 4 ==> out[4 * b + j] == {V@4 * b + j}",
        ],
        assigns: "out[0 .. 4 * n - 1]",
        bodies: &[
            "if (blockIdx.x >= n) return; {ID} __syncthreads(); out[i] = {V};",
            "{ID} if (blockIdx.x < n) out[i] = {V};",
            "if (blockIdx.x < n) for (int k = threadIdx.x; k < 4; k += blockDim.x) { int i = blockIdx.x * 4 + k; out[i] = {V}; }",
        ],
        leaves: CELLS,
        elements: FLOATS_TOO,
        logic: "",
        invariant: "",
    },
];
