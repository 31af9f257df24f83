//! What happens around the functions of a group, as programs too: inputs are fetched from the common state, and at the
//! clock edge events are counted and it is found out what there is to write, to count otherwise and to show.

use super::{
    lower::{VECTOR, bytes, frame, limbs},
    program::{Base, Compare, Op, Place, Program, Step, Value},
    slots::Slot,
};

/// Fetches the inputs of the tiles; `activity`: where lanes in which an input has changed are recorded, in the storage.
pub(super) fn fetch(inputs: &[Slot], activity: Option<i32>) -> Program {
    let mut program = Program::default();
    let mut changed = program.constant(0);
    let lanes = program.load(Base::Frame, frame::LANES);
    for slot in inputs {
        for limb in 0..limbs(slot.width) as i32 {
            let place = Place { base: Base::Memory, offset: slot.offset as i32 * 8 + limb * 4 };
            let mut value = program.op(Op::Gather { place, scale: 8 }, &[lanes]);
            if slot.width == 1 {
                let one = program.constant(1);
                value = program.compare(Compare::NotZero, value, one);
            }
            let at = bytes(slot.offset) + limb * VECTOR;
            if activity.is_some() {
                changed = program.or_difference(changed, value, Base::Storage, at);
            }
            program.store(value, Base::Storage, at);
        }
    }
    if let Some(activity) = activity {
        program.steps.push(Step::Activity { value: changed, others: vec![], to: vec![(activity, true)] });
    }
    program.drop_unused();
    program
}

/// Counts these events for as many clock edges as the frame says, in its vectors from `counts` on, and leaves flags of
/// what is found, from `flags` on.
pub(super) fn edge(events: &[Slot], counts: i32, found: &[Found], flags: i32) -> Program {
    let mut program = Program::default();
    for (number, slot) in events.iter().enumerate() {
        let at = counts + number as i32 * VECTOR;
        let (count, event) = (program.load(Base::Frame, at), program.load(Base::Storage, bytes(slot.offset)));
        let edges = program.load(Base::Frame, frame::EDGES);
        let more = program.and(event, edges);
        let more = program.op(Op::Add, &[count, more]);
        program.store(more, Base::Frame, at);
    }
    for (number, &found) in found.iter().enumerate() {
        let value = match found {
            Found::Set(slot) => {
                let bit = program.load(Base::Storage, bytes(slot.offset));
                program.mark_mask(bit);
                bit
            }
            Found::Changes(slot) => changes(&mut program, slot),
        };
        let place = Place { base: Base::Frame, offset: flags + 2 * number as i32 };
        program.steps.push(Step::Flags { value, place });
    }
    program.drop_unused();
    program
}

/// What a clock edge looks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// This bit of the storage is set.
    Set(Slot),
    /// This register changes.
    Changes(Slot),
}

/// Leaves flags of outputs that are no registers and differ from what was shown last, which is kept from `shown` on.
pub(super) fn outputs(slots: &[Slot], mut shown: i32, flags: i32) -> Program {
    let mut program = Program::default();
    for (number, slot) in slots.iter().enumerate() {
        let (mut all, mut now) = (vec![], vec![]);
        for limb in 0..limbs(slot.width) as i32 {
            let value = program.load(Base::Storage, bytes(slot.offset) + limb * VECTOR);
            let before = program.load(Base::Frame, shown + limb * VECTOR);
            all.push(program.xor(value, before));
            now.push(value);
        }
        let value = program.any(&all);
        let place = Place { base: Base::Frame, offset: flags + 2 * number as i32 };
        program.steps.push(Step::Flags { value, place });
        // Not before all is compared: logic may be computed where its result is used.
        for value in now {
            program.store(value, Base::Frame, shown);
            shown += VECTOR;
        }
    }
    program.drop_unused();
    program
}

fn changes(program: &mut Program, slot: Slot) -> Value {
    let mut changed = program.constant(0);
    for limb in 0..limbs(slot.width) as i32 {
        let at = bytes(slot.offset) + limb * VECTOR;
        let now = program.load(Base::Registers, at);
        changed = program.or_difference(changed, now, Base::Next, at);
    }
    changed
}
