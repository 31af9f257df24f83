//! What charts have in common: colours, marks, a legend beside the data, names under their places.

use super::COLOURS;
use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};
use std::error::Error;

/// Pixels of margins, of an axis with its description, and of a line of the legend.
pub(crate) const MARGIN: u32 = 12;
pub(crate) const AXIS: u32 = 62;
pub(crate) const ROW: u32 = 16;
/// Pixels of a character at most.
pub(crate) const CHARACTER: usize = 7;
/// Upper end of the legend.
const TOP: i32 = 48;

/// A picture that is drawn on.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Characters of the longest name.
pub(crate) fn longest<'n>(names: impl IntoIterator<Item = &'n str>) -> usize {
    names.into_iter().map(|name| name.chars().count()).max().unwrap_or(0)
}

/// Pixels that a legend with these names is wide.
pub(crate) fn legend_width<'n>(names: impl IntoIterator<Item = &'n str>) -> u32 {
    (CHARACTER * longest(names)) as u32 + 40
}

/// Pixels that a picture with so many names in its legend is high at the least.
pub(crate) fn legend_height(names: usize) -> u32 {
    80 + ROW * names as u32
}

/// Of one of several series; those after the seventh are lighter.
pub(crate) fn colour(number: usize) -> RGBAColor {
    let shade = [1.0, 0.55, 0.3][(number / COLOURS.len()).min(2)];
    COLOURS[number % COLOURS.len()].mix(shade)
}

/// A mark that prints: seven shapes do not come with the same colour again before 84 series.
pub(crate) fn mark(area: &Area<'_>, number: usize, (x, y): (i32, i32)) -> Result<(), Box<dyn Error>> {
    let (colour, size) = (colour(number), 4);
    match (number + number / COLOURS.len()) % 4 {
        0 => area.draw(&Circle::new((x, y), size, colour.filled()))?,
        1 => area.draw(&TriangleMarker::new((x, y), size + 1, colour.filled()))?,
        2 => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], colour.filled()))?,
        _ => area.draw(&Cross::new((x, y), size, colour.stroke_width(2)))?,
    }
    Ok(())
}

/// A name of the legend, and where its sign has its left and its middle.
pub(crate) fn legend_row(area: &Area<'_>, left: u32, row: usize, name: &str) -> Result<(i32, i32), Box<dyn Error>> {
    let (left, y) = (left as i32 + 10, TOP + (ROW as usize * row) as i32);
    area.draw(&Text::new(name.to_string(), (left + 26, y), ("sans-serif", 12)))?;
    Ok((left, y + 5))
}

/// A text centred over its place.
pub(crate) fn centred(area: &Area<'_>, text: &str, at: (i32, i32)) -> Result<(), Box<dyn Error>> {
    let style = TextStyle::from(("sans-serif", 12).into_font()).pos(Pos::new(HPos::Center, VPos::Top));
    Ok(area.draw_text(text, &style, at)?)
}

/// Points up to `top`, and where the line leaves the drawing.
pub(crate) fn cut(points: &[(f64, f64)], top: f64) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = vec![];
    for &(x, y) in points {
        if y <= top {
            line.push((x, y));
            continue;
        }
        if let Some(&(before, below)) = line.last() {
            line.push((before + (x - before) * (top - below) / (y - below), top));
        }
        break;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_where_it_leaves_the_drawing() {
        assert_eq!(cut(&[(0.0, 1.0), (1.0, 2.0), (2.0, 6.0), (3.0, 9.0)], 4.0), [(0.0, 1.0), (1.0, 2.0), (1.5, 4.0)]);
        assert_eq!(cut(&[(0.0, 1.0), (1.0, 2.0)], 4.0), [(0.0, 1.0), (1.0, 2.0)]);
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Reading a drawing.

    /// Attributes `names` of all elements whose line begins with `start`.
    pub fn numbers<const N: usize>(svg: &str, start: &str, names: [&str; N]) -> Vec<[f64; N]> {
        let of = |line: &str, name: &str| -> Option<f64> {
            line.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.parse().ok()
        };
        let lines = svg.lines().filter(|line| line.starts_with(start));
        lines.map(|line| names.map(|name| of(line, name).unwrap_or(f64::NAN))).collect()
    }

    /// The place of a text, and whether it stands around it (rather than behind it).
    pub fn place(svg: &str, text: &str) -> ([f64; 2], bool) {
        let lines: Vec<_> = svg.lines().collect();
        let at = lines.iter().position(|line| *line == text).unwrap_or_else(|| panic!("no {text}: {svg}"));
        (numbers(lines[at - 1], "<text", ["x", "y"])[0], lines[at - 1].contains("text-anchor=\"middle\""))
    }
}
