//! Timing constraints of an exported chip, in the format of Synopsys (SDC).

use super::ClockPorts;
use std::fmt::Write;

/// Name of the file with them.
pub const CONSTRAINTS: &str = "constraints.sdc";

/// A clock that drives a port of the top module.
struct Clock<'a> {
    name: &'a str,
    port: &'a str,
    megahertz: u32,
}

impl Clock<'_> {
    /// In ns, rounded down to ps.
    fn period(&self) -> f64 {
        (1e6 / f64::from(self.megahertz)).floor() / 1e3
    }
}

/// Clocks of the module `top` with the clock ports `ports`, and what has to arrive in time on the ways between them. `parts` are the parts
/// of a chip, each with its clock domain and MHz: a clock is called by the first of those that it drives.
pub fn constraints(top: &str, ports: &[ClockPorts], parts: &[(&str, &str, u32)]) -> String {
    let of = |port: &'_ ClockPorts| {
        let part = parts.iter().find(|(_, domain, _)| *domain == port.domain).copied();
        part.zip(port.clock.clone())
    };
    let found: Vec<_> = ports.iter().filter_map(of).collect();
    let clocks: Vec<_> =
        found.iter().map(|((name, _, megahertz), port)| Clock { name, port, megahertz: *megahertz }).collect();
    let mut text = format!(
        "# Timing constraints of {top}.\n#\n# Ports have none but these: their delays depend on what is around it \
         (set_input_delay, set_output_delay).\nset_units -time ns\n\n"
    );
    for clock in &clocks {
        let (name, port, period, mhz) = (clock.name, clock.port, clock.period(), clock.megahertz);
        writeln!(text, "create_clock -name {name} -period {period:.3} [get_ports {port}] ;# {mhz} MHz")
            .expect("a string");
    }
    if clocks.len() > 1 {
        text.push_str(
            "\n# No clock keeps a phase to another. The only ways across are clock_crossing_fifo and synchroniser: of a \
             Gray-coded pointer\n# one bit changes at a time, and a word stands still before it is read. So whatever crosses \
             has to arrive within the shorter\n# of both periods, and nothing has to be held.\n",
        );
    }
    let pairs = clocks.iter().flat_map(|from| clocks.iter().map(move |to| (from, to)));
    for (from, to) in pairs.filter(|(from, to)| from.name != to.name) {
        let way = format!("-from [get_clocks {}] -to [get_clocks {}]", from.name, to.name);
        let delay = from.period().min(to.period());
        writeln!(text, "set_max_delay {delay:.3} {way}\nset_false_path -hold {way}").expect("a string");
    }
    text
}
