//! The functions that stand before CUDA's own for the nodes of graphs: a kernel node is a launch
//! that is written down when the node is added, and again when its parameters are changed. How
//! often the graph is launched does not matter: its nodes have the same arguments each time.
//!
//! A node is described by the parameters of a kernel, or (`cudaGraphAddNode` and its kin) by
//! parameters of any kind of node, of which those of kernels are looked at.

use std::ffi::{c_int, c_uint, c_void};

use crate::cuda::{
    Dim3, Error, MISSING, Object, SUCCESS, arguments, before, launching, next, threads,
};
use crate::place::Frames;
use crate::record::{Handle, Launch, Record};
use crate::writer::{write, write_launch_as};

/// The number of kernels among the kinds of nodes.
const KERNEL: c_int = 0;
/// The version of the runtime from which on `cudaGraphAddNode` takes data of edges too.
const WITH_EDGES: c_int = 13_000;

/// The beginning of `cudaKernelNodeParams` and of `cudaKernelNodeParamsV2`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct NodeParams {
    func: Object,
    grid: Dim3,
    block: Dim3,
    shared: c_uint,
    params: *const *const u8,
    extra: *const *const c_void,
}

/// The beginning of `CUDA_KERNEL_NODE_PARAMS_v2` and `_v3`: the same, and another handle of the
/// kernel, which counts where there is no function.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct DriverParams {
    node: NodeParams,
    kern: Object,
}

/// `cudaGraphNodeParams` and `CUgraphNodeParams`, as far as a kernel's go.
#[repr(C)]
pub struct AnyParams<Kernel> {
    kind: c_int,
    reserved: [c_int; 3],
    kernel: Kernel,
}

/// What a node launches.
trait Node: Copy {
    fn params(self) -> NodeParams;
}

impl Node for NodeParams {
    fn params(self) -> NodeParams {
        self
    }
}

impl Node for DriverParams {
    fn params(self) -> NodeParams {
        let func = if self.node.func.is_null() { self.kern } else { self.node.func };
        NodeParams { func, ..self.node }
    }
}

/// The parameters of a kernel node, if there are any.
fn kernel<Kernel: Node>(params: *const Kernel) -> Option<NodeParams> {
    // SAFETY: the program's parameters, or null.
    unsafe { params.as_ref() }.map(|params| params.params())
}

/// The parameters of a kernel among those of any node.
fn kernel_of_any<Kernel: Node>(params: *const AnyParams<Kernel>) -> Option<NodeParams> {
    if params.is_null() {
        return None;
    }
    // SAFETY: the program's parameters begin with their kind. They are as large as those of the
    // largest kind, so a kernel's are within.
    unsafe { ((*params).kind == KERNEL).then(|| (*params).kernel.params()) }
}

/// Does `cudaGraphAddNode` of this runtime take data of edges before the number of nodes?
fn takes_edges() -> bool {
    type Ask = unsafe extern "C" fn(*mut c_int) -> Error;
    let address = next(c"cudaRuntimeGetVersion");
    if address == 0 {
        return false;
    }
    // SAFETY: the function has this signature.
    let ask: Ask = unsafe { std::mem::transmute(address) };
    let mut version = 0;
    // SAFETY: there is a place for the answer.
    unsafe { ask(&mut version) == SUCCESS && version >= WITH_EDGES }
}

/// A call that adds or changes a node, of a kernel or not.
macro_rules! node {
    ($params:expr, $object:expr, $call:expr) => {
        match $params {
            Some(NodeParams { func, grid, block, shared, params, extra }) => {
                launching!(func, grid, block, shared, $object, params, extra, $call)
            }
            // SAFETY: the program's own call, passed on.
            None => unsafe { $call },
        }
    };
}

before! {
    cudaGraphAddKernelNode(node: *mut Object, graph: Object, before: *const Object, count: usize, params: *const NodeParams) -> Error,
    else MISSING, |real, node, graph, before, count, params| {
        node!(kernel(params), graph, real(node, graph, before, count, params))
    };
    cuGraphAddKernelNode_v2(node: *mut Object, graph: Object, before: *const Object, count: usize, params: *const DriverParams) -> Error,
    else MISSING, |real, node, graph, before, count, params| {
        node!(kernel(params), graph, real(node, graph, before, count, params))
    };
    cudaGraphKernelNodeSetParams(node: Object, params: *const NodeParams) -> Error,
    else MISSING, |real, node, params| {
        node!(kernel(params), node, real(node, params))
    };
    cuGraphKernelNodeSetParams_v2(node: Object, params: *const DriverParams) -> Error,
    else MISSING, |real, node, params| {
        node!(kernel(params), node, real(node, params))
    };
    cudaGraphExecKernelNodeSetParams(exec: Object, node: Object, params: *const NodeParams) -> Error,
    else MISSING, |real, exec, node, params| {
        node!(kernel(params), node, real(exec, node, params))
    };
    cuGraphExecKernelNodeSetParams_v2(exec: Object, node: Object, params: *const DriverParams) -> Error,
    else MISSING, |real, exec, node, params| {
        node!(kernel(params), node, real(exec, node, params))
    };
    // Until CUDA 12 the fourth is the number of nodes, the fifth are the parameters, and what is
    // in the place of the sixth is of no meaning; it is passed on as it is. The places hold
    // integers and pointers alike, which are registers on all machines that CUDA runs on.
    cudaGraphAddNode(node: *mut Object, graph: Object, before: *const Object, fourth: usize, fifth: usize, sixth: usize) -> Error,
    else MISSING, |real, node, graph, before, fourth, fifth, sixth| {
        let params = if takes_edges() { sixth } else { fifth } as *const AnyParams<NodeParams>;
        node!(kernel_of_any(params), graph, real(node, graph, before, fourth, fifth, sixth))
    };
    cudaGraphAddNode_v2(node: *mut Object, graph: Object, before: *const Object, edges: *const c_void, count: usize, params: *const AnyParams<NodeParams>) -> Error,
    else MISSING, |real, node, graph, before, edges, count, params| {
        node!(kernel_of_any(params), graph, real(node, graph, before, edges, count, params))
    };
    cuGraphAddNode(node: *mut Object, graph: Object, before: *const Object, count: usize, params: *const AnyParams<DriverParams>) -> Error,
    else MISSING, |real, node, graph, before, count, params| {
        node!(kernel_of_any(params), graph, real(node, graph, before, count, params))
    };
    cuGraphAddNode_v2(node: *mut Object, graph: Object, before: *const Object, edges: *const c_void, count: usize, params: *const AnyParams<DriverParams>) -> Error,
    else MISSING, |real, node, graph, before, edges, count, params| {
        node!(kernel_of_any(params), graph, real(node, graph, before, edges, count, params))
    };
    cudaGraphNodeSetParams(node: Object, params: *const AnyParams<NodeParams>) -> Error,
    else MISSING, |real, node, params| {
        node!(kernel_of_any(params), node, real(node, params))
    };
    cuGraphNodeSetParams(node: Object, params: *const AnyParams<DriverParams>) -> Error,
    else MISSING, |real, node, params| {
        node!(kernel_of_any(params), node, real(node, params))
    };
    cudaGraphExecNodeSetParams(exec: Object, node: Object, params: *const AnyParams<NodeParams>) -> Error,
    else MISSING, |real, exec, node, params| {
        node!(kernel_of_any(params), node, real(exec, node, params))
    };
    cuGraphExecNodeSetParams(exec: Object, node: Object, params: *const AnyParams<DriverParams>) -> Error,
    else MISSING, |real, exec, node, params| {
        node!(kernel_of_any(params), node, real(exec, node, params))
    };
}
