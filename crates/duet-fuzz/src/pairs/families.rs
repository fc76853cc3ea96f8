//! Families of kernels, as templates: the members of a class compute the same, most of them
//! for every launch.
//!
//! In a template `{T}` is the type of elements, `{V}` and `{W}` are values, `{G}` and `{H}`
//! conditions, `{P}` another thread's place in the block and `{D}` the size of a block; each
//! time a value stands there it may be written in another way. `{V@j}` is the value for `j`
//! instead of `i`.

/// Kernels that are compared with one another.
pub struct Family {
    /// For the statistics.
    pub name: &'static str,
    /// Classes of bodies that compute the same.
    pub classes: &'static [&'static [&'static str]],
    /// What values and conditions are made of.
    pub leaves: &'static [&'static str],
    /// Sizes of blocks; nothing for any size.
    pub blocks: &'static [Option<&'static str>],
    /// Preconditions of which both kernels get one.
    pub requires: &'static [&'static str],
    /// Relations of the two launches; empty: the same launch.
    pub relations: &'static [&'static str],
    /// May elements be floats?
    pub floats: bool,
}

const ANY: &[Option<&str>] = &[None];
const SMALL: &[Option<&str>] = &[Some("4"), Some("8"), Some("2"), Some("16"), Some("3")];
const POWERS: &[Option<&str>] = &[Some("4"), Some("8"), Some("2"), Some("16")];

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "element",
        classes: &[
            &[
                "{ID} if ({G}) out[i] = {V};",
                "{ID} if (!({G})) return; {T} v = {V}; out[i] = v;",
                "{ID} {T} v = {V}; if ({G}) out[i] = v;",
                "{ID} if ({G}) { out[i] = {W}; out[i] = {V}; }",
                "{ID} if ({G} && {H}) out[i] = {V}; if ({G} && !({H})) out[i] = {V};",
                "{ID} bool g = {G}; {T} v = 0; if (g) v = {V}; if (g) out[i] = v;",
            ],
            &[
                "{ID} if ({G}) { if ({H}) out[i] = {V}; else out[i] = {W}; }",
                "{ID} if ({G}) out[i] = {H} ? {V} : {W};",
                "{ID} if ({G}) { out[i] = {W}; if ({H}) out[i] = {V}; }",
                "{ID} if ({G}) { {T} v = {V}; if (!({H})) v = {W}; out[i] = v; }",
                "{ID} if (!({G})) return; if (!({H})) { out[i] = {W}; return; } out[i] = {V};",
            ],
            &[
                "{ID} if ({G}) out[2 * i + 1] = {V};",
                "{ID} if ({G}) { int j = i + i; out[j + 1] = {V}; }",
            ],
            &[
                "{ID} if ({G}) out[i] = out[i] + {V};",
                "{ID} if ({G}) out[i] += {V};",
                "{ID} {T} v = out[i]; if ({G}) out[i] = v + {V};",
            ],
        ],
        leaves: &["in[i]", "w[i]", "i", "n", "in[i + 1]"],
        blocks: &[None, None, None, Some("4")],
        requires: &["", "", "__requires(n <= gridDim.x * blockDim.x);"],
        relations: &[],
        floats: true,
    },
    Family {
        name: "stride",
        classes: &[&[
            "for (int i = {GID}; i < n; i += blockDim.x * gridDim.x) out[i] = {V};",
            "int s = blockDim.x * gridDim.x; int i = {GID}; while (i < n) { out[i] = {V}; i += s; }",
            "int s = gridDim.x * blockDim.x; for (int i = {GID}; i < n; i += s) { {T} v = {V}; out[i] = v; }",
            "for (int j = {GID}; j < n; j += blockDim.x * gridDim.x) { int i = j; out[i] = {V}; }",
            "int i = {GID}; if (i < n) do { out[i] = {V}; i += blockDim.x * gridDim.x; } while (i < n);",
        ]],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: ANY,
        requires: &[
            "",
            "__requires(0 <= n && n < 1000000); __requires(gridDim.x * blockDim.x < 100000);",
        ],
        relations: &[],
        floats: true,
    },
    Family {
        name: "launches",
        classes: &[&[
            "for (int i = {GID}; i < n; i += blockDim.x * gridDim.x) out[i] = {V};",
            "{ID} if (i < n) out[i] = {V};",
            "{ID} if (i >= n) return; out[i] = {V};",
            "int b = blockIdx.x; int i = b * blockDim.x + threadIdx.x; {T} v = {V}; if (i < n) out[i] = v;",
        ]],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: ANY,
        requires: &[""],
        relations: &[
            "gridDim_a.x * blockDim_a.x >= n && gridDim_b.x * blockDim_b.x >= n",
            "gridDim_b.x * blockDim_b.x >= n",
            "gridDim_a.x * blockDim_a.x >= n && gridDim_b.x >= 1",
            "gridDim_a.x * blockDim_a.x == gridDim_b.x * blockDim_b.x",
            "gridDim_a.x * blockDim_a.x >= n && gridDim_b.x * blockDim_b.x >= n - 1",
        ],
        floats: true,
    },
    Family {
        name: "rows",
        classes: &[
            &[
                "{ID} if (i < m) { {T} s = 1; for (int k = 0; k < n; k++) s += {V}; out[i] = s; }",
                "{ID} if (i < m) { {T} s = 1; int k = 0; while (k < n) { s = s + {V}; k++; } out[i] = s; }",
                "{ID} if (i < m) { {T} s = 1; int k = 0; for (; k + 1 < n; k += 2) { s += {V}; s += {V@k + 1}; } for (; k < n; k++) s += {V}; out[i] = s; }",
                "{ID} if (i < m) { {T} s = 1; if (n > 0) { int k = 0; s += {V}; } for (int k = 1; k < n; k++) s += {V}; out[i] = s; }",
                "{ID} if (i >= m) return; {T} s = 1; for (int k = 0; k < n; k++) { {T} v = {V}; s += v; } out[i] = s;",
                "{ID} if (i < m) { {T} s = 1; for (int k = n - 1; k >= 0; k--) s += {V}; out[i] = s; }",
                "{ID} if (i < m) { {T} s = 1; for (int k = 0; k < n / 2; k++) s += {V}; for (int k = n / 2; k < n; k++) s += {V}; out[i] = s; }",
                "{ID} if (i < m) { {T} s = 0; for (int k = 0; k < n; k++) s += {V}; out[i] = s + 1; }",
            ],
            &[
                "{ID} if (i < m) { {T} s = 1; for (int k = 0; k < n; k++) if ({H}) s += {V}; out[i] = s; }",
                "{ID} if (i < m) { {T} s = 1; for (int k = 0; k < n; k++) { if (!({H})) continue; s += {V}; } out[i] = s; }",
                "{ID} if (i < m) { {T} s = 1; for (int k = 0; k < n; k++) s = {H} ? s + {V} : s; out[i] = s; }",
            ],
            &[
                "{ID} if (i < m) { {T} s = 1; for (int k = 0; k < n; k++) { if ({H}) break; s += {V}; } out[i] = s; }",
                "{ID} if (i < m) { {T} s = 1; int k = 0; while (k < n && !({H})) { s += {V}; k++; } out[i] = s; }",
            ],
            &[
                "{ID} if (i < m) { {T} s = 1; for (int k = 0; k < n; k++) s = s * 3 + {V}; out[i] = s; }",
                "{ID} if (i < m) { {T} s = 1; int k = 0; for (; k + 1 < n; k += 2) { s = 3 * s + {V}; s = s * 3 + {V@k + 1}; } if (k < n) s = s * 3 + {V}; out[i] = s; }",
            ],
            &[
                "{ID} if (i < m) { {T} s = 1, q = 0; for (int k = 0; k < n; k++) { s += q; q = {V}; } out[i] = s; }",
                "{ID} if (i < m) { {T} s = 1; for (int k = 1; k < n; k++) s += {V@k - 1}; out[i] = s; }",
            ],
            &[
                "{ID} if (i < m) for (int k = 0; k < n; k++) out[i * n + k] = {V};",
                "{ID} if (i < m) for (int k = n - 1; k >= 0; k--) out[i * n + k] = {V};",
                "{ID} if (i < m) { int k = 0; while (k < n) { out[n * i + k] = {V}; k += 1; } }",
            ],
        ],
        leaves: &["in[i * n + k]", "w[k]", "k", "i", "in[k]"],
        blocks: ANY,
        requires: &["", "__requires(0 < n && n < 1000); __requires(m < 1000);"],
        relations: &[],
        floats: true,
    },
    Family {
        name: "tile",
        classes: &[
            &[
                "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); out[i] = s[{P}];",
                "{ID} int t = threadIdx.x; int j = blockIdx.x * blockDim.x + {P}; out[i] = {V@j};",
                "__shared__ {T} s[2 * {D}]; {ID} int t = threadIdx.x; s[t + 1] = {V}; __syncthreads(); {T} v = s[{P} + 1]; out[i] = v;",
            ],
            &[
                "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; if ({G}) s[t] = {V}; else s[t] = 0; __syncthreads(); out[i] = s[{P}];",
                "{ID} int t = threadIdx.x; int j = blockIdx.x * blockDim.x + {P}; out[i] = {G@j} ? {V@j} : 0;",
                "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; s[t] = 0; if ({G}) s[t] = {V}; __syncthreads(); out[i] = s[{P}];",
            ],
            &[
                "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); {T} v = s[{P}]; __syncthreads(); s[t] = v + 1; __syncthreads(); out[i] = s[{P}] + v;",
                "__shared__ {T} s[{D}]; __shared__ {T} r[{D}]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); {T} v = s[{P}]; r[t] = v + 1; __syncthreads(); out[i] = r[{P}] + v;",
            ],
        ],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: SMALL,
        requires: &[""],
        relations: &[],
        floats: true,
    },
    Family {
        name: "any tile",
        classes: &[&[
            "extern __shared__ {T} s[]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); out[i] = s[{P}];",
            "{ID} int t = threadIdx.x; int j = blockIdx.x * blockDim.x + {P}; out[i] = {V@j};",
            "extern __shared__ {T} s[]; {ID} int t = threadIdx.x; s[blockDim.x - 1 - t] = {V}; __syncthreads(); out[i] = s[blockDim.x - 1 - ({P})];",
            "extern __shared__ {T} s[]; {ID} int t = threadIdx.x; s[2 * t] = {V}; __syncthreads(); out[i] = s[2 * ({P})];",
        ]],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: ANY,
        requires: &["", "__requires(blockDim.x % 2 == 0);"],
        relations: &[],
        floats: true,
    },
    Family {
        name: "block sum",
        classes: &[&[
            "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); for (int k = {D} / 2; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; __syncthreads(); } if (t == 0) out[blockIdx.x] = s[0];",
            "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); for (int k = 1; k < {D}; k *= 2) { if (t % (2 * k) == 0) s[t] += s[t + k]; __syncthreads(); } if (t == 0) out[blockIdx.x] = s[0];",
            "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); for (int k = 1; k < {D}; k *= 2) { int j = 2 * k * t; if (j < {D}) s[j] += s[j + k]; __syncthreads(); } if (t == 0) out[blockIdx.x] = s[0];",
            "if (threadIdx.x == 0) { {T} s = 0; for (int t = 0; t < {D}; t++) { int i = blockIdx.x * {D} + t; s += {V}; } out[blockIdx.x] = s; }",
            "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); if (t == 0) { {T} v = s[0]; for (int k = 1; k < {D}; k++) v += s[k]; out[blockIdx.x] = v; }",
            "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); if (t == {D} - 1) { {T} v = 0; for (int k = {D} - 1; k >= 0; k--) v += s[k]; out[blockIdx.x] = v; }",
        ]],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: POWERS,
        requires: &[""],
        relations: &[],
        floats: true,
    },
    Family {
        name: "scan",
        classes: &[&[
            "__shared__ {T} s[{D}]; {ID} int t = threadIdx.x; s[t] = {V}; __syncthreads(); for (int k = 1; k < {D}; k *= 2) { {T} v = s[t]; if (t >= k) v += s[t - k]; __syncthreads(); s[t] = v; __syncthreads(); } out[i] = s[t];",
            "__shared__ {T} s[2 * {D}]; {ID} int t = threadIdx.x, p = 0; s[t] = {V}; __syncthreads(); for (int k = 1; k < {D}; k *= 2) { s[(1 - p) * {D} + t] = t >= k ? s[p * {D} + t] + s[p * {D} + t - k] : s[p * {D} + t]; p = 1 - p; __syncthreads(); } out[i] = s[p * {D} + t];",
            "{T} v = 0; int b = blockIdx.x * {D}; for (int j = 0; j <= threadIdx.x; j++) { int i = b + j; v += {V}; } out[b + threadIdx.x] = v;",
        ]],
        leaves: &["in[i]", "w[i]", "i"],
        blocks: POWERS,
        requires: &[""],
        relations: &[],
        floats: true,
    },
    Family {
        name: "transpose",
        classes: &[
            &[
                "{ID2} if (x < n && y < m) out[x * m + y] = in[y * n + x];",
                "{ID2} if (!(x < n) || y >= m) return; int j = y + m * x; out[j] = in[n * y + x];",
            ],
            &[
                "__requires(blockDim.x == 4 && blockDim.y == 4); {ID2} if (x < n && y < m) out[x * m + y] = in[y * n + x];",
                "__requires(blockDim.x == 4 && blockDim.y == 4); __shared__ {T} s[4][4]; {ID2} if (x < n && y < m) s[threadIdx.y][threadIdx.x] = in[y * n + x]; __syncthreads(); int u = blockIdx.y * 4 + threadIdx.x, v = blockIdx.x * 4 + threadIdx.y; if (u < m && v < n) out[v * m + u] = s[threadIdx.x][threadIdx.y];",
                "__requires(blockDim.x == 4 && blockDim.y == 4); __shared__ {T} s[4][5]; {ID2} if (x < n && y < m) s[threadIdx.y][threadIdx.x] = in[y * n + x]; __syncthreads(); int u = blockIdx.y * 4 + threadIdx.x, v = blockIdx.x * 4 + threadIdx.y; if (u < m && v < n) out[v * m + u] = s[threadIdx.x][threadIdx.y];",
            ],
            &[
                "{ID2} if (x < n && y < m) { int i = y * n + x; out[i] = {V}; }",
                "{ID2} if (x >= n) return; if (y >= m) return; int i = x + n * y; {T} v = {V}; out[i] = v;",
            ],
        ],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: &[Some("4,4"), None],
        requires: &["__requires(0 < n && n < 1000); __requires(0 < m && m < 1000);"],
        relations: &[],
        floats: true,
    },
    Family {
        name: "tiled fold",
        classes: &[&[
            "__requires(n % 4 == 0); {ID} {T} v = 0; for (int k = 0; k < n; k++) v += in[k] * w[i]; out[i] = v;",
            "__requires(n % 4 == 0); __shared__ {T} s[4]; int t = threadIdx.x; {ID} {T} v = 0; for (int j = 0; j < n / 4; j++) { s[t] = in[j * 4 + t]; __syncthreads(); for (int k = 0; k < 4; k++) v += s[k] * w[i]; __syncthreads(); } out[i] = v;",
            "__requires(n % 4 == 0); __shared__ {T} s[4]; int t = threadIdx.x; {ID} {T} v = 0, c = w[i]; for (int j = 0; j < n; j += 4) { s[t] = in[j + t]; __syncthreads(); for (int k = 0; k < 4; k++) v = v + c * s[k]; __syncthreads(); } out[i] = v;",
            "__requires(n % 4 == 0); {ID} {T} v = 0; for (int j = 0; j < n / 4; j++) for (int k = 0; k < 4; k++) v += in[4 * j + k] * w[i]; out[i] = v;",
        ]],
        leaves: &["in[i]"],
        blocks: &[Some("4")],
        requires: &["", "__requires(0 < n && n < 1000);"],
        relations: &[],
        floats: true,
    },
    Family {
        name: "two outputs",
        classes: &[
            &[
                "{ID} if ({G}) { out[i] = {V}; aux[i] = {W}; }",
                "{ID} if ({G}) { aux[i] = {W}; out[i] = {V}; }",
                "{ID} if ({G}) out[i] = {V}; if (!({G})) return; aux[i] = {W};",
            ],
            &[
                "{ID} if ({G}) { out[i] = {V}; aux[i] = out[i] + 1; }",
                "{ID} if ({G}) { {T} v = {V}; aux[i] = v + 1; out[i] = v; }",
            ],
        ],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: ANY,
        requires: &[""],
        relations: &[],
        floats: true,
    },
    Family {
        name: "atomics",
        classes: &[
            &[
                "{ID} if ({G}) atomicAdd(&out[i % 4], {V});",
                "{ID} if (!({G})) return; {T} v = {V}; atomicAdd(&out[i & 3], v);",
                "{ID} if ({G} && {H}) atomicAdd(&out[i % 4], {V}); if ({G} && !({H})) atomicAdd(&out[i % 4], {V});",
            ],
            &[
                "for (int i = {GID}; i < n; i += blockDim.x * gridDim.x) atomicAdd(&out[in[i] & 7], 1);",
                "int s = blockDim.x * gridDim.x; for (int i = {GID}; i < n; i += s) { int j = in[i] & 7; atomicAdd(&out[j], 1); }",
            ],
            &[
                "__shared__ {T} s[8]; int t = threadIdx.x; {ID} if (t < 8) s[t] = 0; __syncthreads(); if (i < n) atomicAdd(&s[in[i] & 7], 1); __syncthreads(); if (t < 8) atomicAdd(&out[t], s[t]);",
                "{ID} if (i < n) atomicAdd(&out[in[i] & 7], 1);",
                "{ID} if (i < n) { int b = in[i]; atomicAdd(&out[b & 7], 1); }",
            ],
            &[
                "{ID} if ({G}) atomicMax(&out[0], {V});",
                "{ID} if ({G}) { {T} v = {V}; atomicMax(out, v); }",
            ],
            &[
                "{ID} if ({G}) atomicOr(&out[i / 4], {V});",
                "{ID} if ({G}) { int j = i / 4; atomicOr(out + j, {V}); }",
            ],
        ],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: &[None, Some("8"), Some("16")],
        requires: &[
            "",
            "__requires(0 <= n && n < 100000); __requires(gridDim.x * blockDim.x < 100000);",
        ],
        relations: &[],
        floats: false,
    },
    Family {
        name: "intervals",
        classes: &[
            &[
                "int t = threadIdx.x, i = t; out[t] = {V}; __syncthreads(); if ({G}) out[{P}] = {W};",
                "int t = threadIdx.x, i = t; {T} v = {V}; out[t] = v; __syncthreads(); {T} x = {W}; if ({G}) out[{P}] = x;",
            ],
            &[
                "int t = threadIdx.x, i = t; out[t] = {V}; __syncthreads(); {T} v = out[{P}]; __syncthreads(); out[t] = v + {W};",
                "int t = threadIdx.x; int i = {P}; {T} v = {V}; i = t; out[t] = v + {W};",
                "__shared__ {T} s[{D}]; int t = threadIdx.x, i = t; s[t] = {V}; __syncthreads(); out[t] = s[{P}] + {W};",
            ],
            &[
                "int t = threadIdx.x, i = t; if ({H}) out[t] = {V}; __syncthreads(); if (!({H})) out[t] = {W};",
                "int t = threadIdx.x, i = t; out[t] = {H} ? {V} : {W};",
            ],
        ],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: SMALL,
        requires: &["__requires(gridDim.x == 1);"],
        relations: &[],
        floats: true,
    },
    Family {
        name: "private",
        classes: &[
            &[
                "{ID} {T} p[4]; for (int k = 0; k < 4; k++) p[k] = {V} + k; {T} s = 0; for (int k = 0; k < 4; k++) s += p[k]; if (i < n) out[i] = s;",
                "{ID} {T} s = 0; for (int k = 0; k < 4; k++) s += {V} + k; if (i < n) out[i] = s;",
                "{ID} {T} a = {V} + 0, b = {V} + 1, c = {V} + 2, d = {V} + 3; if (i < n) out[i] = ((({T})0 + a) + b) + c + d;",
            ],
            &[
                "{ID} {T} p[2]; p[0] = {V}; p[1] = {W}; if (i < n) out[i] = p[i % 2];",
                "{ID} if (i < n) out[i] = i % 2 ? {W} : {V};",
                "{ID} {T} p[2]; p[i & 1] = i & 1 ? {W} : {V}; if (i < n) out[i] = p[i & 1];",
            ],
        ],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: &[None, Some("4")],
        requires: &["", "__requires(gridDim.x * blockDim.x < 100000);"],
        relations: &[],
        floats: true,
    },
    Family {
        name: "shuffles",
        classes: &[
            &[
                "{ID} {T} v = {V}; for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffffu, v, k); out[i] = v;",
                "{ID} {T} v = {V}; v += __shfl_xor_sync(0xffffffffu, v, 16); v += __shfl_xor_sync(0xffffffffu, v, 8); v += __shfl_xor_sync(0xffffffffu, v, 4); v += __shfl_xor_sync(0xffffffffu, v, 2); v += __shfl_xor_sync(0xffffffffu, v, 1); out[i] = v;",
            ],
            &[
                "{ID} {T} v = {V}; v = v + __shfl_down_sync(0xffffffffu, v, 1); out[i] = v;",
                "__shared__ {T} s[32]; int t = threadIdx.x; {ID} s[t] = {V}; __syncthreads(); out[i] = s[t] + s[t + 1 < 32 ? t + 1 : t];",
            ],
        ],
        leaves: &["in[i]", "w[i]", "i"],
        blocks: &[Some("32")],
        requires: &[""],
        relations: &[],
        floats: true,
    },
    Family {
        name: "vectors",
        classes: &[
            &[
                "{ID} if (i < n) { int4 v = ((const int4 *)in)[i]; v.x += 1; v.y += 2; v.z += 3; v.w += 4; ((int4 *)out)[i] = v; }",
                "{ID} if (i < n) { int4 v; v.x = in[4 * i] + 1; v.y = in[4 * i + 1] + 2; v.z = in[4 * i + 2] + 3; v.w = in[4 * i + 3] + 4; ((int4 *)out)[i] = v; }",
                "{ID} if (i < n) { out[4 * i] = in[4 * i] + 1; out[4 * i + 1] = in[4 * i + 1] + 2; out[4 * i + 2] = in[4 * i + 2] + 3; out[4 * i + 3] = in[4 * i + 3] + 4; }",
                "{ID} if (i < n) for (int k = 0; k < 4; k++) out[4 * i + k] = in[4 * i + k] + k + 1;",
            ],
            &[
                "{ID} if (i < n) { char *p = (char *)out; p[i] = (char)in[i]; }",
                "{ID} if (i < n) ((unsigned char *)out)[i] = (unsigned char)in[i];",
                "{ID} if (i < n) ((short *)out)[i] = (short)in[i];",
                "{ID} if (i < n) out[i] = in[i] & 255;",
            ],
        ],
        leaves: &["in[i]"],
        blocks: ANY,
        requires: &[
            "",
            "__requires(0 <= n && n < 100000); __requires(gridDim.x * blockDim.x < 100000);",
        ],
        relations: &[],
        floats: false,
    },
    Family {
        name: "serial",
        classes: &[&[
            "{ID} if (i < n) out[i] = {V};",
            "{ID} if (i == 0) for (int k = 0; k < n; k++) out[k] = {V@k};",
            "if (blockIdx.x == 0 && threadIdx.x == 0) for (int i = 0; i < n; i++) out[i] = {V};",
            "{ID} for (int k = 0; k < n; k++) if (k == i) out[i] = {V};",
        ]],
        leaves: &["in[i]", "w[i]", "i", "n"],
        blocks: ANY,
        requires: &[
            "__requires(n <= gridDim.x * blockDim.x); __requires(gridDim.x * blockDim.x < 100000);",
            "",
        ],
        relations: &[],
        floats: true,
    },
];
