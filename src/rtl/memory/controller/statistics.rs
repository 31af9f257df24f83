//! What is counted of a memory controller.

use hdl::statistics;

statistics! {
    "memory_controller" {
        /// Requests received.
        REQUESTS: requests in "requests";
        /// Writes received.
        WRITES: writes in "requests";
        /// Requests in the queue, each cycle.
        QUEUE_OCCUPANCY: queue_occupancy in "requests";
        /// Accesses to a row that was open already.
        ROW_HITS: row_hits in "accesses";
        /// ACTIVATE commands.
        ACTIVATES: activates in "commands";
        /// PRECHARGE commands.
        PRECHARGES: precharges in "commands";
        /// READ and WRITE commands, a line each.
        BURSTS: bursts in "bursts";
        /// READ commands; all other bursts are writes.
        READ_COMMANDS: read_commands in "commands";
        /// Requests that find another row open in their bank when they arrive.
        BANK_CONFLICTS: bank_conflicts in "requests";
        /// Cycles in which the data bus is in use; of all cycles: the utilisation of the DRAM.
        BUS_BUSY_CYCLES: bus_busy_cycles in "cycles";
        /// Cycles with a request that waits or is served; `bus_busy_cycles` of them: the efficiency of the DRAM.
        PENDING_CYCLES: pending_cycles in "cycles";
    }
}
