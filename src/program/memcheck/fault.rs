//! What a person reads of a bad access: who makes it, where in the PTX, and where it goes.

use crate::{
    Trap,
    emulator::{BadAccess, EmulatedAccess, Fault, Space, index_of},
    launch::{FIRST_BUFFER, Launch},
};
use common::place::Excerpt;
use miette::{Diagnostic, SourceSpan};
use thiserror::Error;

/// A load or store that a kernel must not make.
#[derive(Clone, Debug, Error, Diagnostic)]
#[error("{place}: kernel `{kernel}`, block {}, thread {}: {access}: {problem}", index(block), index(thread))]
pub struct MemoryFault {
    /// Name of the kernel.
    pub kernel: String,
    /// File and line: of the CUDA source where that is known, else of the PTX file.
    pub place: String,
    /// Line in the PTX file, from 1.
    pub line: u32,
    /// Index of the block.
    pub block: [u32; 3],
    /// Index of the thread in it.
    pub thread: [u32; 3],
    /// What it does; the address is the chip's.
    pub access: EmulatedAccess,
    /// What is wrong with it.
    pub problem: String,
    /// The kind of it.
    pub fault: Fault,
    /// Why the thread traps, if it does.
    pub trap: Option<Trap>,
    /// Where the address is.
    #[help]
    pub help: String,
    #[source_code]
    excerpt: Option<Excerpt>,
    #[label("here")]
    span: Option<SourceSpan>,
}

fn index([x, y, z]: &[u32; 3]) -> String {
    format!("({x}, {y}, {z})")
}

/// Numbers of the threads of a warp that a mask names.
fn lanes(mask: u32) -> String {
    let all: Vec<_> = (0..32).filter(|lane| mask >> lane & 1 == 1).map(|lane| lane.to_string()).collect();
    all.join(", ")
}

impl MemoryFault {
    /// What was found where the buffers lie as they do on the chip: it is not known from which one's address this one was made.
    pub fn in_place(launch: &Launch, bad: &BadAccess) -> Self {
        Self::new(launch, bad, None, &launch.addresses())
    }

    /// `bad` was found with the buffers at `apart`; on the chip its address is `on_chip`, if that is known.
    pub(super) fn new(launch: &Launch, bad: &BadAccess, on_chip: Option<u64>, apart: &[u32]) -> Self {
        let found = bad.access.address;
        let map = Map::of(launch);
        let origin = match on_chip {
            _ if launch.placement.is_some() => None,
            Some(address) => map.origin(found.wrapping_sub(address), apart),
            // Near which one it is then has to do.
            None => Map { launch, addresses: apart[..launch.buffers.len()].to_vec() }.nearest(found),
        };
        let moved = |buffer: usize| u64::from(apart[buffer] - map.addresses[buffer]);
        let address = on_chip.unwrap_or_else(|| found.wrapping_sub(origin.map_or(0, moved)));
        let access = EmulatedAccess { address, ..bad.access };
        let trap = launch.kernel.trap_at(bad.line, bad.access.address).filter(|_| bad.fault == Fault::Trap);
        let (problem, help) = map.explain(access, (bad.fault, trap), origin);
        let unbound = unbound_texture(launch, bad).filter(|_| access.address < FIRST_BUFFER as u64);
        let problem =
            unbound.map_or(problem, |name| format!("texture `{name}` is not bound, or what it was bound to is freed"));
        let excerpt = launch.kernel.source.as_ref().map(|source| line_of(&source.file, &source.text, bad.line));
        let place = match (launch.kernel.code_line(bad.line).source, &launch.kernel.source) {
            (Some(source), _) => format!("{source} (PTX line {})", bad.line),
            (None, Some(source)) => format!("{}:{}", source.file, bad.line),
            (None, None) => format!("PTX line {}", bad.line),
        };
        Self {
            kernel: launch.kernel.name.clone(),
            place,
            line: bad.line,
            block: bad.block,
            thread: bad.thread,
            access,
            problem,
            fault: bad.fault,
            trap,
            help,
            span: excerpt.as_ref().map(Excerpt::span),
            excerpt,
        }
    }
}

/// The texture that a fetch names, if it is not bound.
fn unbound_texture(launch: &Launch, bad: &BadAccess) -> Option<String> {
    let source = launch.kernel.source.as_ref().filter(|_| bad.fault == Fault::Outside)?;
    let line = source.text.lines().nth((bad.line as usize).checked_sub(1)?)?;
    let (name, _) = line.split_once("tex.")?.1.split_once('[')?.1.split_once(',')?;
    let unbound = |texture: &&crate::Texture| texture.bound.is_none() && texture.name == name.trim();
    launch.kernel.textures.iter().find(unbound).map(|texture| texture.name.clone())
}

fn line_of(file: &str, text: &str, line: u32) -> Excerpt {
    let before = text.split_inclusive('\n').take((line as usize).saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let content = text[start..].lines().next().unwrap_or("");
    let start = start + content.len() - content.trim_start().len();
    Excerpt::new(file, text, start..start + content.trim().len())
}

/// The chip's memory.
pub(super) struct Map<'a> {
    launch: &'a Launch,
    addresses: Vec<u32>,
}

impl<'a> Map<'a> {
    /// Of a launch.
    pub fn of(launch: &'a Launch) -> Self {
        Self { launch, addresses: launch.buffer_addresses() }
    }

    /// The buffer that was moved by `distance`: an address that moved as far was made from its.
    fn origin(&self, distance: u64, apart: &[u32]) -> Option<usize> {
        self.addresses.iter().zip(apart).position(|(here, there)| u64::from(there - here) == distance)
    }

    /// The buffer next to an address.
    pub fn nearest(&self, address: u64) -> Option<usize> {
        let distance = |buffer: &usize| {
            let start = u64::from(self.addresses[*buffer]);
            let end = start + self.launch.buffers[*buffer].data.len() as u64;
            start.saturating_sub(address).max(address.saturating_sub(end))
        };
        (0..self.addresses.len()).min_by_key(distance)
    }

    /// Name, size and place of a buffer.
    pub fn describe(&self, buffer: usize) -> String {
        let name = &self.launch.buffers[buffer].name;
        format!(
            "`{name}`, {} from {:#x} on",
            bytes(self.launch.buffers[buffer].data.len() as u64),
            self.addresses[buffer]
        )
    }

    /// What is wrong, and where the address is.
    fn explain(
        &self,
        access: EmulatedAccess,
        (fault, trap): (Fault, Option<Trap>),
        origin: Option<usize>,
    ) -> (String, String) {
        let problem = match (fault, access.space) {
            (Fault::Unaligned, _) => format!("not a multiple of {}", access.bytes),
            (Fault::Trap, _) => trap.unwrap_or(Trap::Instruction).text().into(),
            (Fault::Uninitialised, _) => "nobody has written all of it".into(),
            (Fault::Race { other, block, line }, _) => {
                let thread = index(&index_of(other, self.launch.block));
                let line = self.launch.kernel.code_line(line);
                match block.map(|block| index(&index_of(block, self.launch.grid))) {
                    Some(block) => format!(
                        "races with thread {thread} of block {block} at {line}: nothing orders blocks but atomics and volatile loads"
                    ),
                    None => {
                        format!("races with thread {thread} of the block at {line}: no barrier is between")
                    }
                }
            }
            (Fault::Apart { missing }, _) => format!(
                "the instruction needs all threads that its mask names, and those of lanes {} are elsewhere",
                lanes(missing)
            ),
            (Fault::Wide, _) if self.launch.placement.is_some() => {
                "no pointer of the chip's: one of the host's, or none at all".into()
            }
            (Fault::Wide, _) => "the chip has addresses of 32 bits".into(),
            (Fault::ReadOnly, _) => "constants cannot be changed".into(),
            (_, Space::Const) => "outside of the kernel's constants".into(),
            (_, Space::Shared) => "outside of the block's shared memory".into(),
            _ => match origin {
                Some(buffer) => format!("outside of buffer `{}`", self.launch.buffers[buffer].name),
                None if access.address < FIRST_BUFFER as u64 => "a null pointer".into(),
                None if self.launch.placement.is_some() => "outside of all allocations".into(),
                None => "not made from the address of any buffer".into(),
            },
        };
        if fault == Fault::Trap && self.launch.placement.is_some() {
            return (problem, "the kernel ends there, and no other can be launched".into());
        }
        (problem, self.whereabouts(access, origin))
    }

    /// How far an address is from a buffer.
    fn beyond(&self, buffer: usize, address: u64) -> String {
        let start = u64::from(self.addresses[buffer]);
        let end = start + self.launch.buffers[buffer].data.len() as u64;
        match address {
            _ if address < start => format!("; this is {} before it", bytes(start - address)),
            _ if address == end => "; this is where it ends".into(),
            _ if address > end => format!("; this is {} behind its end", bytes(address - end)),
            _ => String::new(),
        }
    }

    fn whereabouts(&self, access: EmulatedAccess, origin: Option<usize>) -> String {
        if access.space == Space::Shared {
            return match self.launch.shared_bytes() {
                0 => "the block has no shared memory".into(),
                size => format!("the block has {} of shared memory, from 0 on", bytes(size.into())),
            };
        }
        if access.space == Space::Const {
            let ends = self.launch.kernel.constants.first().zip(self.launch.kernel.constants.last());
            return ends.map_or("the kernel has no constants".into(), |(first, last)| {
                format!("its constants are at {:#x} to {:#x}", first.address, last.end() - 1)
            });
        }
        let Some(buffer) = origin else {
            if access.address >> 32 != 0
                && let Some(placement) = &self.launch.placement
            {
                return format!("pointers of the chip's are from {:#x}00000000 on", placement.window);
            }
            return match self.nearest(access.address) {
                Some(buffer) if self.launch.placement.is_some() => {
                    format!(
                        "the nearest allocation is {}{}",
                        self.describe(buffer),
                        self.beyond(buffer, access.address)
                    )
                }
                Some(buffer) => format!("the nearest buffer is {}", self.describe(buffer)),
                None => "the launch has no buffers".into(),
            };
        };
        let offset = access.address.wrapping_sub(self.addresses[buffer].into()) as i64;
        let place = match offset {
            0.. => format!("at byte {offset} of buffer"),
            _ => format!("{} before buffer", bytes(offset.unsigned_abs())),
        };
        format!("it starts {place} {}", self.describe(buffer))
    }
}

fn bytes(count: u64) -> String {
    format!("{count} {}", if count == 1 { "byte" } else { "bytes" })
}
