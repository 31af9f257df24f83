//! Names: what the author called things, made safe for Verilog readers, and fresh names for temporaries.

use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// Words that Verilog-2005 or SystemVerilog-2017 reserve (tools often read `.v` files as the latter), sorted.
const KEYWORDS: &str = "accept_on alias always always_comb always_ff always_latch and assert assign assume automatic \
    before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking \
    cmos config const constraint context continue cover covergroup coverpoint cross deassign default defparam design \
    disable dist do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup \
    endinterface endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum \
    event eventually expect export extends extern final first_match for force foreach forever fork forkjoin function \
    generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include \
    initial inout input inside instance int integer interconnect interface intersect join join_any join_none large let \
    liblist library local localparam logic longint macromodule matches medium modport module nand negedge nettype new \
    nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive \
    priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand \
    randc randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran \
    rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal \
    showcancelled signed small soft solve specify specparam static string strong strong0 strong1 struct super supply0 \
    supply1 sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 \
    tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use \
    uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor";

/// A word that Verilog or SystemVerilog reserves.
pub(super) fn is_reserved(name: &str) -> bool {
    static WORDS: LazyLock<FxHashSet<&str>> = LazyLock::new(|| KEYWORDS.split_ascii_whitespace().collect());
    WORDS.contains(name)
}

/// `name` as it is written in Verilog: a reserved word has `_` behind it, and what would be taken for one has one more.
pub fn identifier(name: &str) -> String {
    if is_reserved(name.trim_end_matches('_')) { format!("{name}_") } else { name.to_string() }
}

/// The name of a module as it is written: a reserved word is escaped, so that tools and files know the module by the name that it has.
pub(super) fn module_identifier(name: &str) -> String {
    if is_reserved(name) { format!("\\{name} ") } else { name.to_string() }
}

/// The names of one module.
#[derive(Debug)]
pub(super) struct ModuleNames(FxHashSet<String>);

impl ModuleNames {
    /// With the author's names taken.
    pub(super) fn new(taken: impl IntoIterator<Item = String>) -> Self {
        Self(taken.into_iter().collect())
    }

    /// Takes a name, unless it is taken, reserved, or what [`identifier`] makes of a reserved one; whether it did.
    pub(super) fn take(&mut self, name: &str) -> bool {
        identifier(name) == name && self.0.insert(name.to_string())
    }

    /// `wanted`, or `wanted_2`, `wanted_3`, ... when it is taken; taken from now on.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let candidates = std::iter::once(wanted.to_string()).chain((2..).map(|i| format!("{wanted}_{i}")));
        candidates.into_iter().find(|name| self.take(name)).expect("the candidates never end")
    }

    /// What an instance of the author's `name` (taken) is called, when its module declares `inside`: a name that stands there too would
    /// be hidden, so the instance gets one with `kind` behind.
    pub(super) fn outside(&mut self, name: &str, inside: &ModuleNames, kind: &str) -> String {
        if inside.0.contains(name) { self.fresh(&format!("{name}_{kind}")) } else { name.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_told_apart_and_fresh_names_count() {
        let names = ["priority", "priority_", "request", "request_"].map(identifier);
        assert_eq!(names, ["priority_", "priority__", "request", "request_"]);
        assert_eq!(["table", "request"].map(module_identifier), ["\\table ", "request"]);
        let mut names = ModuleNames::new(["sum".to_string()]);
        assert_eq!([names.fresh("sum"), names.fresh("sum"), names.fresh("carry")], ["sum_2", "sum_3", "carry"]);
        assert_eq!(names.fresh("first_match"), "first_match_2", "what is reserved is no name");
        assert_eq!(names.fresh("release_"), "release__2", "the author may have called something `release`");
        let child = ModuleNames::new(["carry".to_string()]);
        assert_eq!(
            [names.outside("sum", &child, "block"), names.outside("carry", &child, "block")],
            ["sum", "carry_block"]
        );
    }
}
