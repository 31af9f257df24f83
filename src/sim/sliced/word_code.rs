//! Machine code for single words of planes: lanes that change places, and conditions of transfers. Places, turns and
//! lanes are part of the instructions.

use super::{links::Bus, transfers::Selection};
use iced_x86::{Code as Op, Encoder, IcedError, Instruction, MemoryOperand, Register};

/// This processor runs such code.
pub(super) fn available() -> bool {
    is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2")
}

const PRESENT: Register = Register::RDI;
const WIRES: Register = Register::RDX;
/// What is put together; what is added to it.
const ALL: Register = Register::RAX;
const ONE: Register = Register::RCX;
/// Holds a mask for one instruction.
const BRIEF: Register = Register::RSI;
/// Hold masks of a bus.
const MASKS: [Register; 4] = [Register::R8, Register::R9, Register::R10, Register::R11];

/// Straight-line code.
#[derive(Default)]
pub(super) struct WordCode(Vec<Instruction>);

impl WordCode {
    /// A function: present registers, next registers and wires in the first three registers of the C calling convention
    /// of Unix.
    pub fn bytes(self) -> Result<Vec<u8>, IcedError> {
        let mut out = Encoder::try_new(64)?;
        let mut at = 0;
        for instruction in self.0.into_iter().chain([Instruction::with(Op::Retnq)]) {
            at += out.encode(&instruction, at)? as u64;
        }
        Ok(out.take_buffer())
    }

    /// Planes that get their bits by equal ways, without imports.
    pub fn bus(&mut self, bus: &Bus) -> Result<(), IcedError> {
        let mut masks = Masks::default();
        for way in &bus.ways {
            let mut keep = |mask: u64| self.keep(&mut masks, mask);
            if way.turned.is_none() {
                keep(way.there)?;
                keep(way.here)?;
            } else if !is_immediate(way.here) {
                keep(way.here)?;
            }
        }
        for (row, &to) in bus.to.iter().enumerate() {
            let mut empty = bus.constant == 0 && !bus.ways.is_empty();
            if !empty {
                self.0.push(Instruction::with2(Op::Mov_r64_imm64, ALL, bus.constant)?);
            }
            for way in &bus.ways {
                let from = place(PRESENT, way.from[row] as usize);
                let target = if empty { ALL } else { ONE };
                match way.turned {
                    Some(by) => {
                        self.0.push(match by {
                            0 => Instruction::with2(Op::Mov_r64_rm64, target, from)?,
                            _ => Instruction::with3(Op::VEX_Rorx_r64_rm64_imm8, target, from, 64 - by)?,
                        });
                        self.only(target, way.here, &masks)?;
                    }
                    None => {
                        self.0.push(Instruction::with2(Op::Mov_r64_rm64, target, from)?);
                        for (op, mask) in
                            [(Op::VEX_Pext_r64_r64_rm64, way.there), (Op::VEX_Pdep_r64_r64_rm64, way.here)]
                        {
                            let mask = self.mask(&masks, mask)?;
                            self.0.push(Instruction::with3(op, target, target, mask)?);
                        }
                    }
                }
                if !empty {
                    self.0.push(Instruction::with2(Op::Or_r64_rm64, ALL, ONE)?);
                }
                empty = false;
            }
            self.0.push(Instruction::with2(Op::Mov_rm64_r64, place(WIRES, to as usize), ALL)?);
        }
        Ok(())
    }

    /// A plane of lanes in which all conditions hold.
    pub fn selection(&mut self, selection: &Selection) -> Result<(), IcedError> {
        self.0.push(Instruction::with2(Op::Mov_r64_imm64, ALL, selection.lanes)?);
        for condition in &selection.conditions {
            let wire = place(WIRES, condition.wire);
            if condition.inverted == 0 {
                self.0.push(Instruction::with2(Op::And_r64_rm64, ALL, wire)?);
            } else {
                self.0.push(Instruction::with2(Op::Mov_r64_rm64, ONE, wire)?);
                self.0.push(Instruction::with3(Op::VEX_Andn_r64_r64_rm64, ALL, ONE, ALL)?);
            }
        }
        self.0.push(Instruction::with2(Op::Mov_rm64_r64, place(WIRES, selection.to), ALL)?);
        Ok(())
    }

    /// Leaves only these lanes.
    fn only(&mut self, register: Register, lanes: u64, masks: &Masks) -> Result<(), IcedError> {
        if lanes == !0 {
            return Ok(());
        }
        // With 32 bits, the upper half becomes zero.
        if is_immediate(lanes) {
            let half = if register == ALL { Register::EAX } else { Register::ECX };
            self.0.push(Instruction::with2(Op::And_rm32_imm32, half, lanes as u32)?);
            return Ok(());
        }
        let mask = self.mask(masks, lanes)?;
        self.0.push(Instruction::with2(Op::And_r64_rm64, register, mask)?);
        Ok(())
    }

    /// Puts a mask into a register for the whole bus, if there is one left.
    fn keep(&mut self, masks: &mut Masks, mask: u64) -> Result<(), IcedError> {
        if masks.register(mask).is_none() && masks.0.len() < MASKS.len() {
            self.0.push(Instruction::with2(Op::Mov_r64_imm64, MASKS[masks.0.len()], mask)?);
            masks.0.push(mask);
        }
        Ok(())
    }

    /// A register that holds a mask.
    fn mask(&mut self, masks: &Masks, mask: u64) -> Result<Register, IcedError> {
        if let Some(register) = masks.register(mask) {
            return Ok(register);
        }
        self.0.push(Instruction::with2(Op::Mov_r64_imm64, BRIEF, mask)?);
        Ok(BRIEF)
    }
}

/// An instruction has these lanes in it, or they are all and need none.
fn is_immediate(lanes: u64) -> bool {
    lanes == !0 || lanes <= u64::from(u32::MAX)
}

/// Masks in registers.
#[derive(Default)]
struct Masks(Vec<u64>);

impl Masks {
    fn register(&self, mask: u64) -> Option<Register> {
        self.0.iter().position(|&kept| kept == mask).map(|i| MASKS[i])
    }
}

fn place(base: Register, word: usize) -> MemoryOperand {
    MemoryOperand::with_base_displ(base, word as i64 * 8)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            arrays::{ArraySlices, Arrays, Kernel},
            emit,
            links::{Link, LinkRun, Links, run_links},
            transfers::{Condition, Selection, Selections},
        },
        available,
    };
    use crate::code::{Coder, Executable};

    const PLANES: usize = 40;

    fn random(seed: &mut u64) -> u64 {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed
    }

    /// Some lanes of a few, of a half, or of all.
    fn lanes(seed: &mut u64) -> u64 {
        let (word, kind) = (random(seed), random(seed));
        [word & 0xffff, word & 0xffff_ffff, word, !0, word << 32][kind as usize % 5]
    }

    fn function(bytes: Vec<u8>) -> (Executable, Kernel) {
        let mut coder = Coder::new(&[], false).expect("a coder");
        let id = emit::define(&mut coder, "words", bytes).expect("code");
        let code = coder.finish().expect("links");
        // SAFETY: the function has this signature.
        let kernel = unsafe { std::mem::transmute::<*const u8, Kernel>(code.address(id.as_u32())) };
        (code, kernel)
    }

    /// The wires after `work`, of random planes.
    fn after(seed: u64, work: impl Fn(&Arrays)) -> Vec<u64> {
        let mut seed = seed;
        let mut planes = || (0..PLANES).map(|_| random(&mut seed)).collect::<Vec<_>>();
        let [present, mut next, mut wires, mut store, storage] = [planes(), planes(), planes(), planes(), planes()];
        let slices =
            ArraySlices { present: &present, next: &mut next, wires: &mut wires, store: &mut store, storage: &storage };
        work(&Arrays::new(slices));
        wires
    }

    #[test]
    fn code_links_as_the_list_does() {
        if !available() {
            return;
        }
        let mut seed = 0x2545_f491_4f6c_dd1d;
        for round in 0..300 {
            let mut runs = vec![];
            while runs.len() < 12 {
                let link = |seed: &mut u64| {
                    let (there, by) = (lanes(seed), random(seed) as u32 % 64);
                    // Turned, or so many of the lowest lanes of another set.
                    let other = lanes(seed);
                    let kept = |mask: u64, count: u32| {
                        (0..64).filter(|i| mask >> i & 1 == 1).take(count as usize).fold(0, |m, i| m | 1u64 << i)
                    };
                    let count = there.count_ones().min(other.count_ones());
                    let from = random(seed) as usize % PLANES;
                    match random(seed) % 3 {
                        0 => Link { from, lanes: there, to_lanes: there },
                        1 => Link { from, lanes: there, to_lanes: there.rotate_left(by) },
                        _ => Link { from, lanes: kept(there, count), to_lanes: kept(other, count) },
                    }
                };
                let links: Vec<Link> = (0..random(&mut seed) % 6).map(|_| link(&mut seed)).collect();
                let constant = [0, lanes(&mut seed)][random(&mut seed) as usize % 2];
                // Several bits of a port.
                for _ in 0..random(&mut seed) % 4 {
                    let moved = |link: &Link| Link { from: (link.from + runs.len()) % PLANES, ..*link };
                    let run =
                        LinkRun { to: runs.len(), constant, links: links.iter().map(moved).collect(), imports: vec![] };
                    runs.push(run);
                }
            }
            let links = || {
                let mut links = Links::default();
                runs.iter().for_each(|run| links.push(run));
                links
            };
            let (listed, mut coded) = (links(), links());
            let (_code, kernel) = function(coded.code().expect("encodes").bytes().expect("encodes"));
            coded.done_by(kernel);
            // SAFETY: all places are less than `PLANES`.
            let [expected, found] =
                [listed, coded].map(|links| after(round + 1, |arrays| unsafe { run_links(&links, arrays) }));
            assert_eq!(found, expected, "{runs:?}");
        }
    }

    #[test]
    fn code_selects_as_the_list_does() {
        if !available() {
            return;
        }
        let mut seed = 0x9e37_79b9_7f4a_7c15;
        for round in 0..100 {
            let selection = |to: usize| {
                let condition = |_| Condition {
                    wire: 20 + random(&mut seed) as usize % 20,
                    inverted: 0u64.wrapping_sub(random(&mut seed) & 1),
                };
                let conditions = (0..to % 5).map(condition).collect();
                Selection { lanes: lanes(&mut seed), conditions, to }
            };
            let list: Vec<Selection> = (0..20).map(selection).collect();
            let (mut listed, mut coded) = (Selections::default(), Selections::default());
            (listed.list, coded.list) = (list.clone(), list.clone());
            let (_code, kernel) = function(coded.code().expect("encodes").bytes().expect("encodes"));
            coded.done_by(kernel);
            // SAFETY: all places are less than `PLANES`.
            let [expected, found] = [listed, coded].map(|all| after(round + 1, |arrays| unsafe { all.run(arrays) }));
            assert_eq!(found, expected, "{list:?}");
        }
    }
}
