//! The pairs of kernels that `duet equiv` is measured by: a right one for each family of
//! rewrites, with the time that a proof may take, and bugs as changes of the second kernel.

use std::path::{Path, PathBuf};

use duet_engine::LaunchSizes;
use duet_engine::load::{LoadOptions, LoadedFile, load};
use duet_equiv::pair::expr::Expr;
use duet_equiv::pair::request::{FloatModel, Kernel, Request};

/// Two kernels that compute the same.
pub struct Pair {
    /// The files of A and of B.
    pub files: [&'static str; 2],
    /// Sizes of blocks and of grids, in the words of the command line without dashes, such as
    /// `block-dim=64` or `grid-dim-a=1`.
    pub sizes: &'static [&'static str],
    /// Relations of launches and arguments.
    pub given: &'static [&'static str],
    /// Laws of float arithmetic.
    pub float: FloatModel,
    /// Macros of the preprocessor.
    pub defines: &'static [&'static str],
    /// Seconds that search and proof may take.
    pub most: f64,
    /// A right pair that no engine proves today.
    pub is_gap: bool,
    /// Changes of B, as text and what takes its place.
    pub bugs: &'static [(&'static str, &'static str)],
}

/// What most pairs are: any launch, exact, without options, in half a second.
const PLAIN: Pair = Pair {
    files: ["", ""],
    sizes: &[],
    given: &[],
    float: FloatModel::Exact,
    defines: &[],
    most: 0.5,
    is_gap: false,
    bugs: &[],
};

const SAME_GRID: &str = "gridDim_a.x == gridDim_b.x && gridDim_a.y == gridDim_b.y";
const REASSOC: FloatModel = FloatModel::Reassociating;

/// All of them.
pub const PAIRS: &[Pair] = &[
    Pair { files: ["transpose-naive.cu", "transpose-other-style.cu"], most: 0.1, ..PLAIN },
    Pair { files: ["transpose-naive.cu", "transpose-tiled.cu"], most: 0.1, ..PLAIN },
    Pair {
        files: ["transpose-naive.cu", "transpose-padded.cu"],
        most: 0.1,
        bugs: &[
            ("tx < height && ty < width", "tx < height - 1 && ty < width"),
            ("out[ty * height + tx]", "out[ty * width + tx]"),
            ("int tx = blockIdx.y", "int tx = blockIdx.x"),
            (
                "tile[threadIdx.x * (blockDim.x + 1) + threadIdx.y]",
                "tile[threadIdx.y * (blockDim.x + 1) + threadIdx.x]",
            ),
            ("in[y * width + x]", "in[y * width + x + 1]"),
        ],
        ..PLAIN
    },
    Pair { files: ["transpose-tiled.cu", "transpose-padded.cu"], most: 0.1, ..PLAIN },
    Pair {
        files: ["transpose-naive.cu", "transpose-32x8.cu"],
        sizes: &["block-dim-a=32,32", "block-dim-b=32,8"],
        given: &[SAME_GRID],
        most: 0.1,
        bugs: &[
            ("tile[threadIdx.y + k][threadIdx.x]", "tile[threadIdx.x][threadIdx.y + k]"),
            ("y + k < width)", "y < width)"),
            ("k < 32; k += 8)\n    if (x < height", "k < 24; k += 8)\n    if (x < height"),
            ("out[(y + k) * height + x]", "out[(y + k) * width + x]"),
            ("y = blockIdx.x * 32", "y = blockIdx.y * 32"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["transpose-naive.cu", "transpose-diagonal.cu"],
        most: 0.1,
        bugs: &[
            ("% gridDim.x", "% blockDim.x"),
            ("int by = blockIdx.x", "int by = 0"),
            ("blockIdx.x + blockIdx.y", "blockIdx.x * blockIdx.y"),
            ("int ty = bx", "int ty = by"),
            ("ty < width", "ty < width - 1"),
        ],
        ..PLAIN
    },
    Pair { files: ["reduce-modulo.cu", "reduce-strided.cu"], ..PLAIN },
    Pair {
        files: ["reduce-modulo.cu", "reduce-sequential.cu"],
        float: REASSOC,
        bugs: &[
            ("blockDim.x / 2", "blockDim.x / 4"),
            ("k > 0", "k > 1"),
            ("if (t < k)", "if (t < k - 1)"),
            ("if (t == 0)", "if (t == 1)"),
            ("s[t] += s[t + k]", "s[t] += s[k]"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["reduce-plain.cu", "reduce-first-add.cu"],
        given: &["gridDim_a.x == gridDim_b.x", "blockDim_a.x == 2 * blockDim_b.x"],
        bugs: &[
            ("i + blockDim.x < n", "i < n"),
            ("(2 * blockDim.x)", "blockDim.x"),
            ("sum += in[i + blockDim.x]", "sum += in[i]"),
            ("k > 0", "k > 1"),
            ("if (t == 0)", "if (t == 1)"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["reduce-plain.cu", "reduce-last-warp.cu"],
        bugs: &[
            ("k > 32; k >>= 1", "k > 64; k >>= 1"),
            ("T v = s[t] + s[t + 32]", "T v = s[t]"),
            ("v += s[t + 8]", "v += s[t + 9]"),
            ("i < n ? in[i] : 0", "i <= n ? in[i] : 0"),
            ("v += s[t + 1];", "v += s[t];"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["reduce-plain.cu", "reduce-unrolled.cu"],
        bugs: &[
            ("s[t] += s[t + 64]", "s[t] += s[64]"),
            ("if (t < 128)", "if (t < 127)"),
            ("int d = 16", "int d = 8"),
            ("blockDim.x >= 256", "blockDim.x > 256"),
            ("T v = s[t] + s[t + 32]", "T v = s[t]"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["reduce-plain.cu", "reduce-shuffle.cu"],
        bugs: &[
            ("k >= 32", "k > 32"),
            ("int d = 16", "int d = 8"),
            ("i < n ? in[i] : 0", "i < n ? in[i] : 1"),
            ("__shfl_down_sync", "__shfl_up_sync"),
            ("d /= 2", "d /= 4"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["reduce-plain.cu", "reduce-shuffle.cu"],
        float: REASSOC,
        defines: &["T=float"],
        ..PLAIN
    },
    Pair {
        files: ["reduce-atomic.cu", "reduce-grid.cu"],
        is_gap: true,
        bugs: &[
            ("blockDim.x * gridDim.x)", "blockDim.x)"),
            ("if (t < k)", "if (t < k - 1)"),
            ("i < n;", "i < n - 1;"),
            ("T sum = 0", "T sum = 1"),
            ("sum += in[i]", "sum -= in[i]"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["matmul-naive.cu", "matmul-tiled.cu"],
        bugs: &[
            ("as[ty][k] * bs[k][tx]", "as[k][ty] * bs[k][tx]"),
            ("m < n / 16", "m < n / 16 - 1"),
            ("k < 16; k++", "k < 15; k++"),
            ("(m * 16 + ty) * n", "(m * 16 + tx) * n"),
            ("c[row * n + col]", "c[col * n + row]"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["matmul-any.cu", "matmul-ragged.cu"],
        float: REASSOC,
        bugs: &[
            ("(n + 15) / 16", "n / 16"),
            ("m * 16 + tx < n", "m * 16 + tx <= n"),
            ("m * 16 + ty < n &&", "m * 16 + ty < n - 1 &&"),
            ("bs[k][tx]", "bs[tx][k]"),
            ("if (row < n && col < n)", "if (row < n - 1 && col < n)"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["scan-single.cu", "scan-double.cu"],
        bugs: &[
            ("t >= d", "t > d"),
            ("d < blockDim.x", "d < blockDim.x / 2"),
            ("p = q;", "p = 0;"),
            ("= s[p * 1024 + t];\n}", "= s[1024 + t];\n}"),
            ("+ s[p * 1024 + t - d]", "- s[p * 1024 + t - d]"),
        ],
        ..PLAIN
    },
    Pair { files: ["scan-single.cu", "scan-double.cu"], defines: &["T=float"], ..PLAIN },
    Pair {
        files: ["scan-single.cu", "scan-sequential.cu"],
        bugs: &[
            ("k = 0", "k = 1"),
            ("int s = 0", "int s = 1"),
            ("k < blockDim.x", "k < blockDim.x - 1"),
            ("out[blockIdx.x * blockDim.x + k] = s", "out[blockIdx.x * blockDim.x] = s"),
            ("s += in", "s = in"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["bitonic-least.cu", "bitonic-swap.cu"],
        bugs: &[
            ("k <= blockDim.x", "k < blockDim.x"),
            ("b < a : a < b", "b < a : b < a"),
            ("j = k / 2", "j = k / 4"),
            ("t & k", "t & j"),
            ("s[t] = b; s[u] = a;", "s[t] = b;"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["stencil.cu", "stencil-halo.cu"],
        bugs: &[
            ("s[0] = in[i - 1]", "s[0] = in[i]"),
            ("s[t + 2] = in[i + 1]", "s[t + 2] = in[i]"),
            ("i > 0 && i < n - 1) out", "i > 1 && i < n - 1) out"),
            ("(s[t] + s[t + 1]) + s[t + 2]", "(s[t] + s[t + 1]) + s[t + 1]"),
            ("i > 0 && i < n - 1) out", "i > 0 && i < n - 2) out"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["dot-one.cu", "dot-block.cu"],
        sizes: &["block-dim=64"],
        float: REASSOC,
        defines: &["T=float", "ACCN=64"],
        bugs: &[
            ("k += ACCN", "k += ACCN + 1"),
            ("k < n", "k < n - 1"),
            ("row >= rows", "row > rows"),
            ("b + n * row", "b + row"),
            ("k = ACCN / 2", "k = ACCN / 4"),
            ("s[t] = sum", "s[t] = t < 7 ? sum : 0"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["scale-one.cu", "scale-grid-stride.cu"],
        given: &["gridDim_a.x * blockDim_a.x >= n", "gridDim_b.x >= 1"],
        bugs: &[
            ("i < n", "i < n - 1"),
            ("blockDim.x * gridDim.x)", "2 * blockDim.x * gridDim.x)"),
            ("a * x[i]", "a + x[i]"),
            ("+ y[i]", "- y[i]"),
            ("+ threadIdx.x", "+ threadIdx.x + 1"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["double-one.cu", "double-float4.cu"],
        given: &[
            "n_a == 4 * n4_b",
            "gridDim_a.x * blockDim_a.x >= n_a",
            "gridDim_b.x * blockDim_b.x >= n4_b",
        ],
        bugs: &[
            ("i < n4", "i < n4 - 1"),
            ("v.w *= 2.0f", "v.w *= 3.0f"),
            ("v.x *= 2.0f", "v.x = v.y * 2.0f"),
            ("in[i]", "in[0]"),
            ("v.z *= 2.0f;", ""),
        ],
        ..PLAIN
    },
    Pair {
        files: ["double-one.cu", "double-float4-rest.cu"],
        is_gap: true,
        given: &["gridDim_a.x * blockDim_a.x >= n", "gridDim_b.x * blockDim_b.x >= n"],
        bugs: &[
            ("i < n % 4", "i < n % 4 - 1"),
            ("i < n / 4", "i < n / 4 - 1"),
            ("out[n / 4 * 4 + i]", "out[n / 4 + i]"),
            ("v.w *= 2.0f", "v.w *= 3.0f"),
            ("2.0f * in[n / 4 * 4 + i]", "2.0f * in[i]"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["rows.cu", "rows-unrolled.cu"],
        bugs: &[
            ("k += 4", "k += 5"),
            ("in[r * n + k + 2]", "in[r * n + k + 1]"),
            ("for (; k < n; k++)", "for (; k < n - 1; k++)"),
            ("if (r < m)", "if (r < m - 1)"),
            ("int s = 0", "int s = 1"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["rows.cu", "rows-prefetched.cu"],
        is_gap: true,
        bugs: &[
            ("in[r * n + k + 1]", "in[r * n + k]"),
            ("k < n - 1", "k < n"),
            ("s += now", "s += next"),
            ("s += next;\n", "\n"),
            ("out[r] = 0", "out[r] = 1"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["rows.cu", "rows-do-while.cu"],
        is_gap: true,
        bugs: &[
            ("if (n > 0) do", "do"),
            ("while (k < n)", "while (k < n - 1)"),
            ("k = 0", "k = 1"),
            ("r * n + k", "r + k"),
            ("while (k < n)", "while (k <= n)"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["fill-rows.cu", "fill-columns.cu"],
        bugs: &[
            ("k < n", "k < n - 1"),
            ("j < m", "j < m - 1"),
            ("* m + j] = 2", "* m + k] = 2"),
            ("2 * in[(i * n + k)", "2 * in[(i * n + j)"),
            ("j = 0", "j = 1"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["nest-rows.cu", "nest-columns.cu"],
        bugs: &[
            ("k < n", "k < n - 1"),
            ("j < m", "j < m - 1"),
            ("in[k * m + j]", "in[k * n + j]"),
            ("int s = 0", "int s = 1"),
            ("s += in", "s -= in"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["histogram-over.cu", "histogram-shared.cu"],
        sizes: &["block-dim=256"],
        most: 1.0,
        bugs: &[
            ("s[k] = 0", "s[k] = 1"),
            ("s[in[i]]", "s[in[i] & 127]"),
            ("i < n", "i < n - 1"),
            ("&bins[k], s[k]", "&bins[k], s[k ^ 1]"),
            ("blockDim.x * gridDim.x)", "blockDim.x)"),
        ],
        ..PLAIN
    },
    Pair {
        files: ["histogram-global.cu", "histogram-over.cu"],
        given: &["gridDim_a.x * blockDim_a.x >= n", "gridDim_b.x >= 1"],
        most: 1.0,
        bugs: &[
            ("i < n", "i < n - 1"),
            ("i < n", "i <= n"),
            ("blockDim.x * gridDim.x)", "blockDim.x)"),
            ("1u", "2u"),
            ("bins[in[i]]", "bins[in[i] ^ 1]"),
        ],
        ..PLAIN
    },
];

impl Pair {
    /// Where a kernel of the table is.
    pub fn path(file: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/equiv").join(file)
    }

    /// The words after `duet equiv A B`.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.sizes.iter().map(|size| format!("--{size}")).collect();
        words.extend(self.given.iter().map(|one| format!("--given={one}")));
        words.extend(self.defines.iter().map(|one| format!("-D{one}")));
        words.extend(self.float_word());
        words
    }

    fn float_word(&self) -> Option<String> {
        match self.float {
            FloatModel::Exact => None,
            FloatModel::Reassociating => Some("--float=reassoc".to_string()),
            FloatModel::Real => Some("--float=real".to_string()),
        }
    }

    /// What is asked.
    pub fn request(&self) -> Request {
        Request {
            given: self.given.iter().map(|text| Expr::parse(text).expect("reads")).collect(),
            float: self.float,
            one_sided_sizes: self.sizes.iter().any(|size| side_of(size).is_some()),
            ..Request::default()
        }
    }

    /// The sizes that a side's launch has.
    pub fn launch(&self, side: usize) -> LaunchSizes {
        let mut sizes = LaunchSizes::default();
        for size in self.sizes.iter().filter(|size| side_of(size).is_none_or(|own| own == side)) {
            let (name, value) = size.split_once('=').expect("a size");
            let value = Some(value.parse().expect("sizes"));
            match name.starts_with("block") {
                true => sizes.block = value,
                false => sizes.grid = value,
            }
        }
        sizes
    }

    /// The kernels of two files.
    pub fn kernels<'m>(&self, files: &'m [LoadedFile; 2]) -> [Kernel<'m>; 2] {
        [0, 1].map(|side: usize| Kernel {
            file: self.files[side].into(),
            module: &files[side].module,
            func: files[side].module.kernels().next().expect("a kernel").0,
            sizes: self.launch(side),
            reading: vec![],
        })
    }

    /// Reads a file as a side.
    pub fn load(&self, side: usize, file: PathBuf) -> LoadedFile {
        let mut options = LoadOptions::plain(file, Default::default());
        options.sizes = self.launch(side);
        options.reading.defines.extend(self.defines.iter().map(|one| one.to_string()));
        load(&options).unwrap_or_else(|error| panic!("{:?}: {error}", self.files))
    }
}

/// Which side a size is of; nothing: both.
fn side_of(size: &str) -> Option<usize> {
    let (name, _) = size.split_once('=')?;
    ["-a", "-b"].iter().position(|end| name.ends_with(end))
}
