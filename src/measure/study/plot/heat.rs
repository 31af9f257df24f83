//! A map of two axes: a field for each pair of values, with its number in it.

use super::{super::StudyOutcome, harmonic};
use crate::report::drawing::{CHARACTER, MARGIN, centred, longest};
use plotters::{
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::error::Error;

/// Pixels of a field, and of what is above and below them.
const FIELD: (i32, i32) = (72, 34);
const ABOVE: i32 = 64;
const BELOW: i32 = 56;

impl StudyOutcome {
    /// The IPC of kernels (the harmonic mean of several), or the latency of one traffic.
    pub(super) fn heat(&self) -> Result<String, Box<dyn Error>> {
        if self.axes.len() != 2 {
            return Err(format!("a heat map is of two axes, and there are {}", self.axes.len()).into());
        }
        let (quantity, workloads) = self.drawn();
        let is_network = self.workloads_of_chips().next().is_none();
        if is_network && workloads.len() > 1 {
            return Err(format!("a heat map is of one load, and there are {}", workloads.len()).into());
        }
        let [rows, columns] = [self.point_names(0), self.point_names(1)];
        let mut fields = vec![vec![None; columns.len()]; rows.len()];
        for design in &self.designs {
            let Some(point) = &design.point else { continue };
            let field = &mut fields[point.at[0]][point.at[1]];
            if field.is_some() {
                return Err("a heat map is of one design with two axes, and there are several".into());
            }
            *field = harmonic(workloads.iter().map(|&k| (quantity.of)(design, k)));
        }
        let mean = if workloads.len() > 1 {
            format!(", harmonic mean of {} workloads", workloads.len())
        } else {
            String::new()
        };
        let quantity = format!("{}{mean}", quantity.name);
        let names = [self.axis_name(0), self.axis_name(1)];
        draw(&self.title, &quantity, names, [&rows, &columns], &fields)
    }
}

fn draw(
    title: &str,
    quantity: &str,
    [down, right]: [String; 2],
    [rows, columns]: [&[String]; 2],
    fields: &[Vec<Option<f64>>],
) -> Result<String, Box<dyn Error>> {
    let numbers = || fields.iter().flatten().flatten().copied();
    let (low, high) = (numbers().fold(f64::INFINITY, f64::min), numbers().fold(f64::NEG_INFINITY, f64::max));
    if !low.is_finite() {
        return Err("there is nothing to draw: no run has a result".into());
    }
    // Beside the fields stands the turned name of their axis.
    let beside = (CHARACTER * longest([down.as_str()])) as i32 / rows.len() as i32 + 1;
    let field =
        (FIELD.0.max((CHARACTER * longest(columns.iter().map(String::as_str)) + 10) as i32), FIELD.1.max(beside));
    let left = MARGIN as i32 + 24 + (CHARACTER * longest(rows.iter().map(String::as_str))) as i32 + 8;
    let texts = (9 * longest([title])).max(CHARACTER * longest([quantity])) as i32 + 2 * MARGIN as i32;
    let width = (left + field.0 * columns.len() as i32 + MARGIN as i32).max(texts).max(320);
    let height = ABOVE + BELOW + field.1 * rows.len() as i32;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
        area.fill(&WHITE)?;
        let font = |size: u32| ("sans-serif", size).into_font();
        area.draw_text(title, &TextStyle::from(font(18)), (MARGIN as i32, MARGIN as i32))?;
        area.draw_text(quantity, &TextStyle::from(font(12)), (MARGIN as i32, MARGIN as i32 + 26))?;
        let beside = TextStyle::from(font(12)).pos(Pos::new(HPos::Right, VPos::Center));
        for (r, (name, row)) in rows.iter().zip(fields).enumerate() {
            let y = ABOVE + field.1 * r as i32;
            area.draw_text(name, &beside, (left - 6, y + field.1 / 2))?;
            for (c, value) in row.iter().enumerate() {
                let x = left + field.0 * c as i32;
                let corners = [(x, y), (x + field.0 - 2, y + field.1 - 2)];
                let Some(value) = value else {
                    area.draw(&Rectangle::new(corners, BLACK.mix(0.3)))?;
                    continue;
                };
                let share = if high > low { (value - low) / (high - low) } else { 0.0 };
                let (fill, dark) = shade(share);
                area.draw(&Rectangle::new(corners, fill.filled()))?;
                let ink = if dark { &WHITE } else { &BLACK };
                let style = TextStyle::from(font(12)).color(ink).pos(Pos::new(HPos::Center, VPos::Center));
                area.draw_text(&shown(*value), &style, (x + field.0 / 2 - 1, y + field.1 / 2))?;
            }
        }
        let bottom = ABOVE + field.1 * rows.len() as i32;
        for (c, name) in columns.iter().enumerate() {
            centred(&area, name, (left + field.0 * c as i32 + field.0 / 2 - 1, bottom + 6))?;
        }
        centred(&area, &right, (left + field.0 * columns.len() as i32 / 2, bottom + 28))?;
        let turned =
            TextStyle::from(font(12).transform(FontTransform::Rotate270)).pos(Pos::new(HPos::Center, VPos::Top));
        area.draw_text(&down, &turned, (MARGIN as i32, (ABOVE + bottom) / 2))?;
        area.present()?;
    }
    Ok(svg)
}

/// From light to dark blue, and whether a text on it is light.
fn shade(share: f64) -> (RGBColor, bool) {
    let mix = |light: f64, dark: f64| (light + share * (dark - light)).round() as u8;
    (RGBColor(mix(222.0, 8.0), mix(235.0, 48.0), mix(247.0, 107.0)), share > 0.5)
}

/// Four digits.
fn shown(value: f64) -> String {
    let before = value.abs().max(1.0).log10().floor() as usize;
    format!("{value:.*}", 3_usize.saturating_sub(before))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::outcome;
    use crate::report::drawing::testing::{numbers, place};

    #[test]
    fn each_pair_of_values_has_its_field() {
        let outcome = outcome(&[("network.channel_bytes", &["8", "16", "32"]), ("network.vcs", &["2", "4"])], 1);
        let svg = outcome.heat().unwrap_or_else(|error| panic!("{error}"));
        let fields = &numbers(&svg, "<rect", ["x", "y", "width", "height"])[1..];
        assert_eq!(fields.len(), 6, "{svg}");
        for (number, [x, y, width, height]) in fields.iter().enumerate() {
            let (row, column) = (["8", "16", "32"][number / 2], ["2", "4"][number % 2]);
            let ([name, below], is_centred) = place(&svg, column);
            assert!(is_centred && (name - (x + width / 2.0)).abs() <= 2.0 && below > y + height, "{column}: {svg}");
            let [before, name] = place(&svg, row).0;
            assert!(before < *x && *y <= name && name <= y + height, "{row}: {svg}");
        }
    }

    #[test]
    fn a_map_needs_two_axes() {
        let error = outcome(&[("network.vcs", &["2", "4"])], 1).heat().expect_err("refused");
        assert_eq!(error.to_string(), "a heat map is of two axes, and there are 1");
    }
}
