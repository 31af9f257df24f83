//! What a stage between load/store unit and memory port says of itself, and how it is connected.

use crate::{
    core::{issue_partitions::IssuePartitions, params::CoreParams},
    memory::protocol::{MemoryReply, MemoryRequest, Protocol},
};
use hdl::{Builder, Bundle, Child, Module, Signal, Statistic};

/// A stage between load/store unit and memory port.
pub(in crate::core) trait MemoryStage: Sync {
    /// What it is called in the core.
    fn name(&self) -> &'static str;

    /// What it does, in a few words.
    fn about(&self) -> &'static str;

    /// The core has it.
    fn exists(&self, p: &CoreParams) -> bool;

    /// What it needs of the rest of the core.
    fn needs(&self, _p: &CoreParams) -> StageNeeds {
        StageNeeds::default()
    }

    /// Its transactions below, where those above are `above`.
    fn downstream(&self, _p: &CoreParams, above: Protocol) -> Protocol {
        above
    }

    /// The block: ports `request`, `request_taken`, `reply`, and `reply_taken` where what is above may refuse a reply;
    /// those of [`below`](Self::below), those of its [`needs`](Self::needs), and those of [`connect`](Self::connect).
    /// None in a core without it.
    fn module(&self, p: &CoreParams, above: Protocol) -> Option<Module>;

    /// Its ports below.
    fn below(&self) -> LowerPorts {
        LowerPorts::default()
    }

    /// To what there is beside what is above and below.
    fn connect<'m>(&self, _stage: Child<'m>, _core: &StageContext<'_, 'm>) {}

    /// What it counts.
    fn statistics(&self) -> &'static [Statistic] {
        &[]
    }
}

/// What a stage needs of the rest of a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::core) struct StageNeeds {
    /// It may refuse a reply, of itself: replies wait at the memory port.
    pub refuses: bool,
    /// Input `request_uncached`: the request passes a first-level cache by.
    pub uncached: bool,
    /// Input `request_warp`: whose the request is.
    pub warp: bool,
    /// Input `flush` at the end of a kernel, and the output that tells that it is done.
    pub flush: Option<&'static str>,
}

/// Ports towards the memory port: [`MemoryRequest`] with `<request>_taken`, and [`MemoryReply`].
#[derive(Clone, Copy)]
pub(in crate::core) struct LowerPorts {
    pub request: &'static str,
    pub reply: &'static str,
    /// There is `<reply>_taken`.
    pub refuses: bool,
}

impl Default for LowerPorts {
    /// Those of most blocks.
    fn default() -> Self {
        Self { request: "downstream", reply: "downstream_reply", refuses: true }
    }
}

/// Who makes requests.
#[derive(Clone, Copy)]
pub(in crate::core) struct PortClient<'m> {
    pub child: Child<'m>,
    pub ports: LowerPorts,
    /// Its transactions.
    pub protocol: Protocol,
}

impl<'m> PortClient<'m> {
    /// What says whether a reply is taken, if it may be refused.
    pub fn reply_taken(&self) -> Option<Signal<'m>> {
        self.ports.refuses.then(|| self.child.get((self.ports.reply, "taken")))
    }
}

/// What stages are connected to.
pub(in crate::core) struct StageContext<'a, 'm> {
    pub m: &'m Builder,
    pub p: &'a CoreParams,
    pub parts: &'a IssuePartitions<'m>,
    /// The block control.
    pub control: Child<'m>,
    /// The load/store unit.
    pub global: Child<'m>,
    /// The end of a kernel, in a core that does something then.
    pub flush: Option<Signal<'m>>,
}

/// The stages of a core, from the load/store unit on.
pub(in crate::core) struct MemoryPath<'m> {
    /// The last one.
    pub client: PortClient<'m>,
    stages: Vec<(&'static dyn MemoryStage, Child<'m>)>,
}

impl<'m> MemoryPath<'m> {
    /// The load/store unit alone.
    pub fn new(global: Child<'m>, protocol: Protocol) -> Self {
        let ports = LowerPorts { request: "request", reply: "reply", refuses: false };
        Self { client: PortClient { child: global, ports, protocol }, stages: vec![] }
    }

    /// With one more stage.
    pub fn through(mut self, stage: &'static dyn MemoryStage, core: &StageContext<'_, 'm>) -> Self {
        let StageContext { m, p, global, .. } = *core;
        let (above, protocol) = (self.client, self.client.protocol);
        let LowerPorts { request, reply, .. } = above.ports;
        let Some(module) = stage.module(p, protocol) else { return self };
        m.comment(stage.about());
        let child = m.instance(stage.name(), &module);
        MemoryRequest::connect(&protocol, (above.child, request), (child, "request"));
        let needs = stage.needs(p);
        if needs.uncached {
            child.drive("request_uncached", global.get("request_uncached"));
        }
        if needs.warp {
            child.drive("request_warp", global.get("request_warp"));
        }
        above.child.drive((request, "taken"), child.get("request_taken"));
        MemoryReply::connect(&protocol, (child, "reply"), (above.child, reply));
        if child.has_input("reply_taken") {
            child.drive("reply_taken", above.reply_taken().unwrap_or(m.lit(1, 1)));
        }
        if let Some(flush) = core.flush.filter(|_| needs.flush.is_some()) {
            child.drive("flush", flush);
        }
        stage.connect(child, core);
        self.client = PortClient { child, ports: stage.below(), protocol: stage.downstream(p, protocol) };
        self.stages.push((stage, child));
        self
    }

    /// The block of a stage, if it is there.
    pub fn stage(&self, name: &str) -> Option<Child<'m>> {
        self.stages.iter().find(|(stage, _)| stage.name() == name).map(|(_, child)| *child)
    }

    /// What tells of each stage that the end of a kernel concerns that it is done.
    pub fn flushed(&self, p: &CoreParams) -> Vec<Signal<'m>> {
        self.stages.iter().filter_map(|(stage, child)| Some(child.get(stage.needs(p).flush?))).collect()
    }
}
