//! Issue slots as a picture: a row for each warp, a column for each cycle, after the toy figures of Kim's thesis (2.1,
//! 2.2, 2.4).

use super::issue_slots::{CoreSlots, IssueSlots, WarpState};
use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::{error::Error, ops::Range};

/// Height of a row.
const ROW: i32 = 15;
/// What is left of the cycles.
const LEFT: i32 = 60;
const MARGIN: i32 = 12;
/// Above the rows of a core: its name, and the numbers of cycles.
const HEAD: i32 = 40;
/// Of the title and the two lines of the legend.
const TOP: i32 = 78;
/// An address needs so much.
const LABELLED: i32 = 20;

type ChartArea<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawnWarps = Result<(), Box<dyn Error>>;

/// Of a state; [`WarpState::None`] leaves its place empty.
fn colour(state: WarpState) -> RGBColor {
    match state {
        WarpState::None => WHITE,
        WarpState::Issues => RGBColor(0, 114, 178),
        WarpState::Ready => RGBColor(150, 205, 240),
        WarpState::Throttled => RGBColor(204, 121, 167),
        WarpState::Alu => RGBColor(240, 228, 66),
        WarpState::Memory => RGBColor(230, 159, 0),
        WarpState::Rejected => RGBColor(213, 94, 0),
        WarpState::Unit => RGBColor(0, 158, 115),
        WarpState::Order => RGBColor(130, 200, 175),
        WarpState::Barrier => RGBColor(120, 120, 120),
        WarpState::Fetch => RGBColor(210, 210, 210),
    }
}

fn text(
    area: &ChartArea<'_>,
    at: (i32, i32),
    size: i32,
    colour: &RGBColor,
    (h, v): (HPos, VPos),
    text: String,
) -> DrawnWarps {
    let style = ("sans-serif", size).into_font().color(colour).pos(Pos::new(h, v));
    Ok(area.draw(&Text::new(text, at, style))?)
}

impl IssueSlots {
    /// The drawing: for each core its issue slots, each in the colour of what issues or of why nothing does, and below them the warps that had a block.
    ///
    /// # Errors
    /// Those of the library that draws.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        let cycles = (self.window.end - self.window.start) as i32;
        let cell = (1200 / cycles.max(1)).clamp(1, 24);
        let rows: Vec<_> = self.cores.iter().map(|core| self.live(core)).collect();
        let height = |rows: &Vec<usize>| HEAD + ROW * (rows.len() as i32 + 1) + MARGIN;
        let size = (LEFT + cell * cycles + MARGIN, TOP + rows.iter().map(height).sum::<i32>());
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (size.0.max(640) as u32, size.1 as u32)).into_drawing_area();
            area.fill(&WHITE)?;
            let Range { start, end } = self.window;
            let title = format!("Issue slots of {}, cycles {start} to {}", self.kernel, end.saturating_sub(1));
            text(&area, (MARGIN, MARGIN), 18, &BLACK, (HPos::Left, VPos::Top), title)?;
            legend(&area)?;
            let mut top = TOP;
            for (core, rows) in self.cores.iter().zip(&rows) {
                self.draw(&area, core, rows, (top, cell))?;
                top += height(rows);
            }
            area.present()?;
        }
        Ok(svg)
    }

    /// The warps that had a block in the window.
    fn live(&self, core: &CoreSlots) -> Vec<usize> {
        let has_block =
            |warp: &usize| core.states.iter().skip(*warp).step_by(self.warps).any(|&s| s != WarpState::None);
        (0..self.warps).filter(has_block).collect()
    }

    fn draw(&self, area: &ChartArea<'_>, core: &CoreSlots, warps: &[usize], (top, cell): (i32, i32)) -> DrawnWarps {
        let x = |cycle: u64| LEFT + cell * (cycle as i64 - self.window.start as i64) as i32;
        let slot = if self.parts > 1 { format!(", issue slot {}", core.part) } else { String::new() };
        text(area, (MARGIN, top), 13, &BLACK, (HPos::Left, VPos::Top), format!("core {}{slot}", core.core))?;
        let first = top + HEAD;
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|step| cell * step >= 36).unwrap_or(1000);
        for cycle in self.window.clone().filter(|cycle| cycle.is_multiple_of(step as u64)) {
            let at = (x(cycle) + cell / 2, first - 4);
            text(area, at, 10, &BLACK, (HPos::Center, VPos::Bottom), cycle.to_string())?;
        }
        let slots = self.of(core).map(|(_, states)| WarpState::of_slot(states));
        self.row(area, core, ("issue".into(), first), slots.collect(), (&x, cell), |_| None)?;
        for (row, &warp) in warps.iter().enumerate() {
            let states = self.of(core).map(|(_, states)| states[warp]).collect();
            let address = |slot: usize| core.slots[slot].issued.map(|(_, pc)| format!("{pc:x}"));
            let place = (format!("warp {}", self.number(core, warp)), first + ROW * (row as i32 + 1));
            self.row(area, core, place, states, (&x, cell), address)?;
        }
        Ok(())
    }

    /// A row of states: neighbours of one state are one rectangle, but for instructions, which have their addresses where there is room.
    fn row(
        &self,
        area: &ChartArea<'_>,
        core: &CoreSlots,
        (name, y): (String, i32),
        states: Vec<WarpState>,
        (x, cell): (&dyn Fn(u64) -> i32, i32),
        label: impl Fn(usize) -> Option<String>,
    ) -> DrawnWarps {
        text(area, (LEFT - 6, y + ROW / 2), 11, &BLACK, (HPos::Right, VPos::Center), name)?;
        let mut from = 0;
        while from < states.len() {
            let state = states[from];
            let alike = states[from..].iter().take_while(|other| **other == state).count();
            let next = if state == WarpState::Issues { from + 1 } else { from + alike };
            // A slot is the last cycle of an issue interval.
            let begin = (core.slots[from].cycle + 1).saturating_sub(self.beats).max(self.window.start);
            let (left, right) = (x(begin), x(core.slots[next - 1].cycle + 1));
            if state != WarpState::None {
                let gap = i32::from(cell > 2);
                area.draw(&Rectangle::new([(left, y + 1), (right - gap, y + ROW - 1)], colour(state).filled()))?;
            }
            let address = label(from).filter(|_| state == WarpState::Issues && right - left >= LABELLED);
            if let Some(address) = address {
                let at = ((left + right) / 2, y + ROW / 2);
                text(area, at, 9, &WHITE, (HPos::Center, VPos::Center), address)?;
            }
            from = next;
        }
        Ok(())
    }
}

fn legend(area: &ChartArea<'_>) -> DrawnWarps {
    let shown: Vec<_> = WarpState::ALL.into_iter().filter(|state| *state != WarpState::None).collect();
    for (i, state) in shown.iter().enumerate() {
        let (x, y) = (MARGIN + 120 * (i as i32 % 5), 38 + 18 * (i as i32 / 5));
        area.draw(&Rectangle::new([(x, y), (x + 12, y + 12)], colour(*state).filled()))?;
        text(area, (x + 18, y + 6), 12, &BLACK, (HPos::Left, VPos::Center), state.cause().into())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::issue_slots::IssueSlot;

    #[test]
    fn runs_of_a_state_are_one_rectangle_and_instructions_show_their_address() {
        use WarpState::{Issues, Memory, None, Ready};
        let slot = |cycle, issued| IssueSlot { cycle, issued };
        let core = CoreSlots {
            core: 3,
            part: 0,
            slots: vec![slot(7, Some((0, 0x12))), slot(8, Option::None), slot(9, Option::None)],
            states: vec![Issues, Ready, None, Memory, Memory, None, Memory, Memory, None],
        };
        let instructions = vec![String::new(); 0x13];
        let slots = IssueSlots {
            kernel: "toy".into(),
            window: 7..10,
            beats: 1,
            warps: 3,
            parts: 1,
            instructions,
            cores: vec![core],
        };
        let svg = slots.svg().unwrap_or_else(|error| panic!("{error}"));
        // Background, legend; slots: issued and lost; warp 0: issues, waits; warp 1: ready, waits; warp 2 had no block.
        assert_eq!(svg.matches("<rect").count(), 1 + 10 + 2 + 2 + 2, "{svg}");
        for text in ["Issue slots of toy, cycles 7 to 9", "core 3", "warp 1", "12", "load-use hazard"] {
            assert!(svg.lines().any(|line| line.trim() == text), "{text}: {svg}");
        }
        assert!(!svg.contains("warp 2"));
        let rows = [
            "cycle,core,slot,warp,pc,instruction,cause,warps",
            "7,3,0,0,0x0012,\"\",issued,Ir.",
            "8,3,0,,,,load-use hazard,mm.",
            "9,3,0,,,,load-use hazard,mm.",
        ];
        assert_eq!(slots.csv().lines().collect::<Vec<_>>(), rows);
    }
}
