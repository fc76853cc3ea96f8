//! The functions that stand before OpenCL's own. Each calls the one behind it with the same
//! arguments, returns what that returns, and writes down what was done.
//!
//! Behind them is the table that the ICD loader gives its layers (`clInitLayer`); where the
//! library is preloaded, the next library that has the function. The entry points of that
//! name are thin: the table must hold functions of this library, and the name of an
//! exported function may mean another library's.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::place::Frames;
use crate::record::{Handle, Launch, Record};
use crate::writer::{write, write_argument, write_launch};

type Int = c_int;
type Object = *mut c_void;

/// Functions that the table may have.
const MOST_ENTRIES: usize = 256;
const SUCCESS: Int = 0;
/// `CL_INVALID_VALUE`, `CL_INVALID_OPERATION`.
const INVALID_VALUE: Int = -30;
const INVALID_OPERATION: Int = -59;
/// `CL_KERNEL_FUNCTION_NAME`, `CL_MEM_USE_HOST_PTR`, `CL_BUFFER_CREATE_TYPE_REGION`.
const KERNEL_FUNCTION_NAME: c_uint = 0x1190;
const MEM_USE_HOST_PTR: u64 = 1 << 3;
const BUFFER_CREATE_TYPE_REGION: c_uint = 0x1220;

/// The functions behind, by their place in the table.
static BEHIND: [AtomicUsize; MOST_ENTRIES] = [const { AtomicUsize::new(0) }; MOST_ENTRIES];
/// The table of this layer.
static OURS: [AtomicUsize; MOST_ENTRIES] = [const { AtomicUsize::new(0) }; MOST_ENTRIES];

/// The function behind; 0 if there is none.
fn behind(entry: usize, name: &CStr) -> usize {
    match BEHIND[entry].load(Ordering::Acquire) {
        0 => {
            // SAFETY: the name is a text that ends with NUL.
            let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) } as usize;
            BEHIND[entry].store(found, Ordering::Release);
            found
        }
        found => found,
    }
}

/// Defines for each function what stands before it: the exported name, and the call of the
/// one behind as `real` in a body that is not exported.
macro_rules! before {
    ($($entry:literal $name:ident / $own:ident ($($arg:ident: $ty:ty),*) -> $result:ty,
       else $missing:expr, $body:expr;)*) => {
        $(
            // Never inlined: the compiler makes one function of two that are equal, and the
            // table would then hold the exported one, which may be the loader's own.
            #[inline(never)]
            unsafe extern "C" fn $own($($arg: $ty),*) -> $result {
                let name = concat!(stringify!($name), "\0");
                let name = CStr::from_bytes_with_nul(name.as_bytes()).unwrap_or_default();
                let address = behind($entry, name);
                if address == 0 {
                    return $missing;
                }
                // SAFETY: the function behind the name has OpenCL's signature.
                let real: unsafe extern "C" fn($($ty),*) -> $result =
                    unsafe { std::mem::transmute(address) };
                let body: fn(unsafe extern "C" fn($($ty),*) -> $result, $($ty),*) -> $result = $body;
                body(real, $($arg),*)
            }

            /// OpenCL's function of this name, with a record of the call.
            ///
            /// # Safety
            /// As OpenCL says.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> $result {
                // SAFETY: the caller's promise.
                unsafe { $own($($arg),*) }
            }
        )*

        /// Puts our functions into the layer's table.
        fn fill_table() {
            $( OURS[$entry].store($own as *const () as usize, Ordering::Release); )*
        }
    };
}

before! {
    14 clCreateBuffer / create_buffer (context: Object, flags: u64, size: usize, host: Object, error: *mut Int) -> Object,
    else missing_object(error), |real, context, flags, size, host, error| {
        // SAFETY: the program's own call, passed on.
        let buffer = unsafe { real(context, flags, size, host, error) };
        note_buffer(buffer, flags, size, host);
        buffer
    };
    146 clCreateBufferWithProperties / create_buffer_with_properties (context: Object, properties: *const u64, flags: u64, size: usize, host: Object, error: *mut Int) -> Object,
    else missing_object(error), |real, context, properties, flags, size, host, error| {
        // SAFETY: the program's own call, passed on.
        let buffer = unsafe { real(context, properties, flags, size, host, error) };
        note_buffer(buffer, flags, size, host);
        buffer
    };
    82 clCreateSubBuffer / create_sub_buffer (of: Object, flags: u64, kind: c_uint, region: *const [usize; 2], error: *mut Int) -> Object,
    else missing_object(error), |real, of, flags, kind, region, error| {
        // SAFETY: the program's own call, passed on; where it succeeded the region is one.
        let (buffer, region) = unsafe {
            let buffer = real(of, flags, kind, region, error);
            let is_region = !buffer.is_null() && kind == BUFFER_CREATE_TYPE_REGION;
            (buffer, is_region.then(|| *region))
        };
        if let Some([origin, bytes]) = region {
            let (buffer, of) = (buffer as Handle, of as Handle);
            write(&Record::SubBuffer { buffer, of, origin: origin as u64, bytes: bytes as u64 });
        }
        buffer
    };
    126 clSVMAlloc / svm_alloc (context: Object, flags: u64, size: usize, alignment: c_uint) -> Object,
    else std::ptr::null_mut(), |real, context, flags, size, alignment| {
        // SAFETY: the program's own call, passed on.
        let memory = unsafe { real(context, flags, size, alignment) };
        if !memory.is_null() {
            write(&Record::Shared { pointer: memory as u64, bytes: size as u64 });
        }
        memory
    };
    26 clCreateProgramWithSource / create_program_with_source (context: Object, count: c_uint, texts: *const *const c_char, lengths: *const usize, error: *mut Int) -> Object,
    else missing_object(error), |real, context, count, texts, lengths, error| {
        // SAFETY: the program's own call, passed on.
        let program = unsafe { real(context, count, texts, lengths, error) };
        if !program.is_null() {
            // SAFETY: the call succeeded, so there are as many texts and lengths.
            let text = unsafe { joined(count as usize, texts, lengths) };
            write(&Record::Source { program: program as Handle, text });
        }
        program
    };
    27 clCreateProgramWithBinary / create_program_with_binary (context: Object, count: c_uint, devices: *const Object, lengths: *const usize, binaries: *const *const u8, status: *mut Int, error: *mut Int) -> Object,
    else missing_object(error), |real, context, count, devices, lengths, binaries, status, error| {
        // SAFETY: the program's own call, passed on.
        let program = unsafe { real(context, count, devices, lengths, binaries, status, error) };
        note_compiled(program, "a binary");
        program
    };
    138 clCreateProgramWithIL / create_program_with_il (context: Object, bytes: *const c_void, length: usize, error: *mut Int) -> Object,
    else missing_object(error), |real, context, bytes, length, error| {
        // SAFETY: the program's own call, passed on.
        let program = unsafe { real(context, bytes, length, error) };
        note_compiled(program, "an intermediate language");
        program
    };
    97 clCreateProgramWithBuiltInKernels / create_program_with_built_in_kernels (context: Object, count: c_uint, devices: *const Object, names: *const c_char, error: *mut Int) -> Object,
    else missing_object(error), |real, context, count, devices, names, error| {
        // SAFETY: the program's own call, passed on.
        let program = unsafe { real(context, count, devices, names, error) };
        note_compiled(program, "kernels of the device");
        program
    };
    30 clBuildProgram / build_program (program: Object, count: c_uint, devices: *const Object, options: *const c_char, notify: usize, data: Object) -> Int,
    else INVALID_OPERATION, |real, program, count, devices, options, notify, data| {
        // Before the call: a compiler may crash, and the options are why.
        write(&Record::Build { program: program as Handle, options: text(options) });
        // SAFETY: the program's own call, passed on.
        unsafe { real(program, count, devices, options, notify, data) }
    };
    98 clCompileProgram / compile_program (program: Object, count: c_uint, devices: *const Object, options: *const c_char, headers: c_uint, header_programs: *const Object, names: *const *const c_char, notify: usize, data: Object) -> Int,
    else INVALID_OPERATION, |real, program, count, devices, options, headers, header_programs, names, notify, data| {
        // SAFETY: the program promises as many headers and names.
        let header = |at: usize| unsafe { (text(*names.add(at)), *header_programs.add(at) as Handle) };
        let all = if header_programs.is_null() || names.is_null() { 0 } else { headers as usize };
        let found = (0..all).map(header).collect();
        write(&Record::Compile { program: program as Handle, options: text(options), headers: found });
        // SAFETY: the program's own call, passed on.
        unsafe { real(program, count, devices, options, headers, header_programs, names, notify, data) }
    };
    99 clLinkProgram / link_program (context: Object, count: c_uint, devices: *const Object, options: *const c_char, inputs: c_uint, programs: *const Object, notify: usize, data: Object, error: *mut Int) -> Object,
    else missing_object(error), |real, context, count, devices, options, inputs, programs, notify, data, error| {
        // SAFETY: the program's own call, passed on.
        let program = unsafe { real(context, count, devices, options, inputs, programs, notify, data, error) };
        if !program.is_null() {
            // SAFETY: the call succeeded, so there are as many programs.
            let input = |at: usize| unsafe { *programs.add(at) as Handle };
            let inputs = (0..inputs as usize).map(input).collect();
            write(&Record::Link { program: program as Handle, inputs });
        }
        program
    };
    34 clCreateKernel / create_kernel (program: Object, name: *const c_char, error: *mut Int) -> Object,
    else missing_object(error), |real, program, name, error| {
        // SAFETY: the program's own call, passed on.
        let kernel = unsafe { real(program, name, error) };
        if !kernel.is_null() {
            let (kernel, program, name) = (kernel as Handle, program as Handle, text(name));
            write(&Record::Kernel { kernel, program, name });
        }
        kernel
    };
    35 clCreateKernelsInProgram / create_kernels_in_program (program: Object, count: c_uint, kernels: *mut Object, made: *mut c_uint) -> Int,
    else INVALID_OPERATION, |real, program, count, kernels, made| {
        let mut own: c_uint = 0;
        let number = if made.is_null() { &raw mut own } else { made };
        // SAFETY: the program's own call, passed on, with a place for the count.
        let result = unsafe { real(program, count, kernels, number) };
        if result == SUCCESS && !kernels.is_null() {
            // SAFETY: the call succeeded, so so many kernels were written.
            let all = unsafe { (0..*number as usize).map(|at| *kernels.add(at)) };
            for kernel in all {
                let (kernel, program, name) = (kernel as Handle, program as Handle, kernel_name(kernel));
                write(&Record::Kernel { kernel, program, name });
            }
        }
        result
    };
    137 clCloneKernel / clone_kernel (from: Object, error: *mut Int) -> Object,
    else missing_object(error), |real, from, error| {
        // SAFETY: the program's own call, passed on.
        let kernel = unsafe { real(from, error) };
        if !kernel.is_null() {
            write(&Record::Clone { kernel: kernel as Handle, from: from as Handle });
        }
        kernel
    };
    38 clSetKernelArg / set_kernel_arg (kernel: Object, index: c_uint, size: usize, value: *const u8) -> Int,
    else INVALID_OPERATION, |real, kernel, index, size, value| {
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(kernel, index, size, value) };
        if result == SUCCESS {
            // SAFETY: the call succeeded, so the value has so many bytes.
            let bytes =
                (!value.is_null()).then(|| unsafe { std::slice::from_raw_parts(value, size) });
            write_argument(kernel as Handle, index, size as u64, bytes);
        }
        result
    };
    134 clSetKernelArgSVMPointer / set_kernel_arg_svm_pointer (kernel: Object, index: c_uint, pointer: *const c_void) -> Int,
    else INVALID_OPERATION, |real, kernel, index, pointer| {
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(kernel, index, pointer) };
        if result == SUCCESS {
            let (kernel, pointer) = (kernel as Handle, pointer as u64);
            write(&Record::SharedArgument { kernel, index, pointer });
        }
        result
    };
    59 clEnqueueNDRangeKernel / enqueue_nd_range_kernel (queue: Object, kernel: Object, dimensions: c_uint, offset: *const usize, global: *const usize, local: *const usize, waits: c_uint, events: *const Object, event: *mut Object) -> Int,
    else INVALID_OPERATION, |real, queue, kernel, dimensions, offset, global, local, waits, events, event| {
        // SAFETY: the program promises as many sizes as there are dimensions.
        let sizes = |pointer, other| unsafe { three(dimensions, pointer, other) };
        let launch = Launch {
            number: 0,
            kernel: kernel as Handle,
            queue: queue as Handle,
            dimensions,
            global: sizes(global, 1).unwrap_or([0; 3]),
            local: sizes(local, 1),
            offset: sizes(offset, 0).unwrap_or([0; 3]),
            frames: vec![],
        };
        let number = write_launch(launch, &Frames::here());
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(queue, kernel, dimensions, offset, global, local, waits, events, event) };
        note_refused(number, result);
        result
    };
    60 clEnqueueTask / enqueue_task (queue: Object, kernel: Object, waits: c_uint, events: *const Object, event: *mut Object) -> Int,
    else INVALID_OPERATION, |real, queue, kernel, waits, events, event| {
        let launch = Launch {
            number: 0,
            kernel: kernel as Handle,
            queue: queue as Handle,
            dimensions: 1,
            global: [1; 3],
            local: Some([1; 3]),
            offset: [0; 3],
            frames: vec![],
        };
        let number = write_launch(launch, &Frames::here());
        // SAFETY: the program's own call, passed on.
        let result = unsafe { real(queue, kernel, waits, events, event) };
        note_refused(number, result);
        result
    };
}

fn note_buffer(buffer: Object, flags: u64, size: usize, host: Object) {
    if !buffer.is_null() {
        let host = if flags & MEM_USE_HOST_PTR != 0 { host as u64 } else { 0 };
        write(&Record::Buffer { buffer: buffer as Handle, bytes: size as u64, host });
    }
}

fn note_compiled(program: Object, what: &str) {
    if !program.is_null() {
        write(&Record::Compiled { program: program as Handle, what: what.to_string() });
    }
}

fn note_refused(launch: u64, error: Int) {
    if error != SUCCESS {
        write(&Record::Refused { launch, error });
    }
}

/// What a function returns that OpenCL does not have.
fn missing_object(error: *mut Int) -> Object {
    if !error.is_null() {
        // SAFETY: the program gave a place for the error.
        unsafe { *error = INVALID_OPERATION };
    }
    std::ptr::null_mut()
}

fn text(pointer: *const c_char) -> String {
    match pointer.is_null() {
        true => String::new(),
        // SAFETY: texts of OpenCL end with NUL.
        false => unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned(),
    }
}

/// Sizes along three dimensions; `None` if the program gave none.
///
/// # Safety
/// The pointer is null or points to so many sizes.
unsafe fn three(dimensions: c_uint, sizes: *const usize, other: u64) -> Option<[u64; 3]> {
    if sizes.is_null() {
        return None;
    }
    let mut found = [other; 3];
    for (at, size) in found.iter_mut().enumerate().take(dimensions as usize) {
        // SAFETY: the caller's promise.
        *size = unsafe { *sizes.add(at) } as u64;
    }
    Some(found)
}

/// The texts of a program, one after the other.
///
/// # Safety
/// There are so many texts, and as many lengths if there are any.
unsafe fn joined(count: usize, texts: *const *const c_char, lengths: *const usize) -> Vec<u8> {
    let mut all = vec![];
    for at in 0..count {
        // SAFETY: the caller's promise; a length of 0 means that the text ends with NUL.
        unsafe {
            let text = *texts.add(at);
            match if lengths.is_null() { 0 } else { *lengths.add(at) } {
                0 => all.extend(CStr::from_ptr(text).to_bytes()),
                length => all.extend(std::slice::from_raw_parts(text.cast::<u8>(), length)),
            }
        }
    }
    all
}

/// The name of a kernel, as OpenCL knows it.
fn kernel_name(kernel: Object) -> String {
    type GetInfo = unsafe extern "C" fn(Object, c_uint, usize, *mut c_void, *mut usize) -> Int;
    let address = behind(39, c"clGetKernelInfo");
    if address == 0 {
        return String::new();
    }
    let mut name = [0u8; 4096];
    // SAFETY: the function has this signature, and the buffer has so many bytes.
    let result = unsafe {
        let get: GetInfo = std::mem::transmute(address);
        get(
            kernel,
            KERNEL_FUNCTION_NAME,
            name.len(),
            name.as_mut_ptr().cast(),
            std::ptr::null_mut(),
        )
    };
    let found = CStr::from_bytes_until_nul(&name).unwrap_or_default();
    if result == SUCCESS { found.to_string_lossy().into_owned() } else { String::new() }
}

/// What the ICD loader asks a layer: its version and its name.
///
/// # Safety
/// As the loader's interface says.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn clGetLayerInfo(
    what: c_uint,
    size: usize,
    value: *mut c_void,
    needed: *mut usize,
) -> Int {
    const API_VERSION: c_uint = 0x4240;
    const NAME: c_uint = 0x4241;
    let version = 100u32.to_ne_bytes();
    let answer: &[u8] = match what {
        API_VERSION => &version,
        NAME => b"duet\0",
        _ => return INVALID_VALUE,
    };
    if !value.is_null() && size < answer.len() {
        return INVALID_VALUE;
    }
    // SAFETY: the caller's pointers are null or valid, and there is room.
    unsafe {
        if !value.is_null() {
            std::ptr::copy_nonoverlapping(answer.as_ptr(), value.cast(), answer.len());
        }
        if !needed.is_null() {
            *needed = answer.len();
        }
    }
    SUCCESS
}

/// What the ICD loader calls to put the layer in its place.
///
/// # Safety
/// As the loader's interface says: the table has so many entries.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn clInitLayer(
    entries: c_uint,
    table: *const usize,
    entries_of_ours: *mut c_uint,
    ours: *mut *const usize,
) -> Int {
    if table.is_null() || entries_of_ours.is_null() || ours.is_null() {
        return INVALID_VALUE;
    }
    let count = (entries as usize).min(MOST_ENTRIES);
    fill_table();
    for at in 0..count {
        // SAFETY: the caller's promise.
        let target = unsafe { *table.add(at) };
        BEHIND[at].store(target, Ordering::Release);
        if OURS[at].load(Ordering::Acquire) == 0 || target == 0 {
            OURS[at].store(target, Ordering::Release);
        }
    }
    // SAFETY: the caller's pointers; the table lives as long as the library.
    unsafe {
        *entries_of_ours = count as c_uint;
        *ours = OURS.as_ptr().cast();
    }
    SUCCESS
}
