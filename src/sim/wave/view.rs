//! What a viewer shows when a waveform is opened: a save file of GTKWave, or commands of Surfer.
//!
//! Clocks, reset and the cycle come first. Then comes a group for each instance that was selected, or each below the top when nothing was: all
//! states and opcodes in it, and its ports. Signals that were selected one by one have a group for each instance. A word whose fields are
//! signals is left to these.

use super::{
    file::Control,
    options::{ViewFormat, WaveFormat, WaveOptions, WaveView},
    signals::{Branch, Shown, Tree},
};
use std::path::Path;

/// More groups than these are closed at first.
const OPEN_GROUPS: usize = 4;

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Bit,
    Hexadecimal,
    Decimal,
    Named,
}

impl Style {
    /// Of a value without names.
    fn plain(width: u32) -> Self {
        if width == 1 { Self::Bit } else { Self::Hexadecimal }
    }
}

/// A signal, by its path with the top's name.
struct ViewLine {
    path: String,
    width: u32,
    style: Style,
}

/// Signals in an instance, by its path with the top's name.
struct Group {
    path: String,
    lines: Vec<ViewLine>,
}

/// All that the views of a waveform show.
pub(super) struct ViewContent {
    controls: Group,
    groups: Vec<Group>,
}

/// Picoseconds: where a waveform begins, and of a cycle of its base clock.
#[derive(Clone, Copy, Default)]
pub(super) struct WaveTimes {
    pub start: u64,
    pub period: u64,
}

impl ViewContent {
    /// `is_port`: whether a signal is one of its block.
    pub fn new(tree: &Tree, controls: &[Control], options: &WaveOptions, is_port: impl Fn(&Shown) -> bool) -> Self {
        let top = &tree.top.name;
        let control = |(name, width): &Control| {
            let style = if *width == 1 { Style::Bit } else { Style::Decimal };
            ViewLine { path: format!("{top}.{name}"), width: *width, style }
        };
        let mut groups = vec![];
        match options.select[..] {
            [] => {
                groups.push(Group { path: top.clone(), lines: own(&tree.top, top, &is_port) });
                let whole = |branch: &Branch| instance(branch, &format!("{top}.{}", branch.name), &is_port);
                groups.extend(tree.top.below.iter().map(whole));
            }
            _ => collect(&tree.top, top, false, &is_port, &mut groups),
        }
        groups.retain(|group| !group.lines.is_empty());
        if options.format == WaveFormat::Vcd {
            // It has no names of values.
            groups.iter_mut().flat_map(|group| &mut group.lines).for_each(|line| line.style = Style::plain(line.width));
        }
        Self { controls: Group { path: top.clone(), lines: controls.iter().map(control).collect() }, groups }
    }

    /// The text of a view of the waveform in `wave`.
    pub fn text(&self, view: &WaveView, wave: &Path, times: WaveTimes) -> String {
        match view.format {
            ViewFormat::Gtkwave => self.gtkwave(&view.file, wave, times),
            ViewFormat::Surfer => self.surfer(),
        }
    }

    fn gtkwave(&self, file: &Path, wave: &Path, WaveTimes { start, period }: WaveTimes) -> String {
        /// As many take what the zoom is the logarithm of, some 200 pixels: the number of a cycle is read.
        const CYCLES: u64 = 4;
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into()).display().to_string();
        let zoom = -((period * CYCLES) as f64).log2();
        let mut text = format!(
            "[dumpfile] \"{}\"\n[savefile] \"{}\"\n[timestart] {start}\n*{zoom:.6} -1{}\n",
            absolute(wave),
            absolute(file),
            " -1".repeat(26)
        );
        text += &self.controls.traces();
        let closed = if self.groups.len() > OPEN_GROUPS { flags::CLOSED } else { 0 };
        for group in &self.groups {
            let collapsed = if closed == 0 { 0 } else { flags::COLLAPSED };
            let name = format!("-{}", group.name());
            text += &trace(flags::BLANK | flags::GROUP | closed, &name);
            text += &group.traces();
            text += &trace(flags::BLANK | flags::GROUP_END | closed | collapsed, &name);
        }
        text
    }

    fn surfer(&self) -> String {
        let variables = |group: &Group| -> String {
            group.lines.iter().map(|line| format!("variable_add {}\n", line.path)).collect()
        };
        let groups = self.groups.iter().map(|group| format!("divider_add {}\n{}", group.name(), variables(group)));
        variables(&self.controls) + &groups.collect::<String>() + "zoom_fit\n"
    }
}

impl Group {
    /// Its path without the top, if there is more.
    fn name(&self) -> &str {
        self.path.split_once('.').map_or(&self.path, |(_, path)| path)
    }

    /// Its signals in a save file, by their paths in the group.
    fn traces(&self) -> String {
        let signal = |line: &ViewLine| {
            let range = if line.width == 1 { String::new() } else { format!("[{}:0]", line.width - 1) };
            let inside = &line.path[self.path.len() + 1..];
            let alias = if inside.contains('.') { format!("+{{{inside}{range}}} ") } else { String::new() };
            trace(flags::of(line.style), &format!("{alias}{}{range}", line.path))
        };
        self.lines.iter().map(signal).collect()
    }
}

fn trace(flags: u64, name: &str) -> String {
    format!("@{flags:x}\n{name}\n")
}

/// Flags of a trace, as GTKWave's save files have them.
mod flags {
    use super::Style;

    const HEXADECIMAL: u64 = 1 << 1;
    const DECIMAL: u64 = 1 << 2;
    const BINARY: u64 = 1 << 3;
    const RIGHT: u64 = 1 << 5;
    pub const BLANK: u64 = 1 << 9;
    pub const COLLAPSED: u64 = 1 << 12;
    pub const CLOSED: u64 = 1 << 22;
    pub const GROUP: u64 = 1 << 23;
    pub const GROUP_END: u64 = 1 << 24;
    /// Names of values; they are looked up by the digits that are shown, which are binary.
    const NAMES: u64 = 1 << 32;

    pub fn of(style: Style) -> u64 {
        RIGHT
            | match style {
                Style::Bit => BINARY,
                Style::Hexadecimal => HEXADECIMAL,
                Style::Decimal => DECIMAL,
                Style::Named => BINARY | NAMES,
            }
    }
}

/// The groups of what was selected in a branch and below it; `inside`: an instance around it was.
fn collect(branch: &Branch, path: &str, inside: bool, is_port: &impl Fn(&Shown) -> bool, groups: &mut Vec<Group>) {
    if branch.selected {
        groups.push(instance(branch, path, is_port));
    } else if !inside {
        let lines = with_names(branch, path).chain(own(branch, path, |_| false)).collect();
        groups.push(Group { path: path.to_string(), lines });
    }
    let inside = inside || branch.selected;
    let below = |branch: &Branch| format!("{path}.{}", branch.name);
    branch.below.iter().for_each(|branch| collect(branch, &below(branch), inside, is_port, groups));
}

/// The group of an instance.
fn instance(branch: &Branch, path: &str, is_port: &impl Fn(&Shown) -> bool) -> Group {
    let mut lines = vec![];
    named(branch, path, &mut lines);
    lines.extend(own(branch, path, is_port));
    Group { path: path.to_string(), lines }
}

/// Ports of a branch without names; all of its signals without names, where no port was selected.
fn own(branch: &Branch, path: &str, is_port: impl Fn(&Shown) -> bool) -> Vec<ViewLine> {
    let all = !branch.signals.iter().any(&is_port);
    let parts: Vec<_> = branch.signals.iter().filter(|signal| !signal.bits.whole).map(|signal| signal.net).collect();
    let is_shown = |signal: &&Shown| {
        let in_parts = signal.bits.whole && parts.contains(&signal.net);
        signal.enumeration.is_none() && (all || is_port(signal)) && !in_parts
    };
    branch.signals.iter().filter(is_shown).map(|signal| line(signal, path)).collect()
}

/// What has names in a branch and below it.
fn named(branch: &Branch, path: &str, lines: &mut Vec<ViewLine>) {
    lines.extend(with_names(branch, path));
    branch.below.iter().for_each(|branch| named(branch, &format!("{path}.{}", branch.name), lines));
}

/// What has names in a branch itself.
fn with_names<'b>(branch: &'b Branch, path: &'b str) -> impl Iterator<Item = ViewLine> + 'b {
    branch.signals.iter().filter(|signal| signal.enumeration.is_some()).map(move |signal| line(signal, path))
}

fn line(signal: &Shown, path: &str) -> ViewLine {
    let width = signal.bits.width;
    let style = signal.enumeration.map_or(Style::plain(width), |_| Style::Named);
    ViewLine { path: format!("{path}.{}", signal.name), width, style }
}
