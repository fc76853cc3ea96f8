//! The functions that stand before CUDA's own: the library is preloaded, so a program that is
//! linked with the shared runtime (`-cudart shared`), the driver or NVRTC calls these. Each
//! calls the next one of its name with the same arguments, returns what that returns, and
//! writes down what was done.
//!
//! A launch has pointers to its arguments and no sizes. The sizes are those that `duet cc`
//! wrote down (`sources`), or what the driver says (`cuFuncGetParamInfo`). Where nobody knows
//! them nothing is read (`arguments`).
//!
//! A launch into a stream that is being captured is a launch like any other: it is written down
//! when it is captured, with the arguments that the graph will use at each of its launches.
//! Nodes that a program makes itself are in `graphs`.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::Mutex;

use crate::arguments::{Arguments, Parameter, listed, packed, parameters_by_size};
use crate::place::Frames;
use crate::record::{Handle, Launch, Record};
use crate::sources::sizes_of;
use crate::writer::{write, write_launch_as};

pub(crate) type Error = c_int;
pub(crate) type Object = *mut c_void;

pub(crate) const SUCCESS: Error = 0;
/// `cudaErrorInitializationError`, `CUDA_ERROR_NOT_INITIALIZED`: there is no function behind.
pub(crate) const MISSING: Error = 3;
/// The most parameters that are asked for.
const MOST_PARAMETERS: usize = 1024;

/// `dim3`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Dim3 {
    pub x: c_uint,
    pub y: c_uint,
    pub z: c_uint,
}

impl Dim3 {
    pub(crate) fn sizes(self) -> [u64; 3] {
        [self.x, self.y, self.z].map(u64::from)
    }
}

/// The beginning of `cudaLaunchConfig_t`.
#[repr(C)]
pub struct RuntimeConfig {
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: Object,
}

/// The beginning of `CUlaunchConfig`.
#[repr(C)]
pub struct DriverConfig {
    grid: Dim3,
    block: Dim3,
    shared: c_uint,
    stream: Object,
}

/// The names of kernels by the handles that the program has for them.
static NAMES: Mutex<Option<HashMap<Handle, String>>> = Mutex::new(None);

/// The next function of a name; 0 if there is none.
pub(crate) fn next(name: &CStr) -> usize {
    // SAFETY: the name ends with NUL.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) as usize }
}

/// Defines for each function what stands before it, with the next one as `real`.
macro_rules! before {
    ($($name:ident ($($arg:ident: $ty:ty),*) -> $result:ty, else $missing:expr, $body:expr;)*) => {
        $(
            /// CUDA's function of this name, with a record of the call.
            ///
            /// # Safety
            /// As CUDA says.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, clippy::too_many_arguments, clippy::unused_unit)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> $result {
                let name = concat!(stringify!($name), "\0");
                let name = std::ffi::CStr::from_bytes_with_nul(name.as_bytes()).unwrap_or_default();
                let address = next(name);
                if address == 0 {
                    return $missing;
                }
                // SAFETY: the function behind the name has CUDA's signature.
                let real: unsafe extern "C" fn($($ty),*) -> $result =
                    unsafe { std::mem::transmute(address) };
                let body: fn(unsafe extern "C" fn($($ty),*) -> $result, $($ty),*) -> $result = $body;
                body(real, $($arg),*)
            }
        )*
    };
}

/// Launches of the runtime and of the driver: what is launched, and the call that does it.
macro_rules! launching {
    ($func:expr, $grid:expr, $block:expr, $shared:expr, $stream:expr, $args:expr, $call:expr) => {
        launching!($func, $grid, $block, $shared, $stream, $args, std::ptr::null(), $call)
    };
    ($func:expr, $grid:expr, $block:expr, $shared:expr, $stream:expr, $args:expr, $extra:expr, $call:expr) => {{
        let launch = Launch {
            number: 0,
            kernel: $func as Handle,
            queue: $stream as Handle,
            dimensions: 3,
            global: threads($grid, $block),
            local: Some($block.sizes()),
            offset: [0; 3],
            frames: vec![],
        };
        let shared = $shared as u64;
        // SAFETY: the program's own arguments, as its kernel has them.
        let arguments = unsafe { arguments($func, $args, $extra) };
        let number = write_launch_as(launch, &Frames::here(), |launch| Record::CudaLaunch {
            launch,
            shared,
            arguments,
        });
        // SAFETY: the program's own call, passed on.
        let result = unsafe { $call };
        if result != SUCCESS {
            write(&Record::Refused { launch: number, error: result });
        }
        result
    }};
}

pub(crate) use {before, launching};

before! {
    __cudaRegisterFunction(fatbin: Object, host: *const c_char, device: *mut c_char, name: *const c_char, limit: c_int, tid: Object, bid: Object, block: Object, grid: Object, warp: *mut c_int) -> (),
    else (), |real, fatbin, host, device, name, limit, tid, bid, block, grid, warp| {
        note_kernel(host as Handle, text(name));
        // SAFETY: the program's own call, passed on.
        unsafe { real(fatbin, host, device, name, limit, tid, bid, block, grid, warp) }
    };
    __cudaGetKernel(kernel: *mut Object, host: *const c_void) -> Error,
    else MISSING, |real, kernel, host| {
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(kernel, host) };
        note_same(result, kernel, host as Handle);
        result
    };
    cudaGetKernel(kernel: *mut Object, host: *const c_void) -> Error,
    else MISSING, |real, kernel, host| {
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(kernel, host) };
        note_same(result, kernel, host as Handle);
        result
    };
    cudaGetFuncBySymbol(function: *mut Object, host: *const c_void) -> Error,
    else MISSING, |real, function, host| {
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(function, host) };
        note_same(result, function, host as Handle);
        result
    };
    cuModuleGetFunction(function: *mut Object, module: Object, name: *const c_char) -> Error,
    else MISSING, |real, function, module, name| {
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(function, module, name) };
        note_named(result, function, name);
        result
    };
    cuLibraryGetKernel(kernel: *mut Object, library: Object, name: *const c_char) -> Error,
    else MISSING, |real, kernel, library, name| {
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(kernel, library, name) };
        note_named(result, kernel, name);
        result
    };
    cudaLaunchKernel(func: *const c_void, grid: Dim3, block: Dim3, args: *const *const u8, shared: usize, stream: Object) -> Error,
    else MISSING, |real, func, grid, block, args, shared, stream| {
        launching!(func, grid, block, shared, stream, args, real(func, grid, block, args, shared, stream))
    };
    cudaLaunchKernel_ptsz(func: *const c_void, grid: Dim3, block: Dim3, args: *const *const u8, shared: usize, stream: Object) -> Error,
    else MISSING, |real, func, grid, block, args, shared, stream| {
        launching!(func, grid, block, shared, stream, args, real(func, grid, block, args, shared, stream))
    };
    __cudaLaunchKernel(func: *const c_void, grid: Dim3, block: Dim3, args: *const *const u8, shared: usize, stream: Object) -> Error,
    else MISSING, |real, func, grid, block, args, shared, stream| {
        launching!(func, grid, block, shared, stream, args, real(func, grid, block, args, shared, stream))
    };
    cudaLaunchCooperativeKernel(func: *const c_void, grid: Dim3, block: Dim3, args: *const *const u8, shared: usize, stream: Object) -> Error,
    else MISSING, |real, func, grid, block, args, shared, stream| {
        launching!(func, grid, block, shared, stream, args, real(func, grid, block, args, shared, stream))
    };
    cudaLaunchCooperativeKernel_ptsz(func: *const c_void, grid: Dim3, block: Dim3, args: *const *const u8, shared: usize, stream: Object) -> Error,
    else MISSING, |real, func, grid, block, args, shared, stream| {
        launching!(func, grid, block, shared, stream, args, real(func, grid, block, args, shared, stream))
    };
    cudaLaunchKernelExC(config: *const RuntimeConfig, func: *const c_void, args: *const *const u8) -> Error,
    else MISSING, |real, config, func, args| {
        if config.is_null() {
            // SAFETY: the program's own call, passed on.
            return unsafe { real(config, func, args) };
        }
        // SAFETY: the program's configuration.
        let RuntimeConfig { grid, block, shared, stream } = unsafe { config.read() };
        launching!(func, grid, block, shared, stream, args, real(config, func, args))
    };
    cudaLaunchKernelExC_ptsz(config: *const RuntimeConfig, func: *const c_void, args: *const *const u8) -> Error,
    else MISSING, |real, config, func, args| {
        if config.is_null() {
            // SAFETY: the program's own call, passed on.
            return unsafe { real(config, func, args) };
        }
        // SAFETY: the program's configuration.
        let RuntimeConfig { grid, block, shared, stream } = unsafe { config.read() };
        launching!(func, grid, block, shared, stream, args, real(config, func, args))
    };
    cuLaunchKernel(func: Object, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint, stream: Object, args: *const *const u8, extra: *const *const c_void) -> Error,
    else MISSING, |real, func, gx, gy, gz, bx, by, bz, shared, stream, args, extra| {
        let (grid, block) = (Dim3 { x: gx, y: gy, z: gz }, Dim3 { x: bx, y: by, z: bz });
        launching!(func, grid, block, shared, stream, args, extra, real(func, gx, gy, gz, bx, by, bz, shared, stream, args, extra))
    };
    cuLaunchKernel_ptsz(func: Object, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint, stream: Object, args: *const *const u8, extra: *const *const c_void) -> Error,
    else MISSING, |real, func, gx, gy, gz, bx, by, bz, shared, stream, args, extra| {
        let (grid, block) = (Dim3 { x: gx, y: gy, z: gz }, Dim3 { x: bx, y: by, z: bz });
        launching!(func, grid, block, shared, stream, args, extra, real(func, gx, gy, gz, bx, by, bz, shared, stream, args, extra))
    };
    cuLaunchKernelEx(config: *const DriverConfig, func: Object, args: *const *const u8, extra: *const *const c_void) -> Error,
    else MISSING, |real, config, func, args, extra| {
        if config.is_null() {
            // SAFETY: the program's own call, passed on.
            return unsafe { real(config, func, args, extra) };
        }
        // SAFETY: the program's configuration.
        let DriverConfig { grid, block, shared, stream } = unsafe { config.read() };
        launching!(func, grid, block, shared, stream, args, extra, real(config, func, args, extra))
    };
    cuLaunchKernelEx_ptsz(config: *const DriverConfig, func: Object, args: *const *const u8, extra: *const *const c_void) -> Error,
    else MISSING, |real, config, func, args, extra| {
        if config.is_null() {
            // SAFETY: the program's own call, passed on.
            return unsafe { real(config, func, args, extra) };
        }
        // SAFETY: the program's configuration.
        let DriverConfig { grid, block, shared, stream } = unsafe { config.read() };
        launching!(func, grid, block, shared, stream, args, extra, real(config, func, args, extra))
    };
    cuLaunchCooperativeKernel(func: Object, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint, stream: Object, args: *const *const u8) -> Error,
    else MISSING, |real, func, gx, gy, gz, bx, by, bz, shared, stream, args| {
        let (grid, block) = (Dim3 { x: gx, y: gy, z: gz }, Dim3 { x: bx, y: by, z: bz });
        launching!(func, grid, block, shared, stream, args, real(func, gx, gy, gz, bx, by, bz, shared, stream, args))
    };
    cuLaunchCooperativeKernel_ptsz(func: Object, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint, stream: Object, args: *const *const u8) -> Error,
    else MISSING, |real, func, gx, gy, gz, bx, by, bz, shared, stream, args| {
        let (grid, block) = (Dim3 { x: gx, y: gy, z: gz }, Dim3 { x: bx, y: by, z: bz });
        launching!(func, grid, block, shared, stream, args, real(func, gx, gy, gz, bx, by, bz, shared, stream, args))
    };
    cudaMalloc(memory: *mut Object, bytes: usize) -> Error,
    else MISSING, |real, memory, bytes| {
        // SAFETY: the program's own call, passed on.
        note_memory(unsafe { real(memory, bytes) }, memory, bytes)
    };
    cudaMallocManaged(memory: *mut Object, bytes: usize, flags: c_uint) -> Error,
    else MISSING, |real, memory, bytes, flags| {
        // SAFETY: the program's own call, passed on.
        note_memory(unsafe { real(memory, bytes, flags) }, memory, bytes)
    };
    cudaMallocHost(memory: *mut Object, bytes: usize) -> Error,
    else MISSING, |real, memory, bytes| {
        // SAFETY: the program's own call, passed on.
        note_memory(unsafe { real(memory, bytes) }, memory, bytes)
    };
    cudaMallocAsync(memory: *mut Object, bytes: usize, stream: Object) -> Error,
    else MISSING, |real, memory, bytes, stream| {
        // SAFETY: the program's own call, passed on.
        note_memory(unsafe { real(memory, bytes, stream) }, memory, bytes)
    };
    cudaMallocPitch(memory: *mut Object, pitch: *mut usize, width: usize, height: usize) -> Error,
    else MISSING, |real, memory, pitch, width, height| {
        // SAFETY: the program's own call, passed on; where it succeeded there is a pitch.
        unsafe {
            let result = real(memory, pitch, width, height);
            let bytes = if result == SUCCESS { (*pitch).saturating_mul(height) } else { 0 };
            note_memory(result, memory, bytes)
        }
    };
    cudaFree(memory: Object) -> Error,
    else MISSING, |real, memory| {
        note_freed(memory as u64);
        // SAFETY: the program's own call, passed on.
        unsafe { real(memory) }
    };
    cudaFreeAsync(memory: Object, stream: Object) -> Error,
    else MISSING, |real, memory, stream| {
        note_freed(memory as u64);
        // SAFETY: the program's own call, passed on.
        unsafe { real(memory, stream) }
    };
    cudaFreeHost(memory: Object) -> Error,
    else MISSING, |real, memory| {
        note_freed(memory as u64);
        // SAFETY: the program's own call, passed on.
        unsafe { real(memory) }
    };
    cuMemAlloc_v2(memory: *mut Object, bytes: usize) -> Error,
    else MISSING, |real, memory, bytes| {
        // SAFETY: the program's own call, passed on.
        note_memory(unsafe { real(memory, bytes) }, memory, bytes)
    };
    cuMemAllocManaged(memory: *mut Object, bytes: usize, flags: c_uint) -> Error,
    else MISSING, |real, memory, bytes, flags| {
        // SAFETY: the program's own call, passed on.
        note_memory(unsafe { real(memory, bytes, flags) }, memory, bytes)
    };
    cuMemAllocAsync(memory: *mut Object, bytes: usize, stream: Object) -> Error,
    else MISSING, |real, memory, bytes, stream| {
        // SAFETY: the program's own call, passed on.
        note_memory(unsafe { real(memory, bytes, stream) }, memory, bytes)
    };
    cuMemAllocPitch_v2(memory: *mut Object, pitch: *mut usize, width: usize, height: usize, element: c_uint) -> Error,
    else MISSING, |real, memory, pitch, width, height, element| {
        // SAFETY: the program's own call, passed on; where it succeeded there is a pitch.
        unsafe {
            let result = real(memory, pitch, width, height, element);
            let bytes = if result == SUCCESS { (*pitch).saturating_mul(height) } else { 0 };
            note_memory(result, memory, bytes)
        }
    };
    cuMemFree_v2(memory: Object) -> Error,
    else MISSING, |real, memory| {
        note_freed(memory as u64);
        // SAFETY: the program's own call, passed on.
        unsafe { real(memory) }
    };
    cuMemFreeAsync(memory: Object, stream: Object) -> Error,
    else MISSING, |real, memory, stream| {
        note_freed(memory as u64);
        // SAFETY: the program's own call, passed on.
        unsafe { real(memory, stream) }
    };
    nvrtcCreateProgram(program: *mut Object, source: *const c_char, name: *const c_char, headers: c_int, texts: *const *const c_char, names: *const *const c_char) -> Error,
    else MISSING, |real, program, source, name, headers, texts, names| {
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(program, source, name, headers, texts, names) };
        if result == SUCCESS && headers == 0 {
            // SAFETY: the call succeeded, so there is a program.
            let program = unsafe { *program } as Handle;
            write(&Record::Source { program, text: text(source).into_bytes() });
        }
        result
    };
    nvrtcCompileProgram(program: Object, count: c_int, options: *const *const c_char) -> Error,
    else MISSING, |real, program, count, options| {
        // SAFETY: the program promises as many options.
        let words = (0..count.max(0) as usize).map(|at| text(unsafe { *options.add(at) }));
        let options = (options, words.collect::<Vec<_>>().join(" "));
        write(&Record::Build { program: program as Handle, options: options.1 });
        // SAFETY: the program's own call, passed on.
        unsafe { real(program, count, options.0) }
    };
}

/// Threads along each dimension.
pub(crate) fn threads(grid: Dim3, block: Dim3) -> [u64; 3] {
    let (grid, block) = (grid.sizes(), block.sizes());
    [grid[0] * block[0], grid[1] * block[1], grid[2] * block[2]]
}

fn note_kernel(kernel: Handle, name: String) {
    write(&Record::Kernel { kernel, program: 0, name: name.clone() });
    let mut guard = NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    guard.get_or_insert_with(HashMap::new).insert(kernel, name);
}

/// A handle that was returned stands for a kernel of this name.
fn note_named(result: Error, kernel: *mut Object, name: *const c_char) {
    if result == SUCCESS && !kernel.is_null() {
        // SAFETY: the call succeeded, so there is a handle.
        note_kernel(unsafe { *kernel } as Handle, text(name));
    }
}

/// A handle that was returned stands for a kernel that has another handle.
fn note_same(result: Error, kernel: *mut Object, other: Handle) {
    if let Some(name) = name_of(other)
        && result == SUCCESS
        && !kernel.is_null()
    {
        // SAFETY: the call succeeded, so there is a handle.
        note_kernel(unsafe { *kernel } as Handle, name);
    }
}

fn name_of(kernel: Handle) -> Option<String> {
    let guard = NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    guard.as_ref().and_then(|names| names.get(&kernel).cloned())
}

fn note_memory(result: Error, memory: *mut Object, bytes: usize) -> Error {
    if result == SUCCESS && !memory.is_null() {
        // SAFETY: the call succeeded, so there is an address.
        write(&Record::Shared { pointer: unsafe { *memory } as u64, bytes: bytes as u64 });
    }
    result
}

fn note_freed(pointer: u64) {
    if pointer != 0 {
        write(&Record::Freed { pointer });
    }
}

/// The arguments of a launch, as far as their sizes are known: by a list of pointers, or packed
/// into a buffer (`extra`).
///
/// # Safety
/// There are as many pointers as the kernel has parameters, or there is no list; what `extra`
/// names is there.
pub(crate) unsafe fn arguments(
    func: *const c_void,
    args: *const *const u8,
    extra: *const *const c_void,
) -> Option<Arguments> {
    let sizes = name_of(func as Handle).and_then(|name| sizes_of(&name));
    // The driver knows where each parameter lies, and the sizes alone do not tell that for what
    // comes behind a struct.
    let told = match sizes.is_none() || !extra.is_null() {
        true => parameters_by_driver(func),
        false => None,
    };
    let parameters = told.or_else(|| sizes.as_deref().map(parameters_by_size))?;
    // SAFETY: the caller's promise.
    unsafe {
        match (args.is_null(), extra.is_null()) {
            (false, _) => Some(listed(&parameters, args)),
            (true, false) => packed(&parameters, extra),
            (true, true) => parameters.is_empty().then(Vec::new),
        }
    }
}

/// What the driver says about a function, if it is one that can be asked.
fn parameters_by_driver(func: *const c_void) -> Option<Vec<Parameter>> {
    type Ask = unsafe extern "C" fn(*const c_void, usize, *mut usize, *mut usize) -> Error;
    // Only handles of the driver may be given to it; those of the runtime are addresses of code.
    name_of(func as Handle)?;
    let address = next(c"cuFuncGetParamInfo");
    if address == 0 || is_code(func) {
        return None;
    }
    // SAFETY: the function has this signature.
    let ask: Ask = unsafe { std::mem::transmute(address) };
    let mut all = vec![];
    let (mut offset, mut size) = (0, 0);
    // SAFETY: the handle is one that the driver gave, and there are places for the answers.
    while all.len() < MOST_PARAMETERS
        && unsafe { ask(func, all.len(), &mut offset, &mut size) } == SUCCESS
    {
        all.push(Parameter { offset: Some(offset), size: Some(size) });
    }
    Some(all)
}

/// Is it an address in the program or a library?
fn is_code(address: *const c_void) -> bool {
    // SAFETY: all zeros is a valid `Dl_info`; `dladdr` takes any address.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        libc::dladdr(address, &mut info) != 0
    }
}

fn text(pointer: *const c_char) -> String {
    match pointer.is_null() {
        true => String::new(),
        // SAFETY: texts of CUDA end with NUL.
        false => unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned(),
    }
}
