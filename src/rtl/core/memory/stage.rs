//! What a stage between load/store unit and memory port says of itself, and how it is connected.

use super::load_store::LoadStore;
use crate::{block_control::BlockControl, config::CoreParams, issue_partitions::IssuePartitions};
use hdl::{Builder, Child, Module, Producer, Signal, Statistic, Taken, ports};
use protocol::{Client, MemoryReply, MemoryRequest, Server};

pub use protocol::{ClientPorts, Protocol, ServerPorts};

/// A stage between load/store unit and memory port.
pub trait MemoryStage: Sync {
    /// What it is called in the core.
    fn name(&self) -> &'static str;

    /// What it does, in a few words.
    fn about(&self) -> &'static str;

    /// The stage that it stands right behind, of a stage of another crate; none: the load/store unit.
    fn behind(&self) -> Option<&'static str> {
        None
    }

    /// The core has it; by default what the configuration says of a stage of another crate, `core.own_stages.<name>`.
    fn exists(&self, p: &CoreParams) -> bool {
        p.own_stages.of(self.name())
    }

    /// What it needs of the rest of the core.
    fn needs(&self, _p: &CoreParams) -> StageNeeds {
        StageNeeds::default()
    }

    /// Its transactions below, where those above are `above`.
    fn downstream(&self, _p: &CoreParams, above: Protocol) -> Protocol {
        above
    }

    /// The block: above the ports of a [`PassingServer`], or of a [`Server`] that [holds replies](Self::holds_replies),
    /// those of [`below`](Self::below), and those of [`connect`](Self::connect). None in a core without it.
    fn module(&self, p: &CoreParams, above: Protocol) -> Option<Module>;

    /// It shows a reply until what is above takes it.
    fn holds_replies(&self) -> bool {
        false
    }

    /// Its ports below.
    fn below<'m>(&self, stage: Child<'m>) -> Box<dyn MemoryClient<'m> + 'm> {
        Box::new(Client(stage))
    }

    /// To what there is beside what is above and below, what it [needs](Self::needs) among it.
    fn connect<'m>(&self, _stage: Child<'m>, _core: &StageContext<'_, 'm>) {}

    /// What tells that it has done what it does at the end of a kernel.
    fn flushed<'m>(&self, _stage: Child<'m>) -> Option<Signal<'m>> {
        None
    }

    /// What it counts.
    fn statistics(&self) -> &'static [Statistic] {
        &[]
    }
}

/// What a stage needs of the rest of a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StageNeeds {
    /// It may refuse a reply, of itself: replies wait at the memory port.
    pub refuses: bool,
    /// Whether the request passes a first-level cache by.
    pub uncached: bool,
    /// The warp that the request is of.
    pub warp: bool,
    /// The end of a kernel: it does something then, and tells when it has.
    pub flush: bool,
}

ports! {
    /// Ports of what takes requests and answers them, each reply for one cycle.
    pub struct PassingServerPorts(p: &Protocol) of PassingServer {
        /// Requests.
        in request: bundle MemoryRequest(p) with taken: 1,
        /// Replies, which are always taken.
        out reply: bundle MemoryReply(p),
    }
}

/// Who makes requests to the stage below, or to the memory port.
pub trait MemoryClient<'m> {
    /// Its requests.
    fn requests(&self) -> Producer<'m, MemoryRequest<'m>, Taken>;

    /// Shows it a reply.
    fn take_reply(&self, reply: MemoryReply<'m>);

    /// Whether it takes the reply, if it may refuse one.
    fn takes_reply(&self) -> Option<Signal<'m>> {
        None
    }
}

impl<'m> MemoryClient<'m> for Client<'m> {
    fn requests(&self) -> Producer<'m, MemoryRequest<'m>, Taken> {
        self.downstream()
    }

    fn take_reply(&self, reply: MemoryReply<'m>) {
        self.downstream_reply().drive(reply);
    }

    fn takes_reply(&self) -> Option<Signal<'m>> {
        Some(self.downstream_reply().answer())
    }
}

impl<'m> MemoryClient<'m> for LoadStore<'m> {
    fn requests(&self) -> Producer<'m, MemoryRequest<'m>, Taken> {
        self.request()
    }

    fn take_reply(&self, reply: MemoryReply<'m>) {
        self.reply(reply);
    }
}

/// A client, and its transactions.
pub(crate) struct PortClient<'m> {
    pub ports: Box<dyn MemoryClient<'m> + 'm>,
    pub protocol: Protocol,
}

impl<'m> PortClient<'m> {
    /// With these ports.
    pub fn new(ports: impl MemoryClient<'m> + 'm, protocol: Protocol) -> Self {
        Self { ports: Box::new(ports), protocol }
    }
}

/// What stages are connected to.
pub struct StageContext<'a, 'm> {
    /// The core.
    pub m: &'m Builder,
    /// Its parameters.
    pub p: &'a CoreParams,
    pub(crate) parts: &'a IssuePartitions<'m>,
    /// The block control.
    pub control: BlockControl<'m>,
    /// The load/store unit.
    pub global: LoadStore<'m>,
    /// The end of a kernel, in a core that does something then.
    pub flush: Option<Signal<'m>>,
}

impl<'m> StageContext<'_, 'm> {
    /// The end of a kernel, for a stage that needs it.
    pub fn flush(&self) -> Signal<'m> {
        self.flush.expect("a core with such a stage does something at the end of a kernel")
    }
}

/// The stages of a core, from the load/store unit on.
pub(crate) struct MemoryPath<'m> {
    /// The last one.
    pub client: PortClient<'m>,
    stages: Vec<(&'static dyn MemoryStage, Child<'m>)>,
}

impl<'m> MemoryPath<'m> {
    /// The load/store unit alone.
    pub fn new(global: LoadStore<'m>, protocol: Protocol) -> Self {
        Self { client: PortClient::new(global, protocol), stages: vec![] }
    }

    /// With one more stage.
    pub fn through(mut self, stage: &'static dyn MemoryStage, core: &StageContext<'_, 'm>) -> Self {
        let StageContext { m, p, .. } = *core;
        let PortClient { ports: above, protocol } = self.client;
        let Some(module) = stage.module(p, protocol) else {
            return Self { client: PortClient { ports: above, protocol }, ..self };
        };
        m.comment(stage.about());
        let child = m.instance(stage.name(), &module);
        above.requests().connect(Server(child).request());
        above.take_reply(PassingServer(child).reply());
        if stage.holds_replies() {
            Server(child).reply().answer(above.takes_reply().unwrap_or(m.lit(1, 1)));
        }
        stage.connect(child, core);
        self.client = PortClient { ports: stage.below(child), protocol: stage.downstream(p, protocol) };
        self.stages.push((stage, child));
        self
    }

    /// The block of a stage, if it is there.
    pub fn stage(&self, name: &str) -> Option<Child<'m>> {
        self.stages.iter().find(|(stage, _)| stage.name() == name).map(|(_, child)| *child)
    }

    /// What tells of each stage that the end of a kernel concerns that it is done.
    pub fn flushed(&self) -> Vec<Signal<'m>> {
        self.stages.iter().filter_map(|(stage, child)| stage.flushed(*child)).collect()
    }
}
