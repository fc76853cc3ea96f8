//! Which functions our CUDA headers define for device code, and which of them the
//! tables do not compare, with the reason.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const DEVICE: &str = "__attribute__((device))";

/// The names of all functions for the device in our headers, as clang preprocesses them.
pub fn defined() -> BTreeSet<String> {
    let headers =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../duet-frontend/headers/cuda").canonicalize();
    let headers = headers.expect("our headers");
    let output = Command::new("clang-19")
        .args(["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib"])
        .args(["--cuda-gpu-arch=sm_90", "-Wno-everything", "-D__BUGLE_64__", "-E", "-I"])
        .arg(&headers)
        .args(["-include", "duet_cuda_prelude.h", "-include", "cuda_fp16.h"])
        .args(["-include", "cuda_bf16.h", "/dev/null"])
        .output()
        .expect("clang-19");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let own = own_lines(&text, headers.to_str().expect("a path"));
    own.match_indices(DEVICE).filter_map(|(at, _)| name_after(&own[at..])).collect()
}

/// The lines that come from our headers, by the markers of the preprocessor.
fn own_lines(text: &str, headers: &str) -> String {
    let mut own = false;
    let mut lines = String::new();
    for line in text.lines() {
        match line.starts_with("# ") {
            true => own = line.contains(headers),
            false if own => lines = lines + line + " ",
            false => {}
        }
    }
    lines
}

/// The function that a declaration declares.
fn name_after(text: &str) -> Option<String> {
    let end = text.find(['{', ';'])?;
    let mut rest = text[..end].replace("template <int = 0>", "");
    for attribute in ["__attribute__((", "__asm__("] {
        while let Some(start) = rest.find(attribute) {
            let depth = |(depth, _): &(i32, usize)| *depth == 0;
            let mut open = 0;
            let mut close = rest[start..].char_indices().filter_map(|(at, c)| match c {
                '(' => {
                    open += 1;
                    None
                }
                ')' => {
                    open -= 1;
                    Some((open, start + at))
                }
                _ => None,
            });
            let (_, close) = close.find(depth)?;
            rest.replace_range(start..=close, " ");
        }
    }
    let before = rest[..rest.find('(')?].trim_end();
    let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let name = &before[start..];
    let is_operator = before.contains("operator") || name.is_empty();
    (!is_operator).then(|| name.to_owned())
}

/// Functions that no table compares: why, whole names, and beginnings of names.
pub const OTHERWISE: &[(&str, &[&str], &[&str])] = &[
    (
        "what the translator knows, or a part of what a public function is made of",
        &[
            "bit_cast",
            "byte_product",
            "clamp",
            "dot_of_bytes",
            "draw",
            "flat_block_id",
            "flat_thread_id",
            "from_word",
            "lane",
            "lane_id",
            "magnitude",
            "map",
            "match_all",
            "match_any",
            "no_overflow",
            "of",
            "picked_byte",
            "placed",
            "read_texel",
            "splat",
            "sum",
            "sum_declared",
            "to_word",
        ],
        &["__duet_", "shuffle_", "make_texel"],
    ),
    (
        "the annotation language, which runs evaluate and do not compute with",
        &[
            "is_chosen",
            "summary_reads",
            "summary_writes",
            "__array_snapshot",
            "__assert",
            "__atomic_has_taken_value",
            "__dominator_enabled",
            "__enabled",
            "__implies",
            "__invariant",
            "__ptr_base",
            "__requires",
            "__ensures",
        ],
        &[
            "__add",
            "__ite",
            "__barrier_invariant",
            "__candidate_",
            "__function_wide_",
            "__global_",
            "__non_temporal",
            "__old_",
            "__other_",
            "__sum_",
            "__read",
            "__return_val",
            "__reads",
            "__write",
            "__ptr_offset",
            "bugle_",
            "__loop_",
            "__address_",
            "__sizeof",
            "__same_group",
            "__no_",
            "__uniform_",
            "__distinct_",
            "__all_different",
        ],
    ),
    (
        "an unknown function of its arguments: its last bits are the device's",
        &[
            "__cosf",
            "__exp10f",
            "__expf",
            "__fdividef",
            "__frsqrt_rn",
            "__log10f",
            "__log2f",
            "__logf",
            "__powf",
            "__sincosf",
            "__sinf",
            "__tanf",
            "__tanhf",
        ],
        &[
            "acos",
            "asin",
            "atan",
            "cbrt",
            "cos",
            "cyl_bessel",
            "erf",
            "exp",
            "fdivide",
            "hypot",
            "j0",
            "j1",
            "jn",
            "lgamma",
            "log",
            "norm",
            "pow",
            "rcbrt",
            "rhypot",
            "rnorm",
            "rsqrt",
            "sin",
            "tan",
            "tgamma",
            "y0",
            "y1",
            "yn",
            "__hcmadd",
        ],
    ),
    (
        "an unknown function of its arguments: the interpreter knows it by name alone, or \
         rounds it to nearest",
        &[
            "__float2half_rd",
            "__float2half_ru",
            "__float2half_rz",
            "frexp",
            "frexpf",
            "ilogb",
            "ilogbf",
            "ldexp",
            "ldexpf",
            "nextafter",
            "nextafterf",
            "remquo",
            "remquof",
            "scalbln",
            "scalblnf",
            "scalbn",
            "scalbnf",
            "nan",
            "nanf",
        ],
        &[
            "__dadd_r",
            "__ddiv_r",
            "__dmul_r",
            "__drcp_r",
            "__dsqrt_r",
            "__dsub_r",
            "__fadd_r",
            "__fdiv_r",
            "__fma_r",
            "__fmaf_r",
            "__fmaf_ieee_r",
            "__fmul_r",
            "__frcp_r",
            "__fsqrt_r",
            "__fsub_r",
            "__int2half_r",
            "__uint2half_r",
            "__short2half_r",
            "__ushort2half_r",
            "__ll2half_r",
            "__ull2half_r",
            "__habs",
            "__hfma",
            "__hmax",
            "__hmin",
            "__hadd_sat",
            "__hsub_sat",
            "__hmul_sat",
            "h2",
            "hceil",
            "hcos",
            "hexp",
            "hfloor",
            "hlog",
            "hrcp",
            "hrint",
            "hrsqrt",
            "hsin",
            "hsqrt",
            "htanh",
            "htrunc",
        ],
    ),
    (
        "made of the scalar function, which is compared, once for each half",
        &[
            "__float22half2_rn",
            "__float2half2_rn",
            "__floats2half2_rn",
            "__half",
            "__half2",
            "__half22float2",
            "__half2half2",
            "__high2float",
            "__low2float",
            "__h2div",
            "__hneg2",
            "__hisnan2",
            "__hadd2_sat",
            "__hsub2_sat",
            "__hmul2_sat",
        ],
        &["__hb", "__heq", "__hne", "__hlt", "__hle", "__hgt", "__hge", "make_half", "make_bfloat"],
    ),
    (
        "the same template as for __half, over the compiler's other type",
        &["__nv_bfloat16", "__nv_bfloat162", "nv_bfloat162"],
        &[
            "__bfloat16",
            "__float2bfloat16",
            "__floats2bfloat16",
            "__float22bfloat16",
            "__double2bfloat16",
            "__halves2bfloat16",
            "__high2bfloat16",
            "__highs2bfloat16",
            "__low2bfloat16",
            "__lows2bfloat16",
            "__int2bfloat16",
            "__uint2bfloat16",
            "__short2bfloat16",
            "__ushort2bfloat16",
            "__ll2bfloat16",
            "__ull2bfloat16",
            "__short_as_bfloat16",
            "__ushort_as_bfloat16",
        ],
    ),
    (
        "no value: ends, orders, waits, prints, or answers anything",
        &[
            "__activemask",
            "__assert_fail",
            "__assertfail",
            "__brkpt",
            "__globaltimer",
            "__membar_cta",
            "__membar_gl",
            "__membar_sys",
            "__nanosleep",
            "__prof_trigger",
            "__smid",
            "__syncwarp",
            "__threadfence",
            "__threadfence_block",
            "__threadfence_system",
            "__trap",
            "abort",
            "clock",
            "clock64",
            "printf",
            "vprintf",
            "malloc",
            "free",
            "skipahead",
            "skipahead_sequence",
        ],
        &[
            "__isGlobal",
            "__isShared",
            "__isConstant",
            "__isLocal",
            "__isGridConstant",
            "__cvta_",
            "curand",
        ],
    ),
    (
        "one instruction of LLVM, compared among the intrinsics",
        &["memcpy", "memmove", "memset"],
        &[],
    ),
    (
        "without a mask the lanes that take part are the scheduler's choice",
        &["__all", "__any", "__ballot", "__shfl", "__shfl_down", "__shfl_up", "__shfl_xor"],
        &[],
    ),
    ("a load that the compiler has a name of its own for", &["__ldg"], &[]),
    (
        "products of sizes, which other tests read from launches",
        &["block_threads", "grid_blocks"],
        &[],
    ),
    (
        "not of CUDA: other names, and helpers that samples define",
        &[
            "__usad4",
            "cross",
            "dim3",
            "dot",
            "float2int",
            "float2uint",
            "fracf",
            "int2float",
            "length",
            "lerp",
            "reflect",
            "uint2float",
            "normalize",
        ],
        &["make_"],
    ),
    ("texels are cells of 16 bytes here, whatever the format", &[], &["tex", "surf"]),
    ("the runtime, for the host", &[], &["cuda", "__cuda"]),
];

/// Is there a reason for a function that no table compares?
pub fn has_reason(name: &str) -> bool {
    OTHERWISE.iter().any(|(_, names, starts)| {
        names.contains(&name) || starts.iter().any(|start| name.starts_with(start))
    })
}
