//! Graphs: work that a program lists, or that its streams were asked for while they were captured. A launch does it
//! once more, in an order that keeps all dependencies.

use crate::{
    call::{Arguments, Configuration},
    error::{Failure, Status, failure},
    runtime::Runtime,
};
use libc::c_void;
use std::sync::Arc;

/// A function of the program's that a graph calls.
pub type HostFunction = unsafe extern "C" fn(*mut c_void);

/// Work of the device.
type GraphWork = dyn Fn(&mut Runtime) -> Result<(), Failure> + Send + Sync;

/// What a node does.
pub enum NodeAction {
    /// Work of the device.
    Device(Box<GraphWork>),
    /// A function of the program's, called with this pointer.
    Host(HostFunction, usize),
    /// The nodes of another graph, in order.
    Graph(Vec<Arc<NodeAction>>),
}

/// A graph.
#[derive(Clone, Default)]
pub struct CudaGraph {
    /// Handles and what the nodes do, in the order in which they were added.
    nodes: Vec<(usize, Arc<NodeAction>)>,
    /// Handles: the second node waits for the first.
    edges: Vec<(usize, usize)>,
    /// The stream whose capture has begun it.
    pub origin: Option<usize>,
}

/// A graph that can be launched: nodes in an order in which they may be done.
#[derive(Clone)]
pub struct Executable {
    nodes: Vec<(usize, Arc<NodeAction>)>,
}

impl CudaGraph {
    /// One without nodes yet, which the capture of a stream makes.
    pub fn of_capture(stream: usize) -> Self {
        Self { origin: Some(stream), ..Self::default() }
    }

    /// Adds a node behind others.
    pub fn add(&mut self, node: usize, step: Arc<NodeAction>, behind: &[usize]) -> Result<(), Failure> {
        behind.iter().try_for_each(|before| self.has(*before))?;
        self.edges.extend(behind.iter().map(|before| (*before, node)));
        self.nodes.push((node, step));
        Ok(())
    }

    /// Lets a node wait for another.
    pub fn connect(&mut self, before: usize, after: usize) -> Result<(), Failure> {
        self.has(before)?;
        self.has(after)?;
        self.edges.push((before, after));
        Ok(())
    }

    fn has(&self, node: usize) -> Result<(), Failure> {
        match self.nodes.iter().any(|(known, _)| *known == node) {
            true => Ok(()),
            false => failure(Status::InvalidValue, "no such node in this graph"),
        }
    }

    /// Handles of its nodes.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = usize> {
        self.nodes.iter().map(|(node, _)| *node)
    }

    /// Has another node do something else; tells whether it is there.
    pub fn replace(&mut self, node: usize, step: &Arc<NodeAction>) -> bool {
        replace(&mut self.nodes, node, step)
    }

    /// Orders the nodes: each behind those that it waits for, otherwise as they were added.
    pub fn executable(&self) -> Result<Executable, Failure> {
        let (mut left, mut nodes) = (self.nodes.clone(), vec![]);
        while !left.is_empty() {
            let waits = |node: usize| {
                self.edges.iter().any(|(before, after)| *after == node && left.iter().any(|(other, _)| other == before))
            };
            let Some(next) = left.iter().position(|(node, _)| !waits(*node)) else {
                return failure(Status::InvalidValue, "nodes of the graph wait for each other in a circle");
            };
            nodes.push(left.remove(next));
        }
        Ok(Executable { nodes })
    }
}

impl Executable {
    /// What is done, in order.
    pub fn steps(&self) -> Vec<Arc<NodeAction>> {
        self.nodes.iter().map(|(_, step)| step.clone()).collect()
    }

    /// Has another node do something else; tells whether it is there.
    pub fn replace(&mut self, node: usize, step: &Arc<NodeAction>) -> bool {
        replace(&mut self.nodes, node, step)
    }
}

fn replace(nodes: &mut [(usize, Arc<NodeAction>)], node: usize, step: &Arc<NodeAction>) -> bool {
    let found = nodes.iter_mut().find(|(known, _)| *known == node);
    found.map(|(_, old)| *old = step.clone()).is_some()
}

impl Runtime {
    /// Work of a stream: done now, or kept if the stream is captured.
    pub fn on_stream(
        &mut self,
        stream: *mut c_void,
        work: impl Fn(&mut Self) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Result<(), Failure> {
        if self.is_captured(stream as usize) {
            return self.keep(stream as usize, NodeAction::Device(Box::new(work)));
        }
        self.stream(stream)?;
        work(self)
    }

    /// What the stream is asked for is kept for a graph.
    pub fn is_captured(&self, stream: usize) -> bool {
        self.captures.contains_key(&stream)
    }

    /// Adds a node to the graph that a captured stream makes. All of its streams are in one order, as they are when
    /// they are not captured.
    pub fn keep(&mut self, stream: usize, step: NodeAction) -> Result<(), Failure> {
        let node = self.handle();
        let graph = self.captures.get(&stream).and_then(|graph| self.graphs.get_mut(graph));
        match graph {
            Some(graph) => graph.add(node, Arc::new(step), &[]),
            None => failure(Status::StreamCaptureUnsupported, "the graph of this capture has been destroyed"),
        }
    }

    /// A launch with its arguments as they are now.
    ///
    /// # Safety
    /// As that of [`Runtime::launch`].
    pub unsafe fn launch_step(
        &self,
        function: usize,
        configuration: &Configuration,
        arguments: &Arguments,
    ) -> Result<NodeAction, Failure> {
        // SAFETY: as the caller says.
        let bytes = unsafe { self.argument_bytes(function, arguments)? };
        let configuration = Configuration { stream: 0, arguments: vec![], ..configuration.clone() };
        Ok(NodeAction::Device(Box::new(move |runtime| {
            // SAFETY: the arguments are bytes of our own.
            unsafe { runtime.launch(function, &configuration, &Arguments::Bytes(&bytes)) }
        })))
    }

    /// A graph by its handle.
    pub fn graph(&mut self, graph: *mut c_void) -> Result<&mut CudaGraph, Failure> {
        match self.graphs.get_mut(&(graph as usize)) {
            Some(graph) => Ok(graph),
            None => failure(Status::InvalidValue, "no such graph"),
        }
    }
}
