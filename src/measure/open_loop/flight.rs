//! Packets, and those on their way: what the flits' tags stand for.

/// A packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PacketInFlight {
    /// Node that sends it.
    pub source: u32,
    /// Node that it goes to.
    pub dest: u32,
    /// It answers a request.
    pub reply: bool,
    /// Flits.
    pub flits: u32,
    /// Flits of the reply that its destination owes.
    pub owed: Option<u32>,
    /// Cycle in which it may be shown to the injector.
    pub created: u64,
    /// Created while measuring.
    pub measured: bool,
    /// Its number in a trace.
    pub traced: Option<usize>,
    /// Packets that its source has sent before.
    pub number: u64,
}

/// A packet that an injector has, and the network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Underway {
    /// The packet.
    pub packet: PacketInFlight,
    /// Cycle in which its head was on the injection channel.
    pub injected: Option<u64>,
    /// Flits that have come out.
    pub arrived: u32,
}

/// All packets on their way, by tag.
#[derive(Clone, Debug)]
pub struct Flight {
    packets: Vec<Option<Underway>>,
    free: Vec<u32>,
}

impl Flight {
    /// With so many tags.
    pub fn new(tags: u32) -> Self {
        Self { packets: vec![None; tags as usize], free: (0..tags).rev().collect() }
    }

    /// A packet starts: its tag; `None` when all are in use.
    pub fn start(&mut self, packet: PacketInFlight) -> Option<u32> {
        let tag = self.free.pop()?;
        self.packets[tag as usize] = Some(Underway { packet, injected: None, arrived: 0 });
        Some(tag)
    }

    /// The packet of a tag.
    pub fn at(&mut self, tag: u32) -> Option<&mut Underway> {
        self.packets.get_mut(tag as usize)?.as_mut()
    }

    /// A packet has arrived whole.
    pub fn end(&mut self, tag: u32) -> Option<Underway> {
        let ended = self.packets.get_mut(tag as usize)?.take()?;
        self.free.push(tag);
        Some(ended)
    }

    /// Nothing is on its way.
    pub fn is_empty(&self) -> bool {
        self.free.len() == self.packets.len()
    }

    /// Packets on their way.
    pub fn all(&self) -> impl Iterator<Item = &Underway> {
        self.packets.iter().flatten()
    }
}
