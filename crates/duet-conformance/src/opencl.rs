//! The part of the OpenCL API that a test run needs, loaded at run time.
//!
//! Thin and safe: each function here is one OpenCL call with its error code
//! turned into a `Result`; handles are released when dropped. What to call in
//! which order is decided in `pocl`.

use std::ffi::{CString, c_char, c_void};
use std::ptr;

use libloading::Library;

/// An opaque object of the OpenCL runtime.
pub(crate) type Handle = *mut c_void;
type ReleaseFn = unsafe extern "C" fn(Handle) -> i32;
type Callback = *const c_void;

const DEVICE_TYPE_ALL: u64 = 0xffff_ffff;
const MEM_READ_WRITE_COPY: u64 = (1 << 0) | (1 << 5);
const PLATFORM_NAME: u32 = 0x0902;
const DEVICE_NAME: u32 = 0x102b;
const PROGRAM_BUILD_LOG: u32 = 0x1183;
const KERNEL_NUM_ARGS: u32 = 0x1191;
const KERNEL_ARG_NAME: u32 = 0x119a;
const BLOCKING: u32 = 1;

/// A failure of the OpenCL runtime.
#[derive(Debug, thiserror::Error)]
pub enum OpenClError {
    /// There is no OpenCL library, or it lacks a function.
    #[error("cannot load the OpenCL library (install an ICD loader and PoCL): {0}")]
    Load(#[from] libloading::Error),
    /// A call failed.
    #[error("{call} failed with code {code}")]
    Call {
        /// The OpenCL function.
        call: &'static str,
        /// Its error code.
        code: i32,
    },
    /// The compiler rejected the kernel.
    #[error("the kernel does not build:\n{log}")]
    Build {
        /// The compiler's messages.
        log: String,
    },
}

fn check(call: &'static str, code: i32) -> Result<(), OpenClError> {
    if code == 0 { Ok(()) } else { Err(OpenClError::Call { call, code }) }
}

/// Declares the table of entry points and how to load it.
macro_rules! entry_points {
    ($($name:ident: fn($($arg:ty),*) -> $result:ty;)*) => {
        #[allow(non_snake_case, reason = "the names are OpenCL's")]
        struct EntryPoints { $($name: unsafe extern "C" fn($($arg),*) -> $result,)* }

        impl EntryPoints {
            fn load(library: &Library) -> Result<Self, libloading::Error> {
                // SAFETY: the signatures below are those of the OpenCL 1.2 headers.
                unsafe {
                    Ok(EntryPoints { $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)* })
                }
            }
        }
    };
}

entry_points! {
    clGetPlatformIDs: fn(u32, *mut Handle, *mut u32) -> i32;
    clGetPlatformInfo: fn(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clGetDeviceIDs: fn(Handle, u64, u32, *mut Handle, *mut u32) -> i32;
    clGetDeviceInfo: fn(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clCreateContext: fn(*const isize, u32, *const Handle, Callback, *mut c_void, *mut i32) -> Handle;
    clCreateCommandQueue: fn(Handle, Handle, u64, *mut i32) -> Handle;
    clCreateProgramWithSource: fn(Handle, u32, *const *const c_char, *const usize, *mut i32) -> Handle;
    clBuildProgram: fn(Handle, u32, *const Handle, *const c_char, Callback, *mut c_void) -> i32;
    clGetProgramBuildInfo: fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clCreateKernel: fn(Handle, *const c_char, *mut i32) -> Handle;
    clGetKernelInfo: fn(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clGetKernelArgInfo: fn(Handle, u32, u32, usize, *mut c_void, *mut usize) -> i32;
    clSetKernelArg: fn(Handle, u32, usize, *const c_void) -> i32;
    clCreateBuffer: fn(Handle, u64, usize, *mut c_void, *mut i32) -> Handle;
    clEnqueueNDRangeKernel: fn(Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle) -> i32;
    clEnqueueReadBuffer: fn(Handle, Handle, u32, usize, usize, *mut c_void, u32, *const Handle, *mut Handle) -> i32;
    clFinish: fn(Handle) -> i32;
    clReleaseContext: fn(Handle) -> i32;
    clReleaseCommandQueue: fn(Handle) -> i32;
    clReleaseProgram: fn(Handle) -> i32;
    clReleaseKernel: fn(Handle) -> i32;
    clReleaseMemObject: fn(Handle) -> i32;
}

/// The loaded library.
pub(crate) struct OpenCl {
    entry: EntryPoints,
    /// Keeps the entry points valid.
    _library: Library,
}

/// A handle that is released when dropped.
pub(crate) struct Owned {
    handle: Handle,
    release: ReleaseFn,
}

impl Owned {
    fn new(
        call: &'static str,
        handle: Handle,
        code: i32,
        release: ReleaseFn,
    ) -> Result<Self, OpenClError> {
        check(call, code)?;
        Ok(Owned { handle, release })
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the handle came from the matching create call and is released
        // once. A failure to release has no remedy and does not affect results.
        unsafe { (self.release)(self.handle) };
    }
}

/// The value of one argument.
pub(crate) enum ArgValue<'a> {
    Memory(&'a Owned),
    Local(usize),
    Bytes(&'a [u8]),
}

impl OpenCl {
    pub(crate) fn load() -> Result<Self, OpenClError> {
        // SAFETY: loading the ICD loader runs its initialisers, which are meant
        // to be run in any program.
        let library = unsafe { Library::new("libOpenCL.so.1") }?;
        Ok(OpenCl { entry: EntryPoints::load(&library)?, _library: library })
    }

    /// The platforms with their names.
    pub(crate) fn platforms(&self) -> Result<Vec<(Handle, String)>, OpenClError> {
        let mut count = 0;
        // SAFETY: asks for the count only.
        check("clGetPlatformIDs", unsafe {
            (self.entry.clGetPlatformIDs)(0, ptr::null_mut(), &mut count)
        })?;
        let mut ids = vec![ptr::null_mut(); count as usize];
        // SAFETY: `ids` has room for `count` handles.
        check("clGetPlatformIDs", unsafe {
            (self.entry.clGetPlatformIDs)(count, ids.as_mut_ptr(), ptr::null_mut())
        })?;
        let named = ids.into_iter().map(|id| {
            let name = read_text("clGetPlatformInfo", |size, data, needed| {
                // SAFETY: `data` has room for `size` bytes.
                unsafe { (self.entry.clGetPlatformInfo)(id, PLATFORM_NAME, size, data, needed) }
            })?;
            Ok((id, name))
        });
        named.collect()
    }

    /// The devices of a platform with their names.
    pub(crate) fn devices(&self, platform: Handle) -> Result<Vec<(Handle, String)>, OpenClError> {
        let mut ids = [ptr::null_mut(); 16];
        let mut count = 0;
        // SAFETY: `ids` has room for 16 handles.
        let code = unsafe {
            (self.entry.clGetDeviceIDs)(platform, DEVICE_TYPE_ALL, 16, ids.as_mut_ptr(), &mut count)
        };
        check("clGetDeviceIDs", code)?;
        let named = ids.into_iter().take(count as usize).map(|id| {
            let name = read_text("clGetDeviceInfo", |size, data, needed| {
                // SAFETY: `data` has room for `size` bytes.
                unsafe { (self.entry.clGetDeviceInfo)(id, DEVICE_NAME, size, data, needed) }
            })?;
            Ok((id, name))
        });
        named.collect()
    }

    pub(crate) fn create_context(&self, device: Handle) -> Result<Owned, OpenClError> {
        let mut code = 0;
        // SAFETY: one device, no properties, no callback.
        let handle = unsafe {
            (self.entry.clCreateContext)(
                ptr::null(),
                1,
                &device,
                ptr::null(),
                ptr::null_mut(),
                &mut code,
            )
        };
        Owned::new("clCreateContext", handle, code, self.entry.clReleaseContext)
    }

    pub(crate) fn create_queue(
        &self,
        context: &Owned,
        device: Handle,
    ) -> Result<Owned, OpenClError> {
        let mut code = 0;
        // SAFETY: the context was made for this device.
        let handle =
            unsafe { (self.entry.clCreateCommandQueue)(context.handle, device, 0, &mut code) };
        Owned::new("clCreateCommandQueue", handle, code, self.entry.clReleaseCommandQueue)
    }

    /// A buffer that starts with these contents.
    pub(crate) fn create_buffer(
        &self,
        context: &Owned,
        bytes: &[u8],
    ) -> Result<Owned, OpenClError> {
        let mut code = 0;
        let data = bytes.as_ptr().cast_mut().cast();
        // SAFETY: the bytes are copied during the call and not written.
        let handle = unsafe {
            (self.entry.clCreateBuffer)(
                context.handle,
                MEM_READ_WRITE_COPY,
                bytes.len(),
                data,
                &mut code,
            )
        };
        Owned::new("clCreateBuffer", handle, code, self.entry.clReleaseMemObject)
    }

    /// Compiles and links `source`.
    pub(crate) fn build(
        &self,
        context: &Owned,
        device: Handle,
        source: &str,
        options: &str,
    ) -> Result<Owned, OpenClError> {
        let mut code = 0;
        let (text, length) = (source.as_ptr().cast(), source.len());
        // SAFETY: one string of the given length, copied during the call.
        let handle = unsafe {
            (self.entry.clCreateProgramWithSource)(context.handle, 1, &text, &length, &mut code)
        };
        let release = self.entry.clReleaseProgram;
        let program = Owned::new("clCreateProgramWithSource", handle, code, release)?;
        let options = c_string(options);
        // SAFETY: no callback, so the call returns when the build is done.
        let code = unsafe {
            (self.entry.clBuildProgram)(
                handle,
                1,
                &device,
                options.as_ptr(),
                ptr::null(),
                ptr::null_mut(),
            )
        };
        if code != 0 {
            let log = read_text("clGetProgramBuildInfo", |size, data, needed| {
                // SAFETY: `data` has room for `size` bytes.
                unsafe {
                    (self.entry.clGetProgramBuildInfo)(
                        handle,
                        device,
                        PROGRAM_BUILD_LOG,
                        size,
                        data,
                        needed,
                    )
                }
            })?;
            return Err(OpenClError::Build { log });
        }
        Ok(program)
    }

    pub(crate) fn create_kernel(&self, program: &Owned, name: &str) -> Result<Owned, OpenClError> {
        let mut code = 0;
        // SAFETY: the name ends in a zero byte.
        let handle = unsafe {
            (self.entry.clCreateKernel)(program.handle, c_string(name).as_ptr(), &mut code)
        };
        Owned::new("clCreateKernel", handle, code, self.entry.clReleaseKernel)
    }

    /// The names of the kernel's parameters (built with `-cl-kernel-arg-info`).
    pub(crate) fn parameter_names(&self, kernel: &Owned) -> Result<Vec<String>, OpenClError> {
        let mut count: u32 = 0;
        let out = (&raw mut count).cast();
        // SAFETY: the answer is one 32-bit number.
        let code = unsafe {
            (self.entry.clGetKernelInfo)(kernel.handle, KERNEL_NUM_ARGS, 4, out, ptr::null_mut())
        };
        check("clGetKernelInfo", code)?;
        let name = |index| {
            read_text("clGetKernelArgInfo", |size, data, needed| {
                // SAFETY: `data` has room for `size` bytes.
                unsafe {
                    (self.entry.clGetKernelArgInfo)(
                        kernel.handle,
                        index,
                        KERNEL_ARG_NAME,
                        size,
                        data,
                        needed,
                    )
                }
            })
        };
        (0..count).map(name).collect()
    }

    pub(crate) fn set_arg(
        &self,
        kernel: &Owned,
        index: u32,
        value: &ArgValue<'_>,
    ) -> Result<(), OpenClError> {
        let (size, data): (usize, *const c_void) = match value {
            ArgValue::Memory(memory) => (size_of::<Handle>(), (&raw const memory.handle).cast()),
            ArgValue::Local(bytes) => (*bytes, ptr::null()),
            ArgValue::Bytes(bytes) => (bytes.len(), bytes.as_ptr().cast()),
        };
        // SAFETY: `data` points to `size` bytes, or is null for local memory.
        check("clSetKernelArg", unsafe {
            (self.entry.clSetKernelArg)(kernel.handle, index, size, data)
        })
    }

    /// Runs the kernel and waits for its end.
    pub(crate) fn launch(
        &self,
        queue: &Owned,
        kernel: &Owned,
        offset: &[usize],
        global: &[usize],
        local: &[usize],
    ) -> Result<(), OpenClError> {
        assert!(offset.len() == global.len() && global.len() == local.len(), "one rank");
        // SAFETY: the three lists have the same length, which is the rank given.
        let code = unsafe {
            (self.entry.clEnqueueNDRangeKernel)(
                queue.handle,
                kernel.handle,
                global.len() as u32,
                offset.as_ptr(),
                global.as_ptr(),
                local.as_ptr(),
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueNDRangeKernel", code)?;
        // SAFETY: a valid queue.
        check("clFinish", unsafe { (self.entry.clFinish)(queue.handle) })
    }

    /// The first `size` bytes of a buffer.
    pub(crate) fn read(
        &self,
        queue: &Owned,
        buffer: &Owned,
        size: usize,
    ) -> Result<Vec<u8>, OpenClError> {
        let mut bytes = vec![0; size];
        let data = bytes.as_mut_ptr().cast();
        // SAFETY: `bytes` has room for `size` bytes and the read is blocking.
        let code = unsafe {
            (self.entry.clEnqueueReadBuffer)(
                queue.handle,
                buffer.handle,
                BLOCKING,
                0,
                size,
                data,
                0,
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clEnqueueReadBuffer", code)?;
        Ok(bytes)
    }
}

/// Asks for the length of a text, then for the text.
fn read_text(
    call: &'static str,
    query: impl Fn(usize, *mut c_void, *mut usize) -> i32,
) -> Result<String, OpenClError> {
    let mut size = 0;
    check(call, query(0, ptr::null_mut(), &mut size))?;
    let mut bytes = vec![0_u8; size];
    check(call, query(size, bytes.as_mut_ptr().cast(), ptr::null_mut()))?;
    Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned())
}

fn c_string(text: &str) -> CString {
    CString::new(text).expect("no zero byte in names and options")
}
