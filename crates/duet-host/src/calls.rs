//! What calls do to the memory of the host program: a table of the functions that are
//! known. A function that is not here may do anything.

use duet_frontend::host::{self, ESCAPE, UNINITIALISED};

/// The mark of the functions through which kernels are launched.
const STUB: &str = "__device_stub__";

/// What a call may do to objects of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It writes nothing that the program can see.
    Nothing,
    /// It writes only what its arguments point at, and keeps no pointer.
    Arguments,
    /// Anything: it may keep its arguments, call the program's functions, and write all
    /// that they can.
    Anything,
}

/// Is this the name of a kernel's stub?
pub fn is_stub(name: &str) -> bool {
    name.contains(STUB)
}

/// The symbol of the kernel that a stub launches: `_Z18__device_stub__revPfS_i` is
/// `_Z3revPfS_i`.
pub fn kernel_of_stub(stub: &str) -> Option<String> {
    let at = stub.find(STUB)?;
    let (before, after) = (&stub[..at], &stub[at + STUB.len()..]);
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 {
        return Some(format!("{before}{after}"));
    }
    let (head, number) = before.split_at(before.len() - digits);
    let length = number.parse::<usize>().ok()?.checked_sub(STUB.len())?;
    Some(format!("{head}{length}{after}"))
}

/// Is this one of the functions that the headers make of the runtime?
pub fn is_modelled(name: &str) -> bool {
    matches!(
        name,
        "__duet_malloc"
            | "__duet_free"
            | "__duet_status"
            | "__duet_pitch"
            | "__duet_fill"
            | "__duet_memset"
            | "__duet_configure"
            | "__duet_launch"
            | "__duet_symbol"
    )
}

/// Is the function known, so that nothing of the program is behind it?
pub fn is_known(name: &str) -> bool {
    name.starts_with("llvm.")
        || is_stub(name)
        || effect(name) != Effect::Anything
        || is_thread(name)
        || is_callback(name)
        || runtime_base(name).is_some()
        || is_graphics(name)
}

/// Libraries for windows and pictures. They call back, but define nothing of the program.
fn is_graphics(name: &str) -> bool {
    ["gl", "glu", "glut", "glX", "glfw", "glew"].into_iter().any(|prefix| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    })
}

/// A function of our own headers that only computes: a template with one parameter that
/// has a default, or one that is chosen by the type of its argument.
///
/// SOUNDNESS: a template of the program may have the same parameters and do anything
/// (test `functions_of_the_program_are_no_library`).
fn is_of_headers(name: &str) -> bool {
    let is_such = name.contains("ILi0EE") || name.contains("N4duet9enable_if");
    is_such && name.starts_with("_Z") && base(name).is_some_and(host::computes)
}

/// The name of a function of C, of LLVM, or of our own headers that only computes.
pub fn plain_function(name: &str) -> Option<&str> {
    match name.starts_with("_Z") {
        true => is_of_headers(name).then(|| base(name)).flatten(),
        false => Some(name),
    }
}

/// Does the function launch a kernel that it is given by a handle of the driver?
pub fn is_driver_launch(name: &str) -> bool {
    let plain = base(name).unwrap_or(name);
    plain.starts_with("cuLaunch") && plain != "cuLaunchHostFunc"
        || plain.starts_with("cuGraph") && plain.contains("KernelNode")
}

/// May another device be the current one after the call, or its memory be set up anew?
pub fn chooses_device(name: &str) -> bool {
    let plain = base(name).unwrap_or(name);
    let is_context = plain.starts_with("cuCtx") || plain.starts_with("cuDevicePrimaryCtx");
    is_context
        || matches!(
            plain,
            "cudaSetDevice"
                | "cudaDeviceReset"
                | "cudaThreadExit"
                | "cudaInitDevice"
                | "cudaSetValidDevices"
                | "cudaGLSetGLDevice"
        )
}

/// May the function run launches later, or again, that were made before?
pub fn repeats_launches(name: &str) -> bool {
    let plain = base(name).unwrap_or(name);
    plain.contains("Capture") || plain.contains("Graph") && !plain.contains("Graphics")
}

/// Does the function wait for all work of the device?
pub fn waits_for_device(name: &str) -> bool {
    matches!(runtime_base(name), Some("cudaDeviceSynchronize" | "cudaThreadSynchronize"))
}

/// Is it the copy whose first argument is written and whose second one is read?
pub fn is_copy(name: &str) -> bool {
    matches!(runtime_base(name), Some("cudaMemcpy" | "cudaMemcpyAsync"))
}

/// Does the driver find variables by their names there?
pub fn finds_variables(name: &str) -> bool {
    let plain = base(name).unwrap_or(name);
    plain.starts_with("cu") && (plain.contains("GetGlobal") || plain.contains("GetManaged"))
}

/// Does the function start a thread, or let one run the program's code?
pub fn is_thread(name: &str) -> bool {
    name == "pthread_create"
        || name == "thrd_create"
        || name.starts_with("__kmpc_fork")
        || name.starts_with("_ZNSt6thread15_M_start_thread")
        || name.contains("cudaLaunchHostFunc")
        || name.contains("cudaStreamAddCallback")
        || is_algorithm(name)
}

/// Is it an algorithm of Thrust or CUB? These may be given functions of the program, whose
/// bodies are not even compiled here, because no call of them is seen.
///
/// SOUNDNESS: such a function may write any variable that is not the caller's own (trap 30
/// of the test `traps`).
pub fn is_algorithm(name: &str) -> bool {
    let is_of = |library: &str| {
        ["_ZN", "_ZNK"]
            .iter()
            .any(|start| name.strip_prefix(start).is_some_and(|rest| rest.starts_with(library)))
    };
    name == "__duet_algorithm" || is_of("6thrust") || is_of("3cub")
}

/// Functions that are given functions of the program to call.
fn is_callback(name: &str) -> bool {
    matches!(
        name,
        "qsort"
            | "bsearch"
            | "atexit"
            | "signal"
            | "on_exit"
            | "__cxa_atexit"
            | "at_quick_exit"
            | "pthread_once"
    )
}

/// What is known about a function by its name.
pub fn effect(name: &str) -> Effect {
    if is_stub(name) || name.starts_with(UNINITIALISED) {
        return Effect::Nothing;
    }
    if name == ESCAPE || name == "__duet_fill" || name == "__duet_memset" {
        return Effect::Arguments;
    }
    if is_modelled(name) {
        return Effect::Nothing;
    }
    if is_thread(name) || is_callback(name) {
        return Effect::Anything;
    }
    if NOTHING.contains(&name) {
        return Effect::Nothing;
    }
    if ARGUMENTS.contains(&name) || is_of_headers(name) || name.starts_with("__cxa_") {
        return Effect::Arguments;
    }
    if let Some(base) = runtime_base(name) {
        return runtime_effect(base);
    }
    if is_standard_library(name) { Effect::Arguments } else { Effect::Anything }
}

/// Functions of the C library that write nothing a program of this kind looks at.
const NOTHING: &[&str] = &[
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fflush",
    "exit",
    "_exit",
    "abort",
    "free",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "getenv",
    "malloc",
    "calloc",
    "rand",
    "random",
    "srand",
    "srandom",
    "drand48",
    "srand48",
    "lrand48",
    "strlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strchr",
    "strrchr",
    "strstr",
    "memcmp",
    "memchr",
    "fopen",
    "fclose",
    "feof",
    "ferror",
    "fseek",
    "ftell",
    "rewind",
    "fwrite",
    "clock",
    "getpid",
    "sleep",
    "usleep",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinf",
    "cosf",
    "tanf",
    "sqrt",
    "sqrtf",
    "exp",
    "expf",
    "exp2",
    "exp2f",
    "log",
    "logf",
    "log2",
    "log2f",
    "log10",
    "log10f",
    "pow",
    "powf",
    "fabs",
    "fabsf",
    "floor",
    "floorf",
    "ceil",
    "ceilf",
    "round",
    "roundf",
    "fmod",
    "fmodf",
    "lround",
    "lroundf",
    "lrint",
    "lrintf",
    "rint",
    "rintf",
    "trunc",
    "truncf",
    "erf",
    "erff",
    "erfc",
    "erfcf",
    "cbrt",
    "cbrtf",
    "hypot",
    "hypotf",
    "fmax",
    "fmin",
    "fmaxf",
    "fminf",
    "abs",
    "labs",
    "perror",
    "strerror",
    "isatty",
    "toupper",
    "tolower",
    "isdigit",
    "isspace",
    "isalpha",
    "isalnum",
    "sysconf",
    "_Znwm",
    "_Znam",
    "_ZdlPv",
    "_ZdlPvm",
    "_ZdaPv",
    "_ZdaPvm",
    "_ZnwmSt11align_val_t",
    "_ZdlPvSt11align_val_t",
    "_ZdlPvmSt11align_val_t",
    "__assert_fail",
    "__errno_location",
    "access",
    "unlink",
    "remove",
    "strdup",
    "aligned_alloc",
    "memalign",
    "getchar",
    "fgetc",
    "getc",
    "system",
    "tanh",
    "tanhf",
    "sinh",
    "cosh",
    "ldexp",
    "ldexpf",
    "copysign",
    "copysignf",
    "fma",
    "fmaf",
    "nearbyint",
    "__gxx_personality_v0",
    "_Unwind_Resume",
    "__clang_call_terminate",
    "__cxa_throw",
    "__cxa_rethrow",
    "__cxa_guard_acquire",
    "__cxa_guard_release",
    "__cxa_guard_abort",
    "__cxa_pure_virtual",
    "__ctype_b_loc",
    "setlocale",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "omp_get_max_threads",
    "omp_set_num_threads",
    "omp_get_wtime",
    "omp_get_num_procs",
    "getrusage",
    "sched_yield",
    "dlclose",
    "close",
    "raise",
    "isnan",
    "isinf",
    "_ZSt9terminatev",
    "__dynamic_cast",
    "expm1",
    "expm1f",
    "log1p",
    "log1pf",
    "tgamma",
    "lgamma",
    "powi",
    "logb",
    "remainder",
    "asinf",
    "acosf",
    "atanf",
    "atan2f",
    "fesetround",
    "fegetround",
    "getppid",
    "setenv",
    "getopt_long",
    "getopt",
    "sinl",
    "cosl",
    "tanl",
    "expl",
    "logl",
    "log2l",
    "log10l",
    "powl",
    "sqrtl",
    "floorl",
    "ceill",
    "fabsl",
    "nearbyintf",
    "exp10",
    "exp10f",
    "sinhf",
    "coshf",
    "asinh",
    "asinhf",
    "acosh",
    "acoshf",
    "atanh",
    "atanhf",
    "tgammaf",
    "lgammaf",
    "fdim",
    "fdimf",
    "fmal",
    "llround",
    "llroundf",
    "llrint",
    "llrintf",
    "scalbn",
    "scalbnf",
    "ilogb",
    "ilogbf",
    "nan",
    "nanf",
    "isxdigit",
    "ispunct",
    "isupper",
    "islower",
    "isprint",
    "iscntrl",
    "isgraph",
    "strnlen",
    "strspn",
    "strcspn",
    "strpbrk",
    "strcoll",
    "clearerr",
    "fileno",
    "fseeko",
    "ftello",
    "ungetc",
    "mkdir",
    "rmdir",
    "rename",
    "mrand48",
    "rand_r",
    "secure_getenv",
    "sched_getcpu",
    "getpagesize",
    "alarm",
    "llabs",
    "omp_get_num_devices",
    "omp_set_nested",
    "omp_in_parallel",
];

/// Functions of the C library that write what they are given pointers to, and no more.
const ARGUMENTS: &[&str] = &[
    "scanf",
    "fscanf",
    "sscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_sscanf",
    "__isoc23_scanf",
    "__isoc23_fscanf",
    "__isoc23_sscanf",
    "fread",
    "fgets",
    "gets",
    "getline",
    "read",
    "write",
    "open",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "strtod",
    "strtof",
    "__isoc23_strtol",
    "__isoc23_strtoul",
    "__isoc23_strtoll",
    "__isoc23_strtoull",
    "sprintf",
    "snprintf",
    "vsnprintf",
    "vsprintf",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "memcpy",
    "memmove",
    "memset",
    "gettimeofday",
    "clock_gettime",
    "time",
    "localtime",
    "gmtime",
    "ctime",
    "asctime",
    "strftime",
    "mktime",
    "difftime",
    "posix_memalign",
    "realloc",
    "modf",
    "modff",
    "frexp",
    "frexpf",
    "sincos",
    "sincosf",
    "stat",
    "fstat",
    "getcwd",
    "uname",
    "bzero",
    "strtok",
    "readlink",
    "gethostname",
    "nanosleep",
    "dlopen",
    "dlsym",
    "dlerror",
    "mmap",
    "munmap",
    "shm_open",
    "ftruncate",
    "rand_r",
    "mkstemp",
    "tmpfile",
    "freopen",
    "setvbuf",
    "ioctl",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_mutex_init",
    "pthread_mutex_destroy",
    "pthread_self",
    "sched_getaffinity",
    "sched_setaffinity",
    "CPU_ZERO",
    "sigemptyset",
    "feenableexcept",
    "nextafter",
    "nextafterf",
];

/// The name of a function without its mangling: `cudaMemcpy` of
/// `_Z10cudaMemcpyIJPfS0_m14cudaMemcpyKindEE9cudaErrorDpT_`.
fn base(name: &str) -> Option<&str> {
    let Some(rest) = name.strip_prefix("_Z") else { return Some(name) };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length = rest[..digits].parse::<usize>().ok()?;
    rest.get(digits..digits + length)
}

/// The name of a function of CUDA's libraries that our headers declare.
///
/// SOUNDNESS: the program may have a `cudaInit` of its own, which does anything (test
/// `functions_of_the_program_are_no_library`).
fn runtime_base(name: &str) -> Option<&str> {
    let prefixes = [
        "cuda", "cu", "cublas", "cufft", "curand", "cusparse", "cusolver", "nvtx", "nvrtc", "nvml",
        "nvjpeg", "npp", "nccl",
    ];
    let base = base(name)?;
    let is_library = |prefix: &str| {
        let rest = base.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    (prefixes.into_iter().any(is_library) && host::mentions(base)).then_some(base)
}

fn runtime_effect(base: &str) -> Effect {
    // These are given structs with pointers in them, or keep what they are given.
    let keeps = [
        "MemcpyAsync",
        "Memcpy2DAsync",
        "FromSymbolAsync",
        "Graph",
        "Memcpy3D",
        "HostRegister",
        "Import",
        "External",
        "UserObject",
        "XtExec",
    ];
    // These make and take apart graphs, and run nothing of them.
    let builds = [
        "cudaGraphCreate",
        "cudaGraphDestroy",
        "cudaGraphInstantiate",
        "cudaGraphExecDestroy",
        "cudaGraphGetNodes",
        "cudaGraphAddDependencies",
        "cudaGraphAddEmptyNode",
        "cudaGraphConditionalHandleCreate",
    ];
    if builds.contains(&base) {
        return Effect::Arguments;
    }
    if keeps.iter().any(|part| base.contains(part)) && !base.contains("Graphics") {
        return Effect::Anything;
    }
    Effect::Arguments
}

/// Does the function wait for copies that were started before, so that they have written
/// what they write?
pub fn is_wait(name: &str) -> bool {
    runtime_base(name).is_some_and(|base| base.contains("Synchronize") || base.contains("Query"))
}

/// Does the function start a copy that goes on after it returns?
pub fn is_asynchronous_copy(name: &str) -> bool {
    runtime_base(name).is_some_and(|base| base.contains("Memcpy") && base.contains("Async"))
}

/// The C++ library, which calls the program's functions only where it is given some.
fn is_standard_library(name: &str) -> bool {
    let prefixes = [
        "_ZSt",
        "_ZNSt",
        "_ZNKSt",
        "_ZNSo",
        "_ZNSi",
        "_ZNSs",
        "_ZNSa",
        "_ZNSd",
        "_ZNKSs",
        "_ZNKSo",
        "_ZGVNSt",
        "_ZTv0_n24_NSt",
        "_ZStls",
        "_ZStrs",
    ];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Is what the function returns the program's input?
pub fn is_input(name: &str) -> bool {
    matches!(
        name,
        "atoi"
            | "atol"
            | "atoll"
            | "atof"
            | "strtol"
            | "strtoul"
            | "strtoll"
            | "strtoull"
            | "strtod"
            | "strtof"
            | "__isoc23_strtol"
            | "__isoc23_strtoul"
            | "__isoc23_strtoll"
            | "__isoc23_strtoull"
            | "getenv"
            | "scanf"
            | "fscanf"
            | "sscanf"
            | "__isoc99_scanf"
            | "__isoc99_fscanf"
            | "__isoc99_sscanf"
            | "__isoc23_scanf"
            | "__isoc23_fscanf"
            | "__isoc23_sscanf"
            | "fread"
            | "fgets"
            | "getline"
            | "read"
            | "getchar"
            | "fgetc"
            | "getc"
    ) || name.starts_with("_ZNSirs")
        || name.contains("getCmdLineArgument")
        || name.contains("checkCmdLineFlag")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_named_after_kernels() {
        let kernel = |stub| kernel_of_stub(stub).expect("a stub");
        assert_eq!(kernel("_Z18__device_stub__revPfS_i"), "_Z3revPfS_i");
        assert_eq!(kernel("__device_stub__plain"), "plain");
        assert_eq!(kernel("_ZN1n18__device_stub__revIfEEvT_"), "_ZN1n3revIfEEvT_");
        assert_eq!(kernel_of_stub("main"), None);
    }

    #[test]
    fn effects_by_name() {
        assert_eq!(effect("printf"), Effect::Nothing);
        assert_eq!(effect("__isoc99_scanf"), Effect::Arguments);
        assert_eq!(
            effect("_Z10cudaMemcpyIJPfS0_m14cudaMemcpyKindEE9cudaErrorDpT_"),
            Effect::Arguments
        );
        assert_eq!(effect("_Z4initv"), Effect::Anything);
        assert_eq!(effect("cudasomething"), Effect::Anything);
        assert_eq!(effect("qsort"), Effect::Anything);
        assert!(is_known("qsort") && !is_known("_Z4initv"));
    }

    #[test]
    fn functions_of_the_program_are_no_library() {
        assert!(is_known("_Z10cudaMemcpyIJPfS0_m14cudaMemcpyKindEE9cudaErrorDpT_"));
        for own in ["cudaInit", "_Z8cudaInitPi", "_Z9cuPrepareiPi", "_Z4initILi0EEvPi"] {
            assert!(!is_known(own), "{own}");
            assert_eq!(effect(own), Effect::Anything, "{own}");
        }
    }
}
