//! Shades for shares, and text, in drawings of networks.

use std::fmt::Write;

/// From light grey over yellow and red to black: shades that also differ without colour.
pub(super) fn colour(share: f64, most: f64) -> String {
    const STOPS: [(f64, [f64; 3]); 4] = [
        (0.0, [225.0, 225.0, 225.0]),
        (0.4, [245.0, 190.0, 60.0]),
        (0.75, [200.0, 50.0, 40.0]),
        (1.0, [60.0, 0.0, 20.0]),
    ];
    let at = if most > 0.0 { (share / most).clamp(0.0, 1.0) } else { 0.0 };
    let upper = STOPS.iter().position(|(stop, _)| at <= *stop).unwrap_or(STOPS.len() - 1).max(1);
    let ((from, low), (to, high)) = (STOPS[upper - 1], STOPS[upper]);
    let part = (at - from) / (to - from);
    let [r, g, b] = [0, 1, 2].map(|i| (low[i] + part * (high[i] - low[i])).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// As many shades of [`FloorPlan`](super::FloorPlan) as this, from the lowest to the highest.
pub fn shades(count: usize) -> Vec<String> {
    (0..count).map(|at| colour(at as f64, (count - 1) as f64)).collect()
}

/// The shades from the lowest to the highest, with the upper left corner here.
pub(super) fn scale(out: &mut String, (left, y): (f64, f64)) {
    for step in 0..=20 {
        let (x, fill) = (left + 8.0 * f64::from(step), colour(f64::from(step), 20.0));
        let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"8\" height=\"10\" fill=\"{fill}\"/>");
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
