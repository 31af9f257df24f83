//! A top with one asynchronous reset: every clock has a synchroniser that takes the reset at once and releases it at the
//! second edge, so that no flip-flop of a domain leaves reset at another edge than its neighbours.
//!
//! ```text
//!   reset --+--> reset_synchroniser (clock_noc) --> reset_noc --+
//!           +--> reset_synchroniser (clock)     --> reset ------+--> the exported top, whose resets are synchronous
//! ```

use super::{
    ClockPorts, VerilogFile,
    names::{identifier, module_identifier},
};
use hdl::{ModuleDef, NetId};
use std::fmt::Write;

/// Behind the name of the top.
const SUFFIX: &str = "_async_reset";

/// The module of the flip-flops.
pub(super) const SYNCHRONISER: &str = "reset_synchroniser";

/// Two flip-flops: set by the pin, cleared one after the other by the clock.
const SYNCHRONISER_TEXT: &str = "\
// Takes a reset at once, and releases it at the second edge of the clock after the pin.
module reset_synchroniser (
    input wire clock,
    input wire pin,
    output wire reset
);
  (* ASYNC_REG = \"TRUE\" *) reg [1:0] held;

  assign reset = held[1];

  always @(posedge clock or posedge pin) begin
    if (pin) begin
      held <= 2'b11;
    end else begin
      held <= {held[0], 1'b0};
    end
  end
endmodule
";

/// Whether a module is the top.
pub(super) fn is_top(module: &str) -> bool {
    module.ends_with(SUFFIX)
}

/// The synchroniser, and the top around `top`, whose clocks have the ports `clocks`: module `TOP_async_reset` with the pin `async_reset` and all
/// other ports of `top`.
pub fn async_reset_top(top: &ModuleDef, clocks: &[ClockPorts]) -> [VerilogFile; 2] {
    let name = format!("{}{SUFFIX}", top.name);
    let clock_ports: Vec<&str> = clocks.iter().filter_map(|ports| ports.clock.as_deref()).collect();
    let resets: Vec<(&str, &str)> =
        clocks.iter().filter_map(|ports| Some((ports.reset.as_deref()?, ports.clock.as_deref()?))).collect();
    let mut ports: Vec<String> = clock_ports.iter().map(|clock| format!("input wire {clock}")).collect();
    ports.push("input wire async_reset".into());
    let mut passed: Vec<String> = clock_ports.iter().map(ToString::to_string).collect();
    let mut port = |direction: &str, net: &NetId| {
        let net = top.net(*net);
        let range = if net.width > 1 { format!("[{}:0] ", net.width - 1) } else { String::new() };
        let port = identifier(&net.name);
        ports.push(format!("{direction} wire {range}{port}"));
        passed.push(port);
    };
    top.inputs.iter().for_each(|net| port("input", net));
    top.outputs.iter().for_each(|net| port("output", net));
    let mut text = format!(
        "// {name}\n//\n// {} with one asynchronous reset.\n`default_nettype none\n\nmodule {name} (\n    {}\n);\n",
        top.name,
        ports.join(",\n    ")
    );
    let mut line = |line: String| writeln!(text, "  {line}").expect("a string");
    for (reset, clock) in &resets {
        line(format!("wire {reset}_released;"));
        line(format!(
            "{SYNCHRONISER} {reset}_synchroniser (.clock({clock}), .pin(async_reset), .reset({reset}_released));"
        ));
    }
    let passed = passed.iter().map(|port| format!("    .{port}({port})"));
    let resets = resets.iter().map(|(reset, _)| format!("    .{reset}({reset}_released)"));
    let connections = passed.chain(resets).collect::<Vec<_>>().join(",\n");
    line(format!("{} top (\n{connections}\n  );", module_identifier(&top.name)));
    text += "endmodule\n\n`default_nettype wire\n";
    [VerilogFile { name: SYNCHRONISER.into(), text: SYNCHRONISER_TEXT.into() }, VerilogFile { name, text }]
}
