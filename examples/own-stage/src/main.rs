//! warpmesh with a stage of its own before the memory port: it counts the lines that a core reads and writes behind its
//! data cache. A chip has it with `core.own_stages.line_counter = true`.

#![forbid(unsafe_code)]

use std::process::ExitCode;
use warpmesh::{
    common::policies::RowError,
    core::{
        CoreParams,
        memory::{
            stage::{ClientPorts, MemoryStage, Protocol, ServerPorts},
            stages,
        },
    },
    hdl::{Builder, Module, Statistic, params, statistics},
};

statistics! {
    "line_counter" {
        /// Lines read.
        READS: reads in "lines";
        /// Lines of which something is written.
        WRITES: writes in "lines";
    }
}

struct LineCounter;

impl MemoryStage for LineCounter {
    fn name(&self) -> &'static str {
        "line_counter"
    }

    fn about(&self) -> &'static str {
        "Lines read and written, counted."
    }

    fn behind(&self) -> Option<&'static str> {
        Some("l1d")
    }

    fn module(&self, _: &CoreParams, above: Protocol) -> Option<Module> {
        Some(line_counter(&above))
    }

    fn holds_replies(&self) -> bool {
        true
    }

    fn statistics(&self) -> &'static [Statistic] {
        STATISTICS
    }
}

/// Requests and replies pass in the cycle in which they come.
fn line_counter(protocol: &Protocol) -> Module {
    let m = Builder::new("line_counter", params! { line_bytes: protocol.line_bytes, tag_bits: protocol.tag_bits });
    m.doc("Counts the lines that are read and written.");
    let (above, below) = (ServerPorts::new(&m, protocol), ClientPorts::new(&m, protocol));
    let (request, taken) = above.request().signals();
    below.downstream().shows(request);
    let passes = below.downstream().answer();
    taken.shows(passes);
    let (reply, reply_taken) = below.downstream_reply().signals();
    above.reply().shows(reply);
    reply_taken.shows(above.reply().answer());
    m.count(READS, passes & !request.write);
    m.count(WRITES, passes & request.write);
    m.finish()
}

fn main() -> Result<ExitCode, RowError> {
    stages::add(&LineCounter)?;
    Ok(warpmesh::main())
}
