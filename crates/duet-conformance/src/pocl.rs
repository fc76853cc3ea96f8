//! Runs a case on PoCL.
//!
//! Every run builds the kernel and its buffers anew, so that runs share nothing
//! but PoCL's own cache of compiled kernels.

use std::sync::{Mutex, PoisonError};

use crate::buffers::Buffers;
use crate::case::{Arg, Case};
use crate::opencl::{ArgValue, Handle, OpenCl, OpenClError, Owned};

/// How kernels are built. The second option makes division and square root exact;
/// the third keeps parameter names, which are checked against the header's.
pub const BUILD_OPTIONS: &str =
    "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -cl-kernel-arg-info";

/// What PoCL calls its platform.
const PLATFORM: &str = "Portable Computing Language";

/// PoCL finds its devices at the first call and is not safe against two of them.
static OPENING: Mutex<()> = Mutex::new(());

/// Why a case could not be run.
#[derive(Debug, thiserror::Error)]
pub enum PoclError {
    /// OpenCL is installed, but not PoCL.
    #[error("PoCL is not installed: there is no platform `{PLATFORM}`")]
    NoPlatform,
    /// The runtime failed.
    #[error(transparent)]
    OpenCl(#[from] OpenClError),
    /// The header's buffers and scalars are not the kernel's parameters.
    #[error("{case}: the header names {header:?}, the kernel's parameters are {kernel:?}")]
    Parameters {
        /// The case's name.
        case: String,
        /// Names in the header.
        header: Vec<String>,
        /// Names in the kernel.
        kernel: Vec<String>,
    },
}

/// The PoCL platform and its devices.
///
/// With `POCL_DEVICES="basic pthread"` in the environment PoCL has two: the first
/// runs work-groups one after the other, the second spreads them over threads.
pub struct Pocl {
    opencl: OpenCl,
    devices: Vec<PoclDevice>,
}

/// One device of PoCL.
pub struct PoclDevice {
    /// Its name, such as `pthread-…`.
    pub name: String,
    id: Handle,
}

impl Pocl {
    /// Loads OpenCL and looks for PoCL.
    pub fn open() -> Result<Pocl, PoclError> {
        let _one_at_a_time = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
        let opencl = OpenCl::load()?;
        let platform = opencl.platforms()?.into_iter().find(|(_, name)| name == PLATFORM);
        let (platform, _) = platform.ok_or(PoclError::NoPlatform)?;
        let devices = opencl.devices(platform)?;
        let devices = devices.into_iter().map(|(id, name)| PoclDevice { name, id }).collect();
        Ok(Pocl { opencl, devices })
    }

    /// The devices; PoCL has at least one.
    pub fn devices(&self) -> &[PoclDevice] {
        &self.devices
    }

    /// Runs `case` on a device, from `initial` contents (usually
    /// [`Case::initial_buffers`]), and returns the contents after it.
    pub fn run(
        &self,
        device: &PoclDevice,
        case: &Case,
        initial: &Buffers,
    ) -> Result<Buffers, PoclError> {
        self.run_built_with(BUILD_OPTIONS, device, case, initial)
    }

    /// The same with other options for the compiler; they need `-cl-kernel-arg-info`.
    pub fn run_built_with(
        &self,
        options: &str,
        device: &PoclDevice,
        case: &Case,
        initial: &Buffers,
    ) -> Result<Buffers, PoclError> {
        let cl = &self.opencl;
        let context = cl.create_context(device.id)?;
        let queue = cl.create_queue(&context, device.id)?;
        let program = cl.build(&context, device.id, &case.source, options)?;
        let kernel = cl.create_kernel(&program, &case.kernel)?;
        check_parameters(case, cl.parameter_names(&kernel)?)?;
        let memory: Result<Vec<Owned>, OpenClError> =
            initial.0.iter().map(|buffer| cl.create_buffer(&context, &buffer.bytes)).collect();
        let memory = memory?;
        self.set_args(case, &kernel, &memory)?;
        self.launch(case, &queue, &kernel)?;
        let mut result = initial.clone();
        for (buffer, memory) in result.0.iter_mut().zip(&memory) {
            buffer.bytes = cl.read(&queue, memory, buffer.bytes.len())?;
        }
        Ok(result)
    }

    fn set_args(&self, case: &Case, kernel: &Owned, memory: &[Owned]) -> Result<(), OpenClError> {
        let mut memory = memory.iter();
        for (index, arg) in (0..).zip(&case.args) {
            let value = match arg {
                Arg::Buffer(_) => ArgValue::Memory(memory.next().expect("one for each buffer")),
                Arg::Local(local) => ArgValue::Local(local.bytes),
                Arg::Scalar(scalar) => ArgValue::Bytes(&scalar.bytes),
            };
            self.opencl.set_arg(kernel, index, &value)?;
        }
        Ok(())
    }

    fn launch(&self, case: &Case, queue: &Owned, kernel: &Owned) -> Result<(), OpenClError> {
        let rank = case.launch.dimensions;
        let (offset, global) = (case.launch.global_offset, case.launch.global_size());
        let local = case.launch.local_size;
        self.opencl.launch(queue, kernel, &offset[..rank], &global[..rank], &local[..rank])
    }
}

fn check_parameters(case: &Case, kernel: Vec<String>) -> Result<(), PoclError> {
    let header: Vec<String> = case.args.iter().map(|arg| arg.name().to_owned()).collect();
    if header == kernel {
        return Ok(());
    }
    Err(PoclError::Parameters { case: case.name.clone(), header, kernel })
}

/// Runs a case on PoCL's first device from its own initial buffers.
pub fn run_on_pocl(case: &Case) -> Result<Buffers, PoclError> {
    let pocl = Pocl::open()?;
    let device = pocl.devices().first().ok_or(PoclError::NoPlatform)?;
    pocl.run(device, case, &case.initial_buffers())
}
