//! Graphs: captured from streams or made node by node, instantiated, launched.

use super::{api, check, give, volumes::Copy};
use crate::{
    call::{Arguments, Configuration, Dim3},
    error::{ErrorCode, Failure, Status, failure},
    graphs::{CudaGraph, Executable, HostFunction, NodeAction},
    host,
    runtime::{Runtime, enter},
};
use libc::{c_char, c_int, c_uint, c_ulonglong, c_void};
use std::sync::Arc;

/// `cudaMemcpyHostToDevice`.
const HOST_TO_DEVICE: c_int = 1;
/// `cudaStreamCaptureStatusActive`.
const ACTIVE: c_int = 1;

/// `cudaKernelNodeParams`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct KernelNode {
    function: *mut c_void,
    grid: Dim3,
    block: Dim3,
    shared: c_uint,
    arguments: *mut *mut c_void,
    extra: *mut *mut c_void,
}

/// `cudaMemsetParams`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MemsetNode {
    to: *mut c_void,
    pitch: usize,
    value: c_uint,
    element_bytes: c_uint,
    width: usize,
    height: usize,
}

/// `cudaHostNodeParams`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HostNode {
    function: Option<HostFunction>,
    data: *mut c_void,
}

/// Parameters with pointers of the program's, which the runtime only hands on. Closures take it as a whole: its fields
/// alone could not go to another thread.
struct HeldGraphs<T>(T);

// SAFETY: what the pointers point to is looked at in calls of the program only, one at a time.
unsafe impl<T> Send for HeldGraphs<T> {}
// SAFETY: the same.
unsafe impl<T> Sync for HeldGraphs<T> {}

impl Runtime {
    /// Adds a node to a graph, behind `count` others.
    fn add_node(
        &mut self,
        node: *mut *mut c_void,
        graph: *mut c_void,
        (others, count): (*const *mut c_void, usize),
        step: NodeAction,
    ) -> Result<(), Failure> {
        check(node)?;
        let behind = nodes_at(others, count)?;
        let handle = self.handle();
        self.graph(graph)?.add(handle, Arc::new(step), &behind)?;
        // SAFETY: as in C.
        unsafe { give(node, handle as *mut c_void) }
    }

    fn kernel_step(&self, parameters: *const KernelNode) -> Result<NodeAction, Failure> {
        let node = host::read(parameters, "the parameters of the node")?;
        if !node.extra.is_null() {
            return failure(Status::NotSupported, "arguments by `extra`: give them by `kernelParams`");
        }
        let shared = node.shared as usize;
        let configuration = Configuration { grid: node.grid, block: node.block, shared, stream: 0, arguments: vec![] };
        // SAFETY: as in C.
        unsafe { self.launch_step(node.function as usize, &configuration, &Arguments::Pointers(node.arguments)) }
    }

    /// Fills rows with elements of several bytes.
    fn fill_elements(&mut self, node: &MemsetNode) -> Result<(), Failure> {
        let MemsetNode { to, pitch, value, element_bytes, width, height } = *node;
        let bytes = element_bytes as usize;
        if !matches!(bytes, 1 | 2 | 4) {
            return failure(Status::InvalidValue, format!("elements of {bytes} bytes; they have 1, 2 or 4"));
        }
        let row = value.to_le_bytes()[..bytes].repeat(width);
        for y in 0..height {
            let to = to.cast::<u8>().wrapping_add(y * pitch).cast();
            // SAFETY: the row is ours.
            unsafe { self.copy(to, row.as_ptr().cast(), row.len(), HOST_TO_DEVICE)? };
        }
        Ok(())
    }
}

/// Handles of nodes.
fn nodes_at(others: *const *mut c_void, count: usize) -> Result<Vec<usize>, Failure> {
    (0..count).map(|i| Ok(host::read(others.wrapping_add(i), "dependencies")? as usize)).collect()
}

api! {
    /// What the stream is asked for from now on is kept for a graph.
    fn cudaStreamBeginCapture(stream: *mut c_void, _mode: c_int) |runtime| {
        runtime.stream(stream)?;
        if (stream as usize) < 2 {
            return failure(Status::StreamCaptureUnsupported, "the default stream cannot be captured: create one");
        }
        let graph = runtime.handle();
        runtime.graphs.insert(graph, CudaGraph::of_capture(stream as usize));
        runtime.captures.insert(stream as usize, graph);
        Ok(())
    }
    /// The graph of what was kept.
    fn cudaStreamEndCapture(stream: *mut c_void, graph: *mut *mut c_void) |runtime| {
        check(graph)?;
        let Some(&handle) = runtime.captures.get(&(stream as usize)) else {
            return failure(Status::StreamCaptureUnmatched, "the stream is not captured");
        };
        if runtime.graph(handle as *mut c_void)?.origin != Some(stream as usize) {
            return failure(Status::StreamCaptureUnmatched, "the capture has begun with another stream");
        }
        runtime.captures.retain(|_, of| *of != handle);
        runtime.captured_events.retain(|_, of| *of != handle);
        // SAFETY: as in C.
        unsafe { give(graph, handle as *mut c_void) }
    }
    /// Whether a stream is captured.
    fn cudaStreamIsCapturing(stream: *mut c_void, status: *mut c_int) |runtime| {
        let captured = runtime.is_captured(stream as usize);
        if !captured { runtime.stream(stream)? }
        // SAFETY: as in C.
        unsafe { give(status, if captured { ACTIVE } else { 0 }) }
    }

    /// A graph without nodes.
    fn cudaGraphCreate(graph: *mut *mut c_void, flags: c_uint) |runtime| {
        if flags != 0 {
            return failure(Status::InvalidValue, format!("flags {flags:#x}: they have to be 0"));
        }
        check(graph)?;
        let handle = runtime.handle();
        runtime.graphs.insert(handle, Default::default());
        // SAFETY: as in C.
        unsafe { give(graph, handle as *mut c_void) }
    }
    /// No graph any more; what was instantiated from it stays.
    fn cudaGraphDestroy(graph: *mut c_void) |runtime| {
        runtime.graph(graph)?;
        runtime.graphs.remove(&(graph as usize));
        Ok(())
    }
    /// The same graph again; its nodes have the handles of the first.
    fn cudaGraphClone(clone: *mut *mut c_void, graph: *mut c_void) |runtime| {
        check(clone)?;
        let (same, handle) = (runtime.graph(graph)?.clone(), runtime.handle());
        runtime.graphs.insert(handle, same);
        // SAFETY: as in C.
        unsafe { give(clone, handle as *mut c_void) }
    }
    /// Handles of the nodes, or how many there are.
    fn cudaGraphGetNodes(graph: *mut c_void, nodes: *mut *mut c_void, count: *mut usize) |runtime| {
        let all: Vec<usize> = runtime.graph(graph)?.nodes().collect();
        let room = if nodes.is_null() { 0 } else { host::read(count, "the number of nodes")? };
        for (i, node) in all.iter().take(room).enumerate() {
            // SAFETY: as in C.
            unsafe { give(nodes.wrapping_add(i), *node as *mut c_void)? };
        }
        // SAFETY: as in C.
        unsafe { give(count, if nodes.is_null() { all.len() } else { all.len().min(room) }) }
    }
    /// Nodes wait for others.
    fn cudaGraphAddDependencies(graph: *mut c_void, before: *const *mut c_void, after: *const *mut c_void, count: usize) |runtime| {
        let (before, after) = (nodes_at(before, count)?, nodes_at(after, count)?);
        let graph = runtime.graph(graph)?;
        before.into_iter().zip(after).try_for_each(|(before, after)| graph.connect(before, after))
    }
    /// A launch.
    fn cudaGraphAddKernelNode(node: *mut *mut c_void, graph: *mut c_void, others: *const *mut c_void, count: usize, parameters: *const KernelNode) |runtime| {
        runtime.session()?;
        let step = runtime.kernel_step(parameters)?;
        runtime.add_node(node, graph, (others, count), step)
    }
    /// A copy.
    fn cudaGraphAddMemcpyNode(node: *mut *mut c_void, graph: *mut c_void, others: *const *mut c_void, count: usize, copy: *const Copy) |runtime| {
        let held = HeldGraphs(host::read(copy, "the parameters of the copy")?);
        let step = NodeAction::Device(Box::new(move |runtime| {
            let held = &held;
            // SAFETY: as in C.
            unsafe { runtime.copy_volume(&raw const held.0) }
        }));
        runtime.add_node(node, graph, (others, count), step)
    }
    /// A copy of bytes in a row.
    fn cudaGraphAddMemcpyNode1D(node: *mut *mut c_void, graph: *mut c_void, others: *const *mut c_void, count: usize, to: *mut c_void, from: *const c_void, bytes: usize, kind: c_int) |runtime| {
        let (to, from) = (to as usize, from as usize);
        // SAFETY: as in C.
        let step = NodeAction::Device(Box::new(move |runtime| unsafe { runtime.copy(to as *mut c_void, from as *const c_void, bytes, kind) }));
        runtime.add_node(node, graph, (others, count), step)
    }
    /// Memory filled with a value.
    fn cudaGraphAddMemsetNode(node: *mut *mut c_void, graph: *mut c_void, others: *const *mut c_void, count: usize, parameters: *const MemsetNode) |runtime| {
        let held = HeldGraphs(host::read(parameters, "the parameters of the node")?);
        let step = NodeAction::Device(Box::new(move |runtime| {
            let held = &held;
            runtime.fill_elements(&held.0)
        }));
        runtime.add_node(node, graph, (others, count), step)
    }
    /// A function of the program's.
    fn cudaGraphAddHostNode(node: *mut *mut c_void, graph: *mut c_void, others: *const *mut c_void, count: usize, parameters: *const HostNode) |runtime| {
        let HostNode { function, data } = host::read(parameters, "the parameters of the node")?;
        let Some(function) = function else { return failure(Status::InvalidValue, "the function is a null pointer") };
        runtime.add_node(node, graph, (others, count), NodeAction::Host(function, data as usize))
    }
    /// A node for others to wait for.
    fn cudaGraphAddEmptyNode(node: *mut *mut c_void, graph: *mut c_void, others: *const *mut c_void, count: usize) |runtime| {
        runtime.add_node(node, graph, (others, count), NodeAction::Graph(vec![]))
    }
    /// All nodes of another graph, as it is now.
    fn cudaGraphAddChildGraphNode(node: *mut *mut c_void, graph: *mut c_void, others: *const *mut c_void, count: usize, child: *mut c_void) |runtime| {
        let steps = runtime.graph(child)?.executable()?.steps();
        runtime.add_node(node, graph, (others, count), NodeAction::Graph(steps))
    }
    /// Another launch for a node of a graph.
    fn cudaGraphKernelNodeSetParams(node: *mut c_void, parameters: *const KernelNode) |runtime| {
        let step = Arc::new(runtime.kernel_step(parameters)?);
        match runtime.graphs.values_mut().any(|graph| graph.replace(node as usize, &step)) {
            true => Ok(()),
            false => failure(Status::InvalidValue, "no such node"),
        }
    }

    /// A graph to be launched.
    fn cudaGraphInstantiate(executable: *mut *mut c_void, graph: *mut c_void, _node: *mut *mut c_void, _log: *mut c_char, _bytes: usize) |runtime| {
        runtime.instantiate(executable, graph)
    }
    /// The same with flags, which are for memory that graphs allocate.
    fn cudaGraphInstantiateWithFlags(executable: *mut *mut c_void, graph: *mut c_void, _flags: c_ulonglong) |runtime| {
        runtime.instantiate(executable, graph)
    }
    /// It is there already.
    fn cudaGraphUpload(executable: *mut c_void, stream: *mut c_void) |runtime| {
        runtime.stream(stream)?;
        runtime.executable(executable).map(drop)
    }
    /// Another launch for a node of a graph that is launched from now on.
    fn cudaGraphExecKernelNodeSetParams(executable: *mut c_void, node: *mut c_void, parameters: *const KernelNode) |runtime| {
        let step = Arc::new(runtime.kernel_step(parameters)?);
        match runtime.executable(executable)?.replace(node as usize, &step) {
            true => Ok(()),
            false => failure(Status::InvalidValue, "no such node"),
        }
    }
    /// What a graph does now is launched from now on, if its nodes are as many as before.
    fn cudaGraphExecUpdate(executable: *mut c_void, graph: *mut c_void, node: *mut *mut c_void, result: *mut c_int) |runtime| {
        check(result)?;
        let made = runtime.graph(graph)?.executable()?;
        let known = runtime.executable(executable)?;
        let same = known.steps().len() == made.steps().len();
        // SAFETY: as in C.
        unsafe {
            give(result, if same { 0 } else { TOPOLOGY_CHANGED })?;
            if !node.is_null() {
                give(node, std::ptr::null_mut())?;
            }
        }
        if !same {
            return failure(Status::GraphExecUpdateFailure, "the graph has another number of nodes");
        }
        *known = made;
        Ok(())
    }
    /// It is launched no more.
    fn cudaGraphExecDestroy(executable: *mut c_void) |runtime| {
        runtime.executable(executable)?;
        runtime.executables.remove(&(executable as usize));
        Ok(())
    }
}

/// `cudaGraphExecUpdateErrorTopologyChanged`.
const TOPOLOGY_CHANGED: c_int = 2;

impl Runtime {
    fn instantiate(&mut self, executable: *mut *mut c_void, graph: *mut c_void) -> Result<(), Failure> {
        check(executable)?;
        let (made, handle) = (self.graph(graph)?.executable()?, self.handle());
        self.executables.insert(handle, made);
        // SAFETY: as in C.
        unsafe { give(executable, handle as *mut c_void) }
    }

    fn executable(&mut self, executable: *mut c_void) -> Result<&mut Executable, Failure> {
        match self.executables.get_mut(&(executable as usize)) {
            Some(executable) => Ok(executable),
            None => failure(Status::InvalidValue, "no such instantiated graph"),
        }
    }
}

/// Does what the nodes of a graph do. In a captured stream all of them become a node.
///
/// # Safety
/// As in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaGraphLaunch(executable: *mut c_void, stream: *mut c_void) -> ErrorCode {
    let mut steps = vec![];
    let found = enter("cudaGraphLaunch", |runtime| {
        let all = runtime.executable(executable)?.steps();
        if runtime.is_captured(stream as usize) {
            return runtime.keep(stream as usize, NodeAction::Graph(all));
        }
        runtime.stream(stream)?;
        steps = all;
        Ok(())
    });
    if found == 0 { run(&steps) } else { found }
}

/// Functions of the program's are called outside of the lock: they may ask for everything.
fn run(steps: &[Arc<NodeAction>]) -> ErrorCode {
    for step in steps {
        let outcome = match &**step {
            NodeAction::Device(work) => enter("cudaGraphLaunch", |runtime| work(runtime)),
            NodeAction::Host(function, data) => {
                // SAFETY: as in C.
                unsafe { function(*data as *mut c_void) };
                0
            }
            NodeAction::Graph(steps) => run(steps),
        };
        if outcome != 0 {
            return outcome;
        }
    }
    0
}
