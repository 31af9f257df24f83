// chip_default
//
// The whole chip: tiles and wires.
//
// Parameters: name = default
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module chip_default (
    input wire clock,
    input wire reset,
    input wire host_write, // The host writes a word.
    input wire [19:0] host_address, // To this address.
    input wire [63:0] host_data, // What the host writes, and that the kernel starts.
    input wire host_start, // The kernel starts.
    input wire [511:0] dram0_read_data, // The line that comes from it.
    input wire [511:0] dram1_read_data, // The line that comes from it.
    input wire [511:0] dram2_read_data, // The line that comes from it.
    input wire [511:0] dram3_read_data, // The line that comes from it.
    output wire host_done, // The kernel is over.
    output wire [2:0] dram0_command, // See command.
    output wire [2:0] dram0_bank, // Pins of a DRAM channel.
    output wire [15:0] dram0_row, // Pins of a DRAM channel.
    output wire [4:0] dram0_column, // Pins of a DRAM channel.
    output wire [511:0] dram0_write_data, // Pins of a DRAM channel.
    output wire [63:0] dram0_write_mask, // Pins of a DRAM channel.
    output wire [2:0] dram1_command, // See command.
    output wire [2:0] dram1_bank, // Pins of a DRAM channel.
    output wire [15:0] dram1_row, // Pins of a DRAM channel.
    output wire [4:0] dram1_column, // Pins of a DRAM channel.
    output wire [511:0] dram1_write_data, // Pins of a DRAM channel.
    output wire [63:0] dram1_write_mask, // Pins of a DRAM channel.
    output wire [2:0] dram2_command, // See command.
    output wire [2:0] dram2_bank, // Pins of a DRAM channel.
    output wire [15:0] dram2_row, // Pins of a DRAM channel.
    output wire [4:0] dram2_column, // Pins of a DRAM channel.
    output wire [511:0] dram2_write_data, // Pins of a DRAM channel.
    output wire [63:0] dram2_write_mask, // Pins of a DRAM channel.
    output wire [2:0] dram3_command, // See command.
    output wire [2:0] dram3_bank, // Pins of a DRAM channel.
    output wire [15:0] dram3_row, // Pins of a DRAM channel.
    output wire [4:0] dram3_column, // Pins of a DRAM channel.
    output wire [511:0] dram3_write_data, // Pins of a DRAM channel.
    output wire [63:0] dram3_write_mask // Pins of a DRAM channel.
);
  wire [3:0] router0_in_east_credit;
  wire [3:0] router0_in_south_credit;
  wire [3:0] router0_in_inject0_credit;
  wire router0_out_east_valid;
  wire router0_out_east_head;
  wire router0_out_east_tail;
  wire [1:0] router0_out_east_vc;
  wire [3:0] router0_out_east_dest;
  wire router0_out_east_route_class;
  wire [8:0] router0_out_east_info;
  wire [127:0] router0_out_east_payload;
  wire router0_out_south_valid;
  wire router0_out_south_head;
  wire router0_out_south_tail;
  wire [1:0] router0_out_south_vc;
  wire [3:0] router0_out_south_dest;
  wire router0_out_south_route_class;
  wire [8:0] router0_out_south_info;
  wire [127:0] router0_out_south_payload;
  wire router0_out_eject0_valid;
  wire router0_out_eject0_head;
  wire router0_out_eject0_tail;
  wire [1:0] router0_out_eject0_vc;
  wire [8:0] router0_out_eject0_info;
  wire [127:0] router0_out_eject0_payload;
  wire [3:0] router1_in_east_credit;
  wire [3:0] router1_in_south_credit;
  wire [3:0] router1_in_west_credit;
  wire [3:0] router1_in_inject0_credit;
  wire router1_out_east_valid;
  wire router1_out_east_head;
  wire router1_out_east_tail;
  wire [1:0] router1_out_east_vc;
  wire [3:0] router1_out_east_dest;
  wire router1_out_east_route_class;
  wire [8:0] router1_out_east_info;
  wire [127:0] router1_out_east_payload;
  wire router1_out_south_valid;
  wire router1_out_south_head;
  wire router1_out_south_tail;
  wire [1:0] router1_out_south_vc;
  wire [3:0] router1_out_south_dest;
  wire router1_out_south_route_class;
  wire [8:0] router1_out_south_info;
  wire [127:0] router1_out_south_payload;
  wire router1_out_west_valid;
  wire router1_out_west_head;
  wire router1_out_west_tail;
  wire [1:0] router1_out_west_vc;
  wire [3:0] router1_out_west_dest;
  wire router1_out_west_route_class;
  wire [8:0] router1_out_west_info;
  wire [127:0] router1_out_west_payload;
  wire router1_out_eject0_valid;
  wire router1_out_eject0_head;
  wire router1_out_eject0_tail;
  wire [1:0] router1_out_eject0_vc;
  wire [8:0] router1_out_eject0_info;
  wire [127:0] router1_out_eject0_payload;
  wire [3:0] router2_in_east_credit;
  wire [3:0] router2_in_south_credit;
  wire [3:0] router2_in_west_credit;
  wire [3:0] router2_in_inject0_credit;
  wire router2_out_east_valid;
  wire router2_out_east_head;
  wire router2_out_east_tail;
  wire [1:0] router2_out_east_vc;
  wire [3:0] router2_out_east_dest;
  wire router2_out_east_route_class;
  wire [8:0] router2_out_east_info;
  wire [127:0] router2_out_east_payload;
  wire router2_out_south_valid;
  wire router2_out_south_head;
  wire router2_out_south_tail;
  wire [1:0] router2_out_south_vc;
  wire [3:0] router2_out_south_dest;
  wire router2_out_south_route_class;
  wire [8:0] router2_out_south_info;
  wire [127:0] router2_out_south_payload;
  wire router2_out_west_valid;
  wire router2_out_west_head;
  wire router2_out_west_tail;
  wire [1:0] router2_out_west_vc;
  wire [3:0] router2_out_west_dest;
  wire router2_out_west_route_class;
  wire [8:0] router2_out_west_info;
  wire [127:0] router2_out_west_payload;
  wire router2_out_eject0_valid;
  wire router2_out_eject0_head;
  wire router2_out_eject0_tail;
  wire [1:0] router2_out_eject0_vc;
  wire [8:0] router2_out_eject0_info;
  wire [127:0] router2_out_eject0_payload;
  wire [3:0] router3_in_south_credit;
  wire [3:0] router3_in_west_credit;
  wire [3:0] router3_in_inject0_credit;
  wire router3_out_south_valid;
  wire router3_out_south_head;
  wire router3_out_south_tail;
  wire [1:0] router3_out_south_vc;
  wire [3:0] router3_out_south_dest;
  wire router3_out_south_route_class;
  wire [8:0] router3_out_south_info;
  wire [127:0] router3_out_south_payload;
  wire router3_out_west_valid;
  wire router3_out_west_head;
  wire router3_out_west_tail;
  wire [1:0] router3_out_west_vc;
  wire [3:0] router3_out_west_dest;
  wire router3_out_west_route_class;
  wire [8:0] router3_out_west_info;
  wire [127:0] router3_out_west_payload;
  wire router3_out_eject0_valid;
  wire router3_out_eject0_head;
  wire router3_out_eject0_tail;
  wire [1:0] router3_out_eject0_vc;
  wire [8:0] router3_out_eject0_info;
  wire [127:0] router3_out_eject0_payload;
  wire [3:0] router4_in_north_credit;
  wire [3:0] router4_in_east_credit;
  wire [3:0] router4_in_south_credit;
  wire [3:0] router4_in_inject0_credit;
  wire router4_out_north_valid;
  wire router4_out_north_head;
  wire router4_out_north_tail;
  wire [1:0] router4_out_north_vc;
  wire [3:0] router4_out_north_dest;
  wire router4_out_north_route_class;
  wire [8:0] router4_out_north_info;
  wire [127:0] router4_out_north_payload;
  wire router4_out_east_valid;
  wire router4_out_east_head;
  wire router4_out_east_tail;
  wire [1:0] router4_out_east_vc;
  wire [3:0] router4_out_east_dest;
  wire router4_out_east_route_class;
  wire [8:0] router4_out_east_info;
  wire [127:0] router4_out_east_payload;
  wire router4_out_south_valid;
  wire router4_out_south_head;
  wire router4_out_south_tail;
  wire [1:0] router4_out_south_vc;
  wire [3:0] router4_out_south_dest;
  wire router4_out_south_route_class;
  wire [8:0] router4_out_south_info;
  wire [127:0] router4_out_south_payload;
  wire router4_out_eject0_valid;
  wire router4_out_eject0_head;
  wire router4_out_eject0_tail;
  wire [1:0] router4_out_eject0_vc;
  wire [8:0] router4_out_eject0_info;
  wire [127:0] router4_out_eject0_payload;
  wire [3:0] router5_in_north_credit;
  wire [3:0] router5_in_east_credit;
  wire [3:0] router5_in_south_credit;
  wire [3:0] router5_in_west_credit;
  wire [3:0] router5_in_inject0_credit;
  wire router5_out_north_valid;
  wire router5_out_north_head;
  wire router5_out_north_tail;
  wire [1:0] router5_out_north_vc;
  wire [3:0] router5_out_north_dest;
  wire router5_out_north_route_class;
  wire [8:0] router5_out_north_info;
  wire [127:0] router5_out_north_payload;
  wire router5_out_east_valid;
  wire router5_out_east_head;
  wire router5_out_east_tail;
  wire [1:0] router5_out_east_vc;
  wire [3:0] router5_out_east_dest;
  wire router5_out_east_route_class;
  wire [8:0] router5_out_east_info;
  wire [127:0] router5_out_east_payload;
  wire router5_out_south_valid;
  wire router5_out_south_head;
  wire router5_out_south_tail;
  wire [1:0] router5_out_south_vc;
  wire [3:0] router5_out_south_dest;
  wire router5_out_south_route_class;
  wire [8:0] router5_out_south_info;
  wire [127:0] router5_out_south_payload;
  wire router5_out_west_valid;
  wire router5_out_west_head;
  wire router5_out_west_tail;
  wire [1:0] router5_out_west_vc;
  wire [3:0] router5_out_west_dest;
  wire router5_out_west_route_class;
  wire [8:0] router5_out_west_info;
  wire [127:0] router5_out_west_payload;
  wire router5_out_eject0_valid;
  wire router5_out_eject0_head;
  wire router5_out_eject0_tail;
  wire [1:0] router5_out_eject0_vc;
  wire [8:0] router5_out_eject0_info;
  wire [127:0] router5_out_eject0_payload;
  wire [3:0] router6_in_north_credit;
  wire [3:0] router6_in_east_credit;
  wire [3:0] router6_in_south_credit;
  wire [3:0] router6_in_west_credit;
  wire [3:0] router6_in_inject0_credit;
  wire router6_out_north_valid;
  wire router6_out_north_head;
  wire router6_out_north_tail;
  wire [1:0] router6_out_north_vc;
  wire [3:0] router6_out_north_dest;
  wire router6_out_north_route_class;
  wire [8:0] router6_out_north_info;
  wire [127:0] router6_out_north_payload;
  wire router6_out_east_valid;
  wire router6_out_east_head;
  wire router6_out_east_tail;
  wire [1:0] router6_out_east_vc;
  wire [3:0] router6_out_east_dest;
  wire router6_out_east_route_class;
  wire [8:0] router6_out_east_info;
  wire [127:0] router6_out_east_payload;
  wire router6_out_south_valid;
  wire router6_out_south_head;
  wire router6_out_south_tail;
  wire [1:0] router6_out_south_vc;
  wire [3:0] router6_out_south_dest;
  wire router6_out_south_route_class;
  wire [8:0] router6_out_south_info;
  wire [127:0] router6_out_south_payload;
  wire router6_out_west_valid;
  wire router6_out_west_head;
  wire router6_out_west_tail;
  wire [1:0] router6_out_west_vc;
  wire [3:0] router6_out_west_dest;
  wire router6_out_west_route_class;
  wire [8:0] router6_out_west_info;
  wire [127:0] router6_out_west_payload;
  wire router6_out_eject0_valid;
  wire router6_out_eject0_head;
  wire router6_out_eject0_tail;
  wire [1:0] router6_out_eject0_vc;
  wire [8:0] router6_out_eject0_info;
  wire [127:0] router6_out_eject0_payload;
  wire [3:0] router7_in_north_credit;
  wire [3:0] router7_in_south_credit;
  wire [3:0] router7_in_west_credit;
  wire [3:0] router7_in_inject0_credit;
  wire router7_out_north_valid;
  wire router7_out_north_head;
  wire router7_out_north_tail;
  wire [1:0] router7_out_north_vc;
  wire [3:0] router7_out_north_dest;
  wire router7_out_north_route_class;
  wire [8:0] router7_out_north_info;
  wire [127:0] router7_out_north_payload;
  wire router7_out_south_valid;
  wire router7_out_south_head;
  wire router7_out_south_tail;
  wire [1:0] router7_out_south_vc;
  wire [3:0] router7_out_south_dest;
  wire router7_out_south_route_class;
  wire [8:0] router7_out_south_info;
  wire [127:0] router7_out_south_payload;
  wire router7_out_west_valid;
  wire router7_out_west_head;
  wire router7_out_west_tail;
  wire [1:0] router7_out_west_vc;
  wire [3:0] router7_out_west_dest;
  wire router7_out_west_route_class;
  wire [8:0] router7_out_west_info;
  wire [127:0] router7_out_west_payload;
  wire router7_out_eject0_valid;
  wire router7_out_eject0_head;
  wire router7_out_eject0_tail;
  wire [1:0] router7_out_eject0_vc;
  wire [8:0] router7_out_eject0_info;
  wire [127:0] router7_out_eject0_payload;
  wire [3:0] router8_in_north_credit;
  wire [3:0] router8_in_east_credit;
  wire [3:0] router8_in_south_credit;
  wire [3:0] router8_in_inject0_credit;
  wire router8_out_north_valid;
  wire router8_out_north_head;
  wire router8_out_north_tail;
  wire [1:0] router8_out_north_vc;
  wire [3:0] router8_out_north_dest;
  wire router8_out_north_route_class;
  wire [8:0] router8_out_north_info;
  wire [127:0] router8_out_north_payload;
  wire router8_out_east_valid;
  wire router8_out_east_head;
  wire router8_out_east_tail;
  wire [1:0] router8_out_east_vc;
  wire [3:0] router8_out_east_dest;
  wire router8_out_east_route_class;
  wire [8:0] router8_out_east_info;
  wire [127:0] router8_out_east_payload;
  wire router8_out_south_valid;
  wire router8_out_south_head;
  wire router8_out_south_tail;
  wire [1:0] router8_out_south_vc;
  wire [3:0] router8_out_south_dest;
  wire router8_out_south_route_class;
  wire [8:0] router8_out_south_info;
  wire [127:0] router8_out_south_payload;
  wire router8_out_eject0_valid;
  wire router8_out_eject0_head;
  wire router8_out_eject0_tail;
  wire [1:0] router8_out_eject0_vc;
  wire [8:0] router8_out_eject0_info;
  wire [127:0] router8_out_eject0_payload;
  wire [3:0] router9_in_north_credit;
  wire [3:0] router9_in_east_credit;
  wire [3:0] router9_in_south_credit;
  wire [3:0] router9_in_west_credit;
  wire [3:0] router9_in_inject0_credit;
  wire router9_out_north_valid;
  wire router9_out_north_head;
  wire router9_out_north_tail;
  wire [1:0] router9_out_north_vc;
  wire [3:0] router9_out_north_dest;
  wire router9_out_north_route_class;
  wire [8:0] router9_out_north_info;
  wire [127:0] router9_out_north_payload;
  wire router9_out_east_valid;
  wire router9_out_east_head;
  wire router9_out_east_tail;
  wire [1:0] router9_out_east_vc;
  wire [3:0] router9_out_east_dest;
  wire router9_out_east_route_class;
  wire [8:0] router9_out_east_info;
  wire [127:0] router9_out_east_payload;
  wire router9_out_south_valid;
  wire router9_out_south_head;
  wire router9_out_south_tail;
  wire [1:0] router9_out_south_vc;
  wire [3:0] router9_out_south_dest;
  wire router9_out_south_route_class;
  wire [8:0] router9_out_south_info;
  wire [127:0] router9_out_south_payload;
  wire router9_out_west_valid;
  wire router9_out_west_head;
  wire router9_out_west_tail;
  wire [1:0] router9_out_west_vc;
  wire [3:0] router9_out_west_dest;
  wire router9_out_west_route_class;
  wire [8:0] router9_out_west_info;
  wire [127:0] router9_out_west_payload;
  wire router9_out_eject0_valid;
  wire router9_out_eject0_head;
  wire router9_out_eject0_tail;
  wire [1:0] router9_out_eject0_vc;
  wire [8:0] router9_out_eject0_info;
  wire [127:0] router9_out_eject0_payload;
  wire [3:0] router10_in_north_credit;
  wire [3:0] router10_in_east_credit;
  wire [3:0] router10_in_south_credit;
  wire [3:0] router10_in_west_credit;
  wire [3:0] router10_in_inject0_credit;
  wire router10_out_north_valid;
  wire router10_out_north_head;
  wire router10_out_north_tail;
  wire [1:0] router10_out_north_vc;
  wire [3:0] router10_out_north_dest;
  wire router10_out_north_route_class;
  wire [8:0] router10_out_north_info;
  wire [127:0] router10_out_north_payload;
  wire router10_out_east_valid;
  wire router10_out_east_head;
  wire router10_out_east_tail;
  wire [1:0] router10_out_east_vc;
  wire [3:0] router10_out_east_dest;
  wire router10_out_east_route_class;
  wire [8:0] router10_out_east_info;
  wire [127:0] router10_out_east_payload;
  wire router10_out_south_valid;
  wire router10_out_south_head;
  wire router10_out_south_tail;
  wire [1:0] router10_out_south_vc;
  wire [3:0] router10_out_south_dest;
  wire router10_out_south_route_class;
  wire [8:0] router10_out_south_info;
  wire [127:0] router10_out_south_payload;
  wire router10_out_west_valid;
  wire router10_out_west_head;
  wire router10_out_west_tail;
  wire [1:0] router10_out_west_vc;
  wire [3:0] router10_out_west_dest;
  wire router10_out_west_route_class;
  wire [8:0] router10_out_west_info;
  wire [127:0] router10_out_west_payload;
  wire router10_out_eject0_valid;
  wire router10_out_eject0_head;
  wire router10_out_eject0_tail;
  wire [1:0] router10_out_eject0_vc;
  wire [8:0] router10_out_eject0_info;
  wire [127:0] router10_out_eject0_payload;
  wire [3:0] router11_in_north_credit;
  wire [3:0] router11_in_south_credit;
  wire [3:0] router11_in_west_credit;
  wire [3:0] router11_in_inject0_credit;
  wire router11_out_north_valid;
  wire router11_out_north_head;
  wire router11_out_north_tail;
  wire [1:0] router11_out_north_vc;
  wire [3:0] router11_out_north_dest;
  wire router11_out_north_route_class;
  wire [8:0] router11_out_north_info;
  wire [127:0] router11_out_north_payload;
  wire router11_out_south_valid;
  wire router11_out_south_head;
  wire router11_out_south_tail;
  wire [1:0] router11_out_south_vc;
  wire [3:0] router11_out_south_dest;
  wire router11_out_south_route_class;
  wire [8:0] router11_out_south_info;
  wire [127:0] router11_out_south_payload;
  wire router11_out_west_valid;
  wire router11_out_west_head;
  wire router11_out_west_tail;
  wire [1:0] router11_out_west_vc;
  wire [3:0] router11_out_west_dest;
  wire router11_out_west_route_class;
  wire [8:0] router11_out_west_info;
  wire [127:0] router11_out_west_payload;
  wire router11_out_eject0_valid;
  wire router11_out_eject0_head;
  wire router11_out_eject0_tail;
  wire [1:0] router11_out_eject0_vc;
  wire [8:0] router11_out_eject0_info;
  wire [127:0] router11_out_eject0_payload;
  wire [3:0] router12_in_north_credit;
  wire [3:0] router12_in_east_credit;
  wire [3:0] router12_in_inject0_credit;
  wire router12_out_north_valid;
  wire router12_out_north_head;
  wire router12_out_north_tail;
  wire [1:0] router12_out_north_vc;
  wire [3:0] router12_out_north_dest;
  wire router12_out_north_route_class;
  wire [8:0] router12_out_north_info;
  wire [127:0] router12_out_north_payload;
  wire router12_out_east_valid;
  wire router12_out_east_head;
  wire router12_out_east_tail;
  wire [1:0] router12_out_east_vc;
  wire [3:0] router12_out_east_dest;
  wire router12_out_east_route_class;
  wire [8:0] router12_out_east_info;
  wire [127:0] router12_out_east_payload;
  wire router12_out_eject0_valid;
  wire router12_out_eject0_head;
  wire router12_out_eject0_tail;
  wire [1:0] router12_out_eject0_vc;
  wire [8:0] router12_out_eject0_info;
  wire [127:0] router12_out_eject0_payload;
  wire [3:0] router13_in_north_credit;
  wire [3:0] router13_in_east_credit;
  wire [3:0] router13_in_west_credit;
  wire [3:0] router13_in_inject0_credit;
  wire router13_out_north_valid;
  wire router13_out_north_head;
  wire router13_out_north_tail;
  wire [1:0] router13_out_north_vc;
  wire [3:0] router13_out_north_dest;
  wire router13_out_north_route_class;
  wire [8:0] router13_out_north_info;
  wire [127:0] router13_out_north_payload;
  wire router13_out_east_valid;
  wire router13_out_east_head;
  wire router13_out_east_tail;
  wire [1:0] router13_out_east_vc;
  wire [3:0] router13_out_east_dest;
  wire router13_out_east_route_class;
  wire [8:0] router13_out_east_info;
  wire [127:0] router13_out_east_payload;
  wire router13_out_west_valid;
  wire router13_out_west_head;
  wire router13_out_west_tail;
  wire [1:0] router13_out_west_vc;
  wire [3:0] router13_out_west_dest;
  wire router13_out_west_route_class;
  wire [8:0] router13_out_west_info;
  wire [127:0] router13_out_west_payload;
  wire router13_out_eject0_valid;
  wire router13_out_eject0_head;
  wire router13_out_eject0_tail;
  wire [1:0] router13_out_eject0_vc;
  wire [8:0] router13_out_eject0_info;
  wire [127:0] router13_out_eject0_payload;
  wire [3:0] router14_in_north_credit;
  wire [3:0] router14_in_east_credit;
  wire [3:0] router14_in_west_credit;
  wire [3:0] router14_in_inject0_credit;
  wire router14_out_north_valid;
  wire router14_out_north_head;
  wire router14_out_north_tail;
  wire [1:0] router14_out_north_vc;
  wire [3:0] router14_out_north_dest;
  wire router14_out_north_route_class;
  wire [8:0] router14_out_north_info;
  wire [127:0] router14_out_north_payload;
  wire router14_out_east_valid;
  wire router14_out_east_head;
  wire router14_out_east_tail;
  wire [1:0] router14_out_east_vc;
  wire [3:0] router14_out_east_dest;
  wire router14_out_east_route_class;
  wire [8:0] router14_out_east_info;
  wire [127:0] router14_out_east_payload;
  wire router14_out_west_valid;
  wire router14_out_west_head;
  wire router14_out_west_tail;
  wire [1:0] router14_out_west_vc;
  wire [3:0] router14_out_west_dest;
  wire router14_out_west_route_class;
  wire [8:0] router14_out_west_info;
  wire [127:0] router14_out_west_payload;
  wire router14_out_eject0_valid;
  wire router14_out_eject0_head;
  wire router14_out_eject0_tail;
  wire [1:0] router14_out_eject0_vc;
  wire [8:0] router14_out_eject0_info;
  wire [127:0] router14_out_eject0_payload;
  wire [3:0] router15_in_north_credit;
  wire [3:0] router15_in_west_credit;
  wire [3:0] router15_in_inject0_credit;
  wire router15_out_north_valid;
  wire router15_out_north_head;
  wire router15_out_north_tail;
  wire [1:0] router15_out_north_vc;
  wire [3:0] router15_out_north_dest;
  wire router15_out_north_route_class;
  wire [8:0] router15_out_north_info;
  wire [127:0] router15_out_north_payload;
  wire router15_out_west_valid;
  wire router15_out_west_head;
  wire router15_out_west_tail;
  wire [1:0] router15_out_west_vc;
  wire [3:0] router15_out_west_dest;
  wire router15_out_west_route_class;
  wire [8:0] router15_out_west_info;
  wire [127:0] router15_out_west_payload;
  wire router15_out_eject0_valid;
  wire router15_out_eject0_head;
  wire router15_out_eject0_tail;
  wire [1:0] router15_out_eject0_vc;
  wire [8:0] router15_out_eject0_info;
  wire [127:0] router15_out_eject0_payload;
  wire dispatcher_program_write;
  wire [15:0] dispatcher_program_address;
  wire [63:0] dispatcher_program_data;
  wire dispatcher_param_write;
  wire [9:0] dispatcher_param_address;
  wire [31:0] dispatcher_param_data;
  wire [10:0] dispatcher_block_dim_x;
  wire [10:0] dispatcher_block_dim_y;
  wire [6:0] dispatcher_block_dim_z;
  wire [31:0] dispatcher_grid_dim_x;
  wire [15:0] dispatcher_grid_dim_y;
  wire [15:0] dispatcher_grid_dim_z;
  wire [3:0] dispatcher_block_warps;
  wire [10:0] dispatcher_block_threads;
  wire [15:0] dispatcher_shared_stride;
  wire dispatcher_block_valid0;
  wire dispatcher_block_valid1;
  wire dispatcher_block_valid2;
  wire dispatcher_block_valid3;
  wire dispatcher_block_valid4;
  wire dispatcher_block_valid5;
  wire dispatcher_block_valid6;
  wire dispatcher_block_valid7;
  wire dispatcher_block_valid8;
  wire dispatcher_block_valid9;
  wire dispatcher_block_valid10;
  wire dispatcher_block_valid11;
  wire [2:0] dispatcher_block_slot;
  wire [31:0] dispatcher_block_x;
  wire [15:0] dispatcher_block_y;
  wire [15:0] dispatcher_block_z;
  wire dispatcher_host_done;
  wire [7:0] core0_block_done;
  wire core0_tx_valid;
  wire [3:0] core0_tx_dest;
  wire [2:0] core0_tx_flits;
  wire [4:0] core0_tx_sideband;
  wire [575:0] core0_tx_payload;
  wire core0_rx_credit;
  wire interface0_tx_credit;
  wire interface0_out_inject0_valid;
  wire interface0_out_inject0_head;
  wire interface0_out_inject0_tail;
  wire [1:0] interface0_out_inject0_vc;
  wire [3:0] interface0_out_inject0_dest;
  wire interface0_out_inject0_route_class;
  wire [8:0] interface0_out_inject0_info;
  wire [127:0] interface0_out_inject0_payload;
  wire [3:0] interface0_in_eject0_credit;
  wire interface0_rx_valid;
  wire [4:0] interface0_rx_sideband;
  wire [511:0] interface0_rx_payload;
  wire [7:0] core1_block_done;
  wire core1_tx_valid;
  wire [3:0] core1_tx_dest;
  wire [2:0] core1_tx_flits;
  wire [4:0] core1_tx_sideband;
  wire [575:0] core1_tx_payload;
  wire core1_rx_credit;
  wire interface3_tx_credit;
  wire interface3_out_inject0_valid;
  wire interface3_out_inject0_head;
  wire interface3_out_inject0_tail;
  wire [1:0] interface3_out_inject0_vc;
  wire [3:0] interface3_out_inject0_dest;
  wire interface3_out_inject0_route_class;
  wire [8:0] interface3_out_inject0_info;
  wire [127:0] interface3_out_inject0_payload;
  wire [3:0] interface3_in_eject0_credit;
  wire interface3_rx_valid;
  wire [4:0] interface3_rx_sideband;
  wire [511:0] interface3_rx_payload;
  wire [7:0] core2_block_done;
  wire core2_tx_valid;
  wire [3:0] core2_tx_dest;
  wire [2:0] core2_tx_flits;
  wire [4:0] core2_tx_sideband;
  wire [575:0] core2_tx_payload;
  wire core2_rx_credit;
  wire interface4_tx_credit;
  wire interface4_out_inject0_valid;
  wire interface4_out_inject0_head;
  wire interface4_out_inject0_tail;
  wire [1:0] interface4_out_inject0_vc;
  wire [3:0] interface4_out_inject0_dest;
  wire interface4_out_inject0_route_class;
  wire [8:0] interface4_out_inject0_info;
  wire [127:0] interface4_out_inject0_payload;
  wire [3:0] interface4_in_eject0_credit;
  wire interface4_rx_valid;
  wire [4:0] interface4_rx_sideband;
  wire [511:0] interface4_rx_payload;
  wire [7:0] core3_block_done;
  wire core3_tx_valid;
  wire [3:0] core3_tx_dest;
  wire [2:0] core3_tx_flits;
  wire [4:0] core3_tx_sideband;
  wire [575:0] core3_tx_payload;
  wire core3_rx_credit;
  wire interface5_tx_credit;
  wire interface5_out_inject0_valid;
  wire interface5_out_inject0_head;
  wire interface5_out_inject0_tail;
  wire [1:0] interface5_out_inject0_vc;
  wire [3:0] interface5_out_inject0_dest;
  wire interface5_out_inject0_route_class;
  wire [8:0] interface5_out_inject0_info;
  wire [127:0] interface5_out_inject0_payload;
  wire [3:0] interface5_in_eject0_credit;
  wire interface5_rx_valid;
  wire [4:0] interface5_rx_sideband;
  wire [511:0] interface5_rx_payload;
  wire [7:0] core4_block_done;
  wire core4_tx_valid;
  wire [3:0] core4_tx_dest;
  wire [2:0] core4_tx_flits;
  wire [4:0] core4_tx_sideband;
  wire [575:0] core4_tx_payload;
  wire core4_rx_credit;
  wire interface6_tx_credit;
  wire interface6_out_inject0_valid;
  wire interface6_out_inject0_head;
  wire interface6_out_inject0_tail;
  wire [1:0] interface6_out_inject0_vc;
  wire [3:0] interface6_out_inject0_dest;
  wire interface6_out_inject0_route_class;
  wire [8:0] interface6_out_inject0_info;
  wire [127:0] interface6_out_inject0_payload;
  wire [3:0] interface6_in_eject0_credit;
  wire interface6_rx_valid;
  wire [4:0] interface6_rx_sideband;
  wire [511:0] interface6_rx_payload;
  wire [7:0] core5_block_done;
  wire core5_tx_valid;
  wire [3:0] core5_tx_dest;
  wire [2:0] core5_tx_flits;
  wire [4:0] core5_tx_sideband;
  wire [575:0] core5_tx_payload;
  wire core5_rx_credit;
  wire interface7_tx_credit;
  wire interface7_out_inject0_valid;
  wire interface7_out_inject0_head;
  wire interface7_out_inject0_tail;
  wire [1:0] interface7_out_inject0_vc;
  wire [3:0] interface7_out_inject0_dest;
  wire interface7_out_inject0_route_class;
  wire [8:0] interface7_out_inject0_info;
  wire [127:0] interface7_out_inject0_payload;
  wire [3:0] interface7_in_eject0_credit;
  wire interface7_rx_valid;
  wire [4:0] interface7_rx_sideband;
  wire [511:0] interface7_rx_payload;
  wire [7:0] core6_block_done;
  wire core6_tx_valid;
  wire [3:0] core6_tx_dest;
  wire [2:0] core6_tx_flits;
  wire [4:0] core6_tx_sideband;
  wire [575:0] core6_tx_payload;
  wire core6_rx_credit;
  wire interface8_tx_credit;
  wire interface8_out_inject0_valid;
  wire interface8_out_inject0_head;
  wire interface8_out_inject0_tail;
  wire [1:0] interface8_out_inject0_vc;
  wire [3:0] interface8_out_inject0_dest;
  wire interface8_out_inject0_route_class;
  wire [8:0] interface8_out_inject0_info;
  wire [127:0] interface8_out_inject0_payload;
  wire [3:0] interface8_in_eject0_credit;
  wire interface8_rx_valid;
  wire [4:0] interface8_rx_sideband;
  wire [511:0] interface8_rx_payload;
  wire [7:0] core7_block_done;
  wire core7_tx_valid;
  wire [3:0] core7_tx_dest;
  wire [2:0] core7_tx_flits;
  wire [4:0] core7_tx_sideband;
  wire [575:0] core7_tx_payload;
  wire core7_rx_credit;
  wire interface9_tx_credit;
  wire interface9_out_inject0_valid;
  wire interface9_out_inject0_head;
  wire interface9_out_inject0_tail;
  wire [1:0] interface9_out_inject0_vc;
  wire [3:0] interface9_out_inject0_dest;
  wire interface9_out_inject0_route_class;
  wire [8:0] interface9_out_inject0_info;
  wire [127:0] interface9_out_inject0_payload;
  wire [3:0] interface9_in_eject0_credit;
  wire interface9_rx_valid;
  wire [4:0] interface9_rx_sideband;
  wire [511:0] interface9_rx_payload;
  wire [7:0] core8_block_done;
  wire core8_tx_valid;
  wire [3:0] core8_tx_dest;
  wire [2:0] core8_tx_flits;
  wire [4:0] core8_tx_sideband;
  wire [575:0] core8_tx_payload;
  wire core8_rx_credit;
  wire interface10_tx_credit;
  wire interface10_out_inject0_valid;
  wire interface10_out_inject0_head;
  wire interface10_out_inject0_tail;
  wire [1:0] interface10_out_inject0_vc;
  wire [3:0] interface10_out_inject0_dest;
  wire interface10_out_inject0_route_class;
  wire [8:0] interface10_out_inject0_info;
  wire [127:0] interface10_out_inject0_payload;
  wire [3:0] interface10_in_eject0_credit;
  wire interface10_rx_valid;
  wire [4:0] interface10_rx_sideband;
  wire [511:0] interface10_rx_payload;
  wire [7:0] core9_block_done;
  wire core9_tx_valid;
  wire [3:0] core9_tx_dest;
  wire [2:0] core9_tx_flits;
  wire [4:0] core9_tx_sideband;
  wire [575:0] core9_tx_payload;
  wire core9_rx_credit;
  wire interface11_tx_credit;
  wire interface11_out_inject0_valid;
  wire interface11_out_inject0_head;
  wire interface11_out_inject0_tail;
  wire [1:0] interface11_out_inject0_vc;
  wire [3:0] interface11_out_inject0_dest;
  wire interface11_out_inject0_route_class;
  wire [8:0] interface11_out_inject0_info;
  wire [127:0] interface11_out_inject0_payload;
  wire [3:0] interface11_in_eject0_credit;
  wire interface11_rx_valid;
  wire [4:0] interface11_rx_sideband;
  wire [511:0] interface11_rx_payload;
  wire [7:0] core10_block_done;
  wire core10_tx_valid;
  wire [3:0] core10_tx_dest;
  wire [2:0] core10_tx_flits;
  wire [4:0] core10_tx_sideband;
  wire [575:0] core10_tx_payload;
  wire core10_rx_credit;
  wire interface12_tx_credit;
  wire interface12_out_inject0_valid;
  wire interface12_out_inject0_head;
  wire interface12_out_inject0_tail;
  wire [1:0] interface12_out_inject0_vc;
  wire [3:0] interface12_out_inject0_dest;
  wire interface12_out_inject0_route_class;
  wire [8:0] interface12_out_inject0_info;
  wire [127:0] interface12_out_inject0_payload;
  wire [3:0] interface12_in_eject0_credit;
  wire interface12_rx_valid;
  wire [4:0] interface12_rx_sideband;
  wire [511:0] interface12_rx_payload;
  wire [7:0] core11_block_done;
  wire core11_tx_valid;
  wire [3:0] core11_tx_dest;
  wire [2:0] core11_tx_flits;
  wire [4:0] core11_tx_sideband;
  wire [575:0] core11_tx_payload;
  wire core11_rx_credit;
  wire interface15_tx_credit;
  wire interface15_out_inject0_valid;
  wire interface15_out_inject0_head;
  wire interface15_out_inject0_tail;
  wire [1:0] interface15_out_inject0_vc;
  wire [3:0] interface15_out_inject0_dest;
  wire interface15_out_inject0_route_class;
  wire [8:0] interface15_out_inject0_info;
  wire [127:0] interface15_out_inject0_payload;
  wire [3:0] interface15_in_eject0_credit;
  wire interface15_rx_valid;
  wire [4:0] interface15_rx_sideband;
  wire [511:0] interface15_rx_payload;
  wire [2:0] memory0_dram_command;
  wire [2:0] memory0_dram_bank;
  wire [15:0] memory0_dram_row;
  wire [4:0] memory0_dram_column;
  wire [511:0] memory0_dram_write_data;
  wire [63:0] memory0_dram_write_mask;
  wire memory0_rx_credit;
  wire memory0_tx_valid;
  wire [3:0] memory0_tx_dest;
  wire [2:0] memory0_tx_flits;
  wire [4:0] memory0_tx_sideband;
  wire [511:0] memory0_tx_payload;
  wire interface1_tx_credit;
  wire interface1_out_inject0_valid;
  wire interface1_out_inject0_head;
  wire interface1_out_inject0_tail;
  wire [1:0] interface1_out_inject0_vc;
  wire [3:0] interface1_out_inject0_dest;
  wire interface1_out_inject0_route_class;
  wire [8:0] interface1_out_inject0_info;
  wire [127:0] interface1_out_inject0_payload;
  wire [3:0] interface1_in_eject0_credit;
  wire interface1_rx_valid;
  wire [3:0] interface1_rx_src;
  wire [4:0] interface1_rx_sideband;
  wire [575:0] interface1_rx_payload;
  wire [2:0] memory1_dram_command;
  wire [2:0] memory1_dram_bank;
  wire [15:0] memory1_dram_row;
  wire [4:0] memory1_dram_column;
  wire [511:0] memory1_dram_write_data;
  wire [63:0] memory1_dram_write_mask;
  wire memory1_rx_credit;
  wire memory1_tx_valid;
  wire [3:0] memory1_tx_dest;
  wire [2:0] memory1_tx_flits;
  wire [4:0] memory1_tx_sideband;
  wire [511:0] memory1_tx_payload;
  wire interface2_tx_credit;
  wire interface2_out_inject0_valid;
  wire interface2_out_inject0_head;
  wire interface2_out_inject0_tail;
  wire [1:0] interface2_out_inject0_vc;
  wire [3:0] interface2_out_inject0_dest;
  wire interface2_out_inject0_route_class;
  wire [8:0] interface2_out_inject0_info;
  wire [127:0] interface2_out_inject0_payload;
  wire [3:0] interface2_in_eject0_credit;
  wire interface2_rx_valid;
  wire [3:0] interface2_rx_src;
  wire [4:0] interface2_rx_sideband;
  wire [575:0] interface2_rx_payload;
  wire [2:0] memory2_dram_command;
  wire [2:0] memory2_dram_bank;
  wire [15:0] memory2_dram_row;
  wire [4:0] memory2_dram_column;
  wire [511:0] memory2_dram_write_data;
  wire [63:0] memory2_dram_write_mask;
  wire memory2_rx_credit;
  wire memory2_tx_valid;
  wire [3:0] memory2_tx_dest;
  wire [2:0] memory2_tx_flits;
  wire [4:0] memory2_tx_sideband;
  wire [511:0] memory2_tx_payload;
  wire interface13_tx_credit;
  wire interface13_out_inject0_valid;
  wire interface13_out_inject0_head;
  wire interface13_out_inject0_tail;
  wire [1:0] interface13_out_inject0_vc;
  wire [3:0] interface13_out_inject0_dest;
  wire interface13_out_inject0_route_class;
  wire [8:0] interface13_out_inject0_info;
  wire [127:0] interface13_out_inject0_payload;
  wire [3:0] interface13_in_eject0_credit;
  wire interface13_rx_valid;
  wire [3:0] interface13_rx_src;
  wire [4:0] interface13_rx_sideband;
  wire [575:0] interface13_rx_payload;
  wire [2:0] memory3_dram_command;
  wire [2:0] memory3_dram_bank;
  wire [15:0] memory3_dram_row;
  wire [4:0] memory3_dram_column;
  wire [511:0] memory3_dram_write_data;
  wire [63:0] memory3_dram_write_mask;
  wire memory3_rx_credit;
  wire memory3_tx_valid;
  wire [3:0] memory3_tx_dest;
  wire [2:0] memory3_tx_flits;
  wire [4:0] memory3_tx_sideband;
  wire [511:0] memory3_tx_payload;
  wire interface14_tx_credit;
  wire interface14_out_inject0_valid;
  wire interface14_out_inject0_head;
  wire interface14_out_inject0_tail;
  wire [1:0] interface14_out_inject0_vc;
  wire [3:0] interface14_out_inject0_dest;
  wire interface14_out_inject0_route_class;
  wire [8:0] interface14_out_inject0_info;
  wire [127:0] interface14_out_inject0_payload;
  wire [3:0] interface14_in_eject0_credit;
  wire interface14_rx_valid;
  wire [3:0] interface14_rx_src;
  wire [4:0] interface14_rx_sideband;
  wire [575:0] interface14_rx_payload;

  // Network.
  // Host port and block dispatcher.
  assign host_done = dispatcher_host_done;
  // Cores.
  // Memory partitions and their DRAM pins.
  assign dram0_command = memory0_dram_command;
  assign dram0_bank = memory0_dram_bank;
  assign dram0_row = memory0_dram_row;
  assign dram0_column = memory0_dram_column;
  assign dram0_write_data = memory0_dram_write_data;
  assign dram0_write_mask = memory0_dram_write_mask;
  assign dram1_command = memory1_dram_command;
  assign dram1_bank = memory1_dram_bank;
  assign dram1_row = memory1_dram_row;
  assign dram1_column = memory1_dram_column;
  assign dram1_write_data = memory1_dram_write_data;
  assign dram1_write_mask = memory1_dram_write_mask;
  assign dram2_command = memory2_dram_command;
  assign dram2_bank = memory2_dram_bank;
  assign dram2_row = memory2_dram_row;
  assign dram2_column = memory2_dram_column;
  assign dram2_write_data = memory2_dram_write_data;
  assign dram2_write_mask = memory2_dram_write_mask;
  assign dram3_command = memory3_dram_command;
  assign dram3_bank = memory3_dram_bank;
  assign dram3_row = memory3_dram_row;
  assign dram3_column = memory3_dram_column;
  assign dram3_write_data = memory3_dram_write_data;
  assign dram3_write_mask = memory3_dram_write_mask;

  wire [3:0] unused_router0_out_eject0_dest;
  wire unused_router0_out_eject0_route_class;
  router_links_es_inject1_eject1_turns_full_vcs4_depth8_width128_51096dd5 router0 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h0),
    .here_y(2'h0),
    .in_east_valid(router1_out_west_valid),
    .in_east_head(router1_out_west_head),
    .in_east_tail(router1_out_west_tail),
    .in_east_vc(router1_out_west_vc),
    .in_east_dest(router1_out_west_dest),
    .in_east_route_class(router1_out_west_route_class),
    .in_east_info(router1_out_west_info),
    .in_east_payload(router1_out_west_payload),
    .in_south_valid(router4_out_north_valid),
    .in_south_head(router4_out_north_head),
    .in_south_tail(router4_out_north_tail),
    .in_south_vc(router4_out_north_vc),
    .in_south_dest(router4_out_north_dest),
    .in_south_route_class(router4_out_north_route_class),
    .in_south_info(router4_out_north_info),
    .in_south_payload(router4_out_north_payload),
    .in_inject0_valid(interface0_out_inject0_valid),
    .in_inject0_head(interface0_out_inject0_head),
    .in_inject0_tail(interface0_out_inject0_tail),
    .in_inject0_vc(interface0_out_inject0_vc),
    .in_inject0_dest(interface0_out_inject0_dest),
    .in_inject0_route_class(interface0_out_inject0_route_class),
    .in_inject0_info(interface0_out_inject0_info),
    .in_inject0_payload(interface0_out_inject0_payload),
    .out_east_credit(router1_in_west_credit),
    .out_south_credit(router4_in_north_credit),
    .out_eject0_credit(interface0_in_eject0_credit),
    .in_east_credit(router0_in_east_credit),
    .in_south_credit(router0_in_south_credit),
    .in_inject0_credit(router0_in_inject0_credit),
    .out_east_valid(router0_out_east_valid),
    .out_east_head(router0_out_east_head),
    .out_east_tail(router0_out_east_tail),
    .out_east_vc(router0_out_east_vc),
    .out_east_dest(router0_out_east_dest),
    .out_east_route_class(router0_out_east_route_class),
    .out_east_info(router0_out_east_info),
    .out_east_payload(router0_out_east_payload),
    .out_south_valid(router0_out_south_valid),
    .out_south_head(router0_out_south_head),
    .out_south_tail(router0_out_south_tail),
    .out_south_vc(router0_out_south_vc),
    .out_south_dest(router0_out_south_dest),
    .out_south_route_class(router0_out_south_route_class),
    .out_south_info(router0_out_south_info),
    .out_south_payload(router0_out_south_payload),
    .out_eject0_valid(router0_out_eject0_valid),
    .out_eject0_head(router0_out_eject0_head),
    .out_eject0_tail(router0_out_eject0_tail),
    .out_eject0_vc(router0_out_eject0_vc),
    .out_eject0_dest(unused_router0_out_eject0_dest),
    .out_eject0_route_class(unused_router0_out_eject0_route_class),
    .out_eject0_info(router0_out_eject0_info),
    .out_eject0_payload(router0_out_eject0_payload)
  );

  wire [3:0] unused_router1_out_eject0_dest;
  wire unused_router1_out_eject0_route_class;
  router_links_esw_inject1_eject1_turns_full_vcs4_depth8_width128_f1524fe1 router1 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h1),
    .here_y(2'h0),
    .in_east_valid(router2_out_west_valid),
    .in_east_head(router2_out_west_head),
    .in_east_tail(router2_out_west_tail),
    .in_east_vc(router2_out_west_vc),
    .in_east_dest(router2_out_west_dest),
    .in_east_route_class(router2_out_west_route_class),
    .in_east_info(router2_out_west_info),
    .in_east_payload(router2_out_west_payload),
    .in_south_valid(router5_out_north_valid),
    .in_south_head(router5_out_north_head),
    .in_south_tail(router5_out_north_tail),
    .in_south_vc(router5_out_north_vc),
    .in_south_dest(router5_out_north_dest),
    .in_south_route_class(router5_out_north_route_class),
    .in_south_info(router5_out_north_info),
    .in_south_payload(router5_out_north_payload),
    .in_west_valid(router0_out_east_valid),
    .in_west_head(router0_out_east_head),
    .in_west_tail(router0_out_east_tail),
    .in_west_vc(router0_out_east_vc),
    .in_west_dest(router0_out_east_dest),
    .in_west_route_class(router0_out_east_route_class),
    .in_west_info(router0_out_east_info),
    .in_west_payload(router0_out_east_payload),
    .in_inject0_valid(interface1_out_inject0_valid),
    .in_inject0_head(interface1_out_inject0_head),
    .in_inject0_tail(interface1_out_inject0_tail),
    .in_inject0_vc(interface1_out_inject0_vc),
    .in_inject0_dest(interface1_out_inject0_dest),
    .in_inject0_route_class(interface1_out_inject0_route_class),
    .in_inject0_info(interface1_out_inject0_info),
    .in_inject0_payload(interface1_out_inject0_payload),
    .out_east_credit(router2_in_west_credit),
    .out_south_credit(router5_in_north_credit),
    .out_west_credit(router0_in_east_credit),
    .out_eject0_credit(interface1_in_eject0_credit),
    .in_east_credit(router1_in_east_credit),
    .in_south_credit(router1_in_south_credit),
    .in_west_credit(router1_in_west_credit),
    .in_inject0_credit(router1_in_inject0_credit),
    .out_east_valid(router1_out_east_valid),
    .out_east_head(router1_out_east_head),
    .out_east_tail(router1_out_east_tail),
    .out_east_vc(router1_out_east_vc),
    .out_east_dest(router1_out_east_dest),
    .out_east_route_class(router1_out_east_route_class),
    .out_east_info(router1_out_east_info),
    .out_east_payload(router1_out_east_payload),
    .out_south_valid(router1_out_south_valid),
    .out_south_head(router1_out_south_head),
    .out_south_tail(router1_out_south_tail),
    .out_south_vc(router1_out_south_vc),
    .out_south_dest(router1_out_south_dest),
    .out_south_route_class(router1_out_south_route_class),
    .out_south_info(router1_out_south_info),
    .out_south_payload(router1_out_south_payload),
    .out_west_valid(router1_out_west_valid),
    .out_west_head(router1_out_west_head),
    .out_west_tail(router1_out_west_tail),
    .out_west_vc(router1_out_west_vc),
    .out_west_dest(router1_out_west_dest),
    .out_west_route_class(router1_out_west_route_class),
    .out_west_info(router1_out_west_info),
    .out_west_payload(router1_out_west_payload),
    .out_eject0_valid(router1_out_eject0_valid),
    .out_eject0_head(router1_out_eject0_head),
    .out_eject0_tail(router1_out_eject0_tail),
    .out_eject0_vc(router1_out_eject0_vc),
    .out_eject0_dest(unused_router1_out_eject0_dest),
    .out_eject0_route_class(unused_router1_out_eject0_route_class),
    .out_eject0_info(router1_out_eject0_info),
    .out_eject0_payload(router1_out_eject0_payload)
  );

  wire [3:0] unused_router2_out_eject0_dest;
  wire unused_router2_out_eject0_route_class;
  router_links_esw_inject1_eject1_turns_full_vcs4_depth8_width128_f1524fe1 router2 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h2),
    .here_y(2'h0),
    .in_east_valid(router3_out_west_valid),
    .in_east_head(router3_out_west_head),
    .in_east_tail(router3_out_west_tail),
    .in_east_vc(router3_out_west_vc),
    .in_east_dest(router3_out_west_dest),
    .in_east_route_class(router3_out_west_route_class),
    .in_east_info(router3_out_west_info),
    .in_east_payload(router3_out_west_payload),
    .in_south_valid(router6_out_north_valid),
    .in_south_head(router6_out_north_head),
    .in_south_tail(router6_out_north_tail),
    .in_south_vc(router6_out_north_vc),
    .in_south_dest(router6_out_north_dest),
    .in_south_route_class(router6_out_north_route_class),
    .in_south_info(router6_out_north_info),
    .in_south_payload(router6_out_north_payload),
    .in_west_valid(router1_out_east_valid),
    .in_west_head(router1_out_east_head),
    .in_west_tail(router1_out_east_tail),
    .in_west_vc(router1_out_east_vc),
    .in_west_dest(router1_out_east_dest),
    .in_west_route_class(router1_out_east_route_class),
    .in_west_info(router1_out_east_info),
    .in_west_payload(router1_out_east_payload),
    .in_inject0_valid(interface2_out_inject0_valid),
    .in_inject0_head(interface2_out_inject0_head),
    .in_inject0_tail(interface2_out_inject0_tail),
    .in_inject0_vc(interface2_out_inject0_vc),
    .in_inject0_dest(interface2_out_inject0_dest),
    .in_inject0_route_class(interface2_out_inject0_route_class),
    .in_inject0_info(interface2_out_inject0_info),
    .in_inject0_payload(interface2_out_inject0_payload),
    .out_east_credit(router3_in_west_credit),
    .out_south_credit(router6_in_north_credit),
    .out_west_credit(router1_in_east_credit),
    .out_eject0_credit(interface2_in_eject0_credit),
    .in_east_credit(router2_in_east_credit),
    .in_south_credit(router2_in_south_credit),
    .in_west_credit(router2_in_west_credit),
    .in_inject0_credit(router2_in_inject0_credit),
    .out_east_valid(router2_out_east_valid),
    .out_east_head(router2_out_east_head),
    .out_east_tail(router2_out_east_tail),
    .out_east_vc(router2_out_east_vc),
    .out_east_dest(router2_out_east_dest),
    .out_east_route_class(router2_out_east_route_class),
    .out_east_info(router2_out_east_info),
    .out_east_payload(router2_out_east_payload),
    .out_south_valid(router2_out_south_valid),
    .out_south_head(router2_out_south_head),
    .out_south_tail(router2_out_south_tail),
    .out_south_vc(router2_out_south_vc),
    .out_south_dest(router2_out_south_dest),
    .out_south_route_class(router2_out_south_route_class),
    .out_south_info(router2_out_south_info),
    .out_south_payload(router2_out_south_payload),
    .out_west_valid(router2_out_west_valid),
    .out_west_head(router2_out_west_head),
    .out_west_tail(router2_out_west_tail),
    .out_west_vc(router2_out_west_vc),
    .out_west_dest(router2_out_west_dest),
    .out_west_route_class(router2_out_west_route_class),
    .out_west_info(router2_out_west_info),
    .out_west_payload(router2_out_west_payload),
    .out_eject0_valid(router2_out_eject0_valid),
    .out_eject0_head(router2_out_eject0_head),
    .out_eject0_tail(router2_out_eject0_tail),
    .out_eject0_vc(router2_out_eject0_vc),
    .out_eject0_dest(unused_router2_out_eject0_dest),
    .out_eject0_route_class(unused_router2_out_eject0_route_class),
    .out_eject0_info(router2_out_eject0_info),
    .out_eject0_payload(router2_out_eject0_payload)
  );

  wire [3:0] unused_router3_out_eject0_dest;
  wire unused_router3_out_eject0_route_class;
  router_links_sw_inject1_eject1_turns_full_vcs4_depth8_width128_8382c19f router3 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h3),
    .here_y(2'h0),
    .in_south_valid(router7_out_north_valid),
    .in_south_head(router7_out_north_head),
    .in_south_tail(router7_out_north_tail),
    .in_south_vc(router7_out_north_vc),
    .in_south_dest(router7_out_north_dest),
    .in_south_route_class(router7_out_north_route_class),
    .in_south_info(router7_out_north_info),
    .in_south_payload(router7_out_north_payload),
    .in_west_valid(router2_out_east_valid),
    .in_west_head(router2_out_east_head),
    .in_west_tail(router2_out_east_tail),
    .in_west_vc(router2_out_east_vc),
    .in_west_dest(router2_out_east_dest),
    .in_west_route_class(router2_out_east_route_class),
    .in_west_info(router2_out_east_info),
    .in_west_payload(router2_out_east_payload),
    .in_inject0_valid(interface3_out_inject0_valid),
    .in_inject0_head(interface3_out_inject0_head),
    .in_inject0_tail(interface3_out_inject0_tail),
    .in_inject0_vc(interface3_out_inject0_vc),
    .in_inject0_dest(interface3_out_inject0_dest),
    .in_inject0_route_class(interface3_out_inject0_route_class),
    .in_inject0_info(interface3_out_inject0_info),
    .in_inject0_payload(interface3_out_inject0_payload),
    .out_south_credit(router7_in_north_credit),
    .out_west_credit(router2_in_east_credit),
    .out_eject0_credit(interface3_in_eject0_credit),
    .in_south_credit(router3_in_south_credit),
    .in_west_credit(router3_in_west_credit),
    .in_inject0_credit(router3_in_inject0_credit),
    .out_south_valid(router3_out_south_valid),
    .out_south_head(router3_out_south_head),
    .out_south_tail(router3_out_south_tail),
    .out_south_vc(router3_out_south_vc),
    .out_south_dest(router3_out_south_dest),
    .out_south_route_class(router3_out_south_route_class),
    .out_south_info(router3_out_south_info),
    .out_south_payload(router3_out_south_payload),
    .out_west_valid(router3_out_west_valid),
    .out_west_head(router3_out_west_head),
    .out_west_tail(router3_out_west_tail),
    .out_west_vc(router3_out_west_vc),
    .out_west_dest(router3_out_west_dest),
    .out_west_route_class(router3_out_west_route_class),
    .out_west_info(router3_out_west_info),
    .out_west_payload(router3_out_west_payload),
    .out_eject0_valid(router3_out_eject0_valid),
    .out_eject0_head(router3_out_eject0_head),
    .out_eject0_tail(router3_out_eject0_tail),
    .out_eject0_vc(router3_out_eject0_vc),
    .out_eject0_dest(unused_router3_out_eject0_dest),
    .out_eject0_route_class(unused_router3_out_eject0_route_class),
    .out_eject0_info(router3_out_eject0_info),
    .out_eject0_payload(router3_out_eject0_payload)
  );

  wire [3:0] unused_router4_out_eject0_dest;
  wire unused_router4_out_eject0_route_class;
  router_links_nes_inject1_eject1_turns_full_vcs4_depth8_width128_5a40da85 router4 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h0),
    .here_y(2'h1),
    .in_north_valid(router0_out_south_valid),
    .in_north_head(router0_out_south_head),
    .in_north_tail(router0_out_south_tail),
    .in_north_vc(router0_out_south_vc),
    .in_north_dest(router0_out_south_dest),
    .in_north_route_class(router0_out_south_route_class),
    .in_north_info(router0_out_south_info),
    .in_north_payload(router0_out_south_payload),
    .in_east_valid(router5_out_west_valid),
    .in_east_head(router5_out_west_head),
    .in_east_tail(router5_out_west_tail),
    .in_east_vc(router5_out_west_vc),
    .in_east_dest(router5_out_west_dest),
    .in_east_route_class(router5_out_west_route_class),
    .in_east_info(router5_out_west_info),
    .in_east_payload(router5_out_west_payload),
    .in_south_valid(router8_out_north_valid),
    .in_south_head(router8_out_north_head),
    .in_south_tail(router8_out_north_tail),
    .in_south_vc(router8_out_north_vc),
    .in_south_dest(router8_out_north_dest),
    .in_south_route_class(router8_out_north_route_class),
    .in_south_info(router8_out_north_info),
    .in_south_payload(router8_out_north_payload),
    .in_inject0_valid(interface4_out_inject0_valid),
    .in_inject0_head(interface4_out_inject0_head),
    .in_inject0_tail(interface4_out_inject0_tail),
    .in_inject0_vc(interface4_out_inject0_vc),
    .in_inject0_dest(interface4_out_inject0_dest),
    .in_inject0_route_class(interface4_out_inject0_route_class),
    .in_inject0_info(interface4_out_inject0_info),
    .in_inject0_payload(interface4_out_inject0_payload),
    .out_north_credit(router0_in_south_credit),
    .out_east_credit(router5_in_west_credit),
    .out_south_credit(router8_in_north_credit),
    .out_eject0_credit(interface4_in_eject0_credit),
    .in_north_credit(router4_in_north_credit),
    .in_east_credit(router4_in_east_credit),
    .in_south_credit(router4_in_south_credit),
    .in_inject0_credit(router4_in_inject0_credit),
    .out_north_valid(router4_out_north_valid),
    .out_north_head(router4_out_north_head),
    .out_north_tail(router4_out_north_tail),
    .out_north_vc(router4_out_north_vc),
    .out_north_dest(router4_out_north_dest),
    .out_north_route_class(router4_out_north_route_class),
    .out_north_info(router4_out_north_info),
    .out_north_payload(router4_out_north_payload),
    .out_east_valid(router4_out_east_valid),
    .out_east_head(router4_out_east_head),
    .out_east_tail(router4_out_east_tail),
    .out_east_vc(router4_out_east_vc),
    .out_east_dest(router4_out_east_dest),
    .out_east_route_class(router4_out_east_route_class),
    .out_east_info(router4_out_east_info),
    .out_east_payload(router4_out_east_payload),
    .out_south_valid(router4_out_south_valid),
    .out_south_head(router4_out_south_head),
    .out_south_tail(router4_out_south_tail),
    .out_south_vc(router4_out_south_vc),
    .out_south_dest(router4_out_south_dest),
    .out_south_route_class(router4_out_south_route_class),
    .out_south_info(router4_out_south_info),
    .out_south_payload(router4_out_south_payload),
    .out_eject0_valid(router4_out_eject0_valid),
    .out_eject0_head(router4_out_eject0_head),
    .out_eject0_tail(router4_out_eject0_tail),
    .out_eject0_vc(router4_out_eject0_vc),
    .out_eject0_dest(unused_router4_out_eject0_dest),
    .out_eject0_route_class(unused_router4_out_eject0_route_class),
    .out_eject0_info(router4_out_eject0_info),
    .out_eject0_payload(router4_out_eject0_payload)
  );

  wire [3:0] unused_router5_out_eject0_dest;
  wire unused_router5_out_eject0_route_class;
  router_links_nesw_inject1_eject1_turns_full_vcs4_depth8_width128_f5d0bffd router5 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h1),
    .here_y(2'h1),
    .in_north_valid(router1_out_south_valid),
    .in_north_head(router1_out_south_head),
    .in_north_tail(router1_out_south_tail),
    .in_north_vc(router1_out_south_vc),
    .in_north_dest(router1_out_south_dest),
    .in_north_route_class(router1_out_south_route_class),
    .in_north_info(router1_out_south_info),
    .in_north_payload(router1_out_south_payload),
    .in_east_valid(router6_out_west_valid),
    .in_east_head(router6_out_west_head),
    .in_east_tail(router6_out_west_tail),
    .in_east_vc(router6_out_west_vc),
    .in_east_dest(router6_out_west_dest),
    .in_east_route_class(router6_out_west_route_class),
    .in_east_info(router6_out_west_info),
    .in_east_payload(router6_out_west_payload),
    .in_south_valid(router9_out_north_valid),
    .in_south_head(router9_out_north_head),
    .in_south_tail(router9_out_north_tail),
    .in_south_vc(router9_out_north_vc),
    .in_south_dest(router9_out_north_dest),
    .in_south_route_class(router9_out_north_route_class),
    .in_south_info(router9_out_north_info),
    .in_south_payload(router9_out_north_payload),
    .in_west_valid(router4_out_east_valid),
    .in_west_head(router4_out_east_head),
    .in_west_tail(router4_out_east_tail),
    .in_west_vc(router4_out_east_vc),
    .in_west_dest(router4_out_east_dest),
    .in_west_route_class(router4_out_east_route_class),
    .in_west_info(router4_out_east_info),
    .in_west_payload(router4_out_east_payload),
    .in_inject0_valid(interface5_out_inject0_valid),
    .in_inject0_head(interface5_out_inject0_head),
    .in_inject0_tail(interface5_out_inject0_tail),
    .in_inject0_vc(interface5_out_inject0_vc),
    .in_inject0_dest(interface5_out_inject0_dest),
    .in_inject0_route_class(interface5_out_inject0_route_class),
    .in_inject0_info(interface5_out_inject0_info),
    .in_inject0_payload(interface5_out_inject0_payload),
    .out_north_credit(router1_in_south_credit),
    .out_east_credit(router6_in_west_credit),
    .out_south_credit(router9_in_north_credit),
    .out_west_credit(router4_in_east_credit),
    .out_eject0_credit(interface5_in_eject0_credit),
    .in_north_credit(router5_in_north_credit),
    .in_east_credit(router5_in_east_credit),
    .in_south_credit(router5_in_south_credit),
    .in_west_credit(router5_in_west_credit),
    .in_inject0_credit(router5_in_inject0_credit),
    .out_north_valid(router5_out_north_valid),
    .out_north_head(router5_out_north_head),
    .out_north_tail(router5_out_north_tail),
    .out_north_vc(router5_out_north_vc),
    .out_north_dest(router5_out_north_dest),
    .out_north_route_class(router5_out_north_route_class),
    .out_north_info(router5_out_north_info),
    .out_north_payload(router5_out_north_payload),
    .out_east_valid(router5_out_east_valid),
    .out_east_head(router5_out_east_head),
    .out_east_tail(router5_out_east_tail),
    .out_east_vc(router5_out_east_vc),
    .out_east_dest(router5_out_east_dest),
    .out_east_route_class(router5_out_east_route_class),
    .out_east_info(router5_out_east_info),
    .out_east_payload(router5_out_east_payload),
    .out_south_valid(router5_out_south_valid),
    .out_south_head(router5_out_south_head),
    .out_south_tail(router5_out_south_tail),
    .out_south_vc(router5_out_south_vc),
    .out_south_dest(router5_out_south_dest),
    .out_south_route_class(router5_out_south_route_class),
    .out_south_info(router5_out_south_info),
    .out_south_payload(router5_out_south_payload),
    .out_west_valid(router5_out_west_valid),
    .out_west_head(router5_out_west_head),
    .out_west_tail(router5_out_west_tail),
    .out_west_vc(router5_out_west_vc),
    .out_west_dest(router5_out_west_dest),
    .out_west_route_class(router5_out_west_route_class),
    .out_west_info(router5_out_west_info),
    .out_west_payload(router5_out_west_payload),
    .out_eject0_valid(router5_out_eject0_valid),
    .out_eject0_head(router5_out_eject0_head),
    .out_eject0_tail(router5_out_eject0_tail),
    .out_eject0_vc(router5_out_eject0_vc),
    .out_eject0_dest(unused_router5_out_eject0_dest),
    .out_eject0_route_class(unused_router5_out_eject0_route_class),
    .out_eject0_info(router5_out_eject0_info),
    .out_eject0_payload(router5_out_eject0_payload)
  );

  wire [3:0] unused_router6_out_eject0_dest;
  wire unused_router6_out_eject0_route_class;
  router_links_nesw_inject1_eject1_turns_full_vcs4_depth8_width128_f5d0bffd router6 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h2),
    .here_y(2'h1),
    .in_north_valid(router2_out_south_valid),
    .in_north_head(router2_out_south_head),
    .in_north_tail(router2_out_south_tail),
    .in_north_vc(router2_out_south_vc),
    .in_north_dest(router2_out_south_dest),
    .in_north_route_class(router2_out_south_route_class),
    .in_north_info(router2_out_south_info),
    .in_north_payload(router2_out_south_payload),
    .in_east_valid(router7_out_west_valid),
    .in_east_head(router7_out_west_head),
    .in_east_tail(router7_out_west_tail),
    .in_east_vc(router7_out_west_vc),
    .in_east_dest(router7_out_west_dest),
    .in_east_route_class(router7_out_west_route_class),
    .in_east_info(router7_out_west_info),
    .in_east_payload(router7_out_west_payload),
    .in_south_valid(router10_out_north_valid),
    .in_south_head(router10_out_north_head),
    .in_south_tail(router10_out_north_tail),
    .in_south_vc(router10_out_north_vc),
    .in_south_dest(router10_out_north_dest),
    .in_south_route_class(router10_out_north_route_class),
    .in_south_info(router10_out_north_info),
    .in_south_payload(router10_out_north_payload),
    .in_west_valid(router5_out_east_valid),
    .in_west_head(router5_out_east_head),
    .in_west_tail(router5_out_east_tail),
    .in_west_vc(router5_out_east_vc),
    .in_west_dest(router5_out_east_dest),
    .in_west_route_class(router5_out_east_route_class),
    .in_west_info(router5_out_east_info),
    .in_west_payload(router5_out_east_payload),
    .in_inject0_valid(interface6_out_inject0_valid),
    .in_inject0_head(interface6_out_inject0_head),
    .in_inject0_tail(interface6_out_inject0_tail),
    .in_inject0_vc(interface6_out_inject0_vc),
    .in_inject0_dest(interface6_out_inject0_dest),
    .in_inject0_route_class(interface6_out_inject0_route_class),
    .in_inject0_info(interface6_out_inject0_info),
    .in_inject0_payload(interface6_out_inject0_payload),
    .out_north_credit(router2_in_south_credit),
    .out_east_credit(router7_in_west_credit),
    .out_south_credit(router10_in_north_credit),
    .out_west_credit(router5_in_east_credit),
    .out_eject0_credit(interface6_in_eject0_credit),
    .in_north_credit(router6_in_north_credit),
    .in_east_credit(router6_in_east_credit),
    .in_south_credit(router6_in_south_credit),
    .in_west_credit(router6_in_west_credit),
    .in_inject0_credit(router6_in_inject0_credit),
    .out_north_valid(router6_out_north_valid),
    .out_north_head(router6_out_north_head),
    .out_north_tail(router6_out_north_tail),
    .out_north_vc(router6_out_north_vc),
    .out_north_dest(router6_out_north_dest),
    .out_north_route_class(router6_out_north_route_class),
    .out_north_info(router6_out_north_info),
    .out_north_payload(router6_out_north_payload),
    .out_east_valid(router6_out_east_valid),
    .out_east_head(router6_out_east_head),
    .out_east_tail(router6_out_east_tail),
    .out_east_vc(router6_out_east_vc),
    .out_east_dest(router6_out_east_dest),
    .out_east_route_class(router6_out_east_route_class),
    .out_east_info(router6_out_east_info),
    .out_east_payload(router6_out_east_payload),
    .out_south_valid(router6_out_south_valid),
    .out_south_head(router6_out_south_head),
    .out_south_tail(router6_out_south_tail),
    .out_south_vc(router6_out_south_vc),
    .out_south_dest(router6_out_south_dest),
    .out_south_route_class(router6_out_south_route_class),
    .out_south_info(router6_out_south_info),
    .out_south_payload(router6_out_south_payload),
    .out_west_valid(router6_out_west_valid),
    .out_west_head(router6_out_west_head),
    .out_west_tail(router6_out_west_tail),
    .out_west_vc(router6_out_west_vc),
    .out_west_dest(router6_out_west_dest),
    .out_west_route_class(router6_out_west_route_class),
    .out_west_info(router6_out_west_info),
    .out_west_payload(router6_out_west_payload),
    .out_eject0_valid(router6_out_eject0_valid),
    .out_eject0_head(router6_out_eject0_head),
    .out_eject0_tail(router6_out_eject0_tail),
    .out_eject0_vc(router6_out_eject0_vc),
    .out_eject0_dest(unused_router6_out_eject0_dest),
    .out_eject0_route_class(unused_router6_out_eject0_route_class),
    .out_eject0_info(router6_out_eject0_info),
    .out_eject0_payload(router6_out_eject0_payload)
  );

  wire [3:0] unused_router7_out_eject0_dest;
  wire unused_router7_out_eject0_route_class;
  router_links_nsw_inject1_eject1_turns_full_vcs4_depth8_width128_a253cd98 router7 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h3),
    .here_y(2'h1),
    .in_north_valid(router3_out_south_valid),
    .in_north_head(router3_out_south_head),
    .in_north_tail(router3_out_south_tail),
    .in_north_vc(router3_out_south_vc),
    .in_north_dest(router3_out_south_dest),
    .in_north_route_class(router3_out_south_route_class),
    .in_north_info(router3_out_south_info),
    .in_north_payload(router3_out_south_payload),
    .in_south_valid(router11_out_north_valid),
    .in_south_head(router11_out_north_head),
    .in_south_tail(router11_out_north_tail),
    .in_south_vc(router11_out_north_vc),
    .in_south_dest(router11_out_north_dest),
    .in_south_route_class(router11_out_north_route_class),
    .in_south_info(router11_out_north_info),
    .in_south_payload(router11_out_north_payload),
    .in_west_valid(router6_out_east_valid),
    .in_west_head(router6_out_east_head),
    .in_west_tail(router6_out_east_tail),
    .in_west_vc(router6_out_east_vc),
    .in_west_dest(router6_out_east_dest),
    .in_west_route_class(router6_out_east_route_class),
    .in_west_info(router6_out_east_info),
    .in_west_payload(router6_out_east_payload),
    .in_inject0_valid(interface7_out_inject0_valid),
    .in_inject0_head(interface7_out_inject0_head),
    .in_inject0_tail(interface7_out_inject0_tail),
    .in_inject0_vc(interface7_out_inject0_vc),
    .in_inject0_dest(interface7_out_inject0_dest),
    .in_inject0_route_class(interface7_out_inject0_route_class),
    .in_inject0_info(interface7_out_inject0_info),
    .in_inject0_payload(interface7_out_inject0_payload),
    .out_north_credit(router3_in_south_credit),
    .out_south_credit(router11_in_north_credit),
    .out_west_credit(router6_in_east_credit),
    .out_eject0_credit(interface7_in_eject0_credit),
    .in_north_credit(router7_in_north_credit),
    .in_south_credit(router7_in_south_credit),
    .in_west_credit(router7_in_west_credit),
    .in_inject0_credit(router7_in_inject0_credit),
    .out_north_valid(router7_out_north_valid),
    .out_north_head(router7_out_north_head),
    .out_north_tail(router7_out_north_tail),
    .out_north_vc(router7_out_north_vc),
    .out_north_dest(router7_out_north_dest),
    .out_north_route_class(router7_out_north_route_class),
    .out_north_info(router7_out_north_info),
    .out_north_payload(router7_out_north_payload),
    .out_south_valid(router7_out_south_valid),
    .out_south_head(router7_out_south_head),
    .out_south_tail(router7_out_south_tail),
    .out_south_vc(router7_out_south_vc),
    .out_south_dest(router7_out_south_dest),
    .out_south_route_class(router7_out_south_route_class),
    .out_south_info(router7_out_south_info),
    .out_south_payload(router7_out_south_payload),
    .out_west_valid(router7_out_west_valid),
    .out_west_head(router7_out_west_head),
    .out_west_tail(router7_out_west_tail),
    .out_west_vc(router7_out_west_vc),
    .out_west_dest(router7_out_west_dest),
    .out_west_route_class(router7_out_west_route_class),
    .out_west_info(router7_out_west_info),
    .out_west_payload(router7_out_west_payload),
    .out_eject0_valid(router7_out_eject0_valid),
    .out_eject0_head(router7_out_eject0_head),
    .out_eject0_tail(router7_out_eject0_tail),
    .out_eject0_vc(router7_out_eject0_vc),
    .out_eject0_dest(unused_router7_out_eject0_dest),
    .out_eject0_route_class(unused_router7_out_eject0_route_class),
    .out_eject0_info(router7_out_eject0_info),
    .out_eject0_payload(router7_out_eject0_payload)
  );

  wire [3:0] unused_router8_out_eject0_dest;
  wire unused_router8_out_eject0_route_class;
  router_links_nes_inject1_eject1_turns_full_vcs4_depth8_width128_5a40da85 router8 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h0),
    .here_y(2'h2),
    .in_north_valid(router4_out_south_valid),
    .in_north_head(router4_out_south_head),
    .in_north_tail(router4_out_south_tail),
    .in_north_vc(router4_out_south_vc),
    .in_north_dest(router4_out_south_dest),
    .in_north_route_class(router4_out_south_route_class),
    .in_north_info(router4_out_south_info),
    .in_north_payload(router4_out_south_payload),
    .in_east_valid(router9_out_west_valid),
    .in_east_head(router9_out_west_head),
    .in_east_tail(router9_out_west_tail),
    .in_east_vc(router9_out_west_vc),
    .in_east_dest(router9_out_west_dest),
    .in_east_route_class(router9_out_west_route_class),
    .in_east_info(router9_out_west_info),
    .in_east_payload(router9_out_west_payload),
    .in_south_valid(router12_out_north_valid),
    .in_south_head(router12_out_north_head),
    .in_south_tail(router12_out_north_tail),
    .in_south_vc(router12_out_north_vc),
    .in_south_dest(router12_out_north_dest),
    .in_south_route_class(router12_out_north_route_class),
    .in_south_info(router12_out_north_info),
    .in_south_payload(router12_out_north_payload),
    .in_inject0_valid(interface8_out_inject0_valid),
    .in_inject0_head(interface8_out_inject0_head),
    .in_inject0_tail(interface8_out_inject0_tail),
    .in_inject0_vc(interface8_out_inject0_vc),
    .in_inject0_dest(interface8_out_inject0_dest),
    .in_inject0_route_class(interface8_out_inject0_route_class),
    .in_inject0_info(interface8_out_inject0_info),
    .in_inject0_payload(interface8_out_inject0_payload),
    .out_north_credit(router4_in_south_credit),
    .out_east_credit(router9_in_west_credit),
    .out_south_credit(router12_in_north_credit),
    .out_eject0_credit(interface8_in_eject0_credit),
    .in_north_credit(router8_in_north_credit),
    .in_east_credit(router8_in_east_credit),
    .in_south_credit(router8_in_south_credit),
    .in_inject0_credit(router8_in_inject0_credit),
    .out_north_valid(router8_out_north_valid),
    .out_north_head(router8_out_north_head),
    .out_north_tail(router8_out_north_tail),
    .out_north_vc(router8_out_north_vc),
    .out_north_dest(router8_out_north_dest),
    .out_north_route_class(router8_out_north_route_class),
    .out_north_info(router8_out_north_info),
    .out_north_payload(router8_out_north_payload),
    .out_east_valid(router8_out_east_valid),
    .out_east_head(router8_out_east_head),
    .out_east_tail(router8_out_east_tail),
    .out_east_vc(router8_out_east_vc),
    .out_east_dest(router8_out_east_dest),
    .out_east_route_class(router8_out_east_route_class),
    .out_east_info(router8_out_east_info),
    .out_east_payload(router8_out_east_payload),
    .out_south_valid(router8_out_south_valid),
    .out_south_head(router8_out_south_head),
    .out_south_tail(router8_out_south_tail),
    .out_south_vc(router8_out_south_vc),
    .out_south_dest(router8_out_south_dest),
    .out_south_route_class(router8_out_south_route_class),
    .out_south_info(router8_out_south_info),
    .out_south_payload(router8_out_south_payload),
    .out_eject0_valid(router8_out_eject0_valid),
    .out_eject0_head(router8_out_eject0_head),
    .out_eject0_tail(router8_out_eject0_tail),
    .out_eject0_vc(router8_out_eject0_vc),
    .out_eject0_dest(unused_router8_out_eject0_dest),
    .out_eject0_route_class(unused_router8_out_eject0_route_class),
    .out_eject0_info(router8_out_eject0_info),
    .out_eject0_payload(router8_out_eject0_payload)
  );

  wire [3:0] unused_router9_out_eject0_dest;
  wire unused_router9_out_eject0_route_class;
  router_links_nesw_inject1_eject1_turns_full_vcs4_depth8_width128_f5d0bffd router9 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h1),
    .here_y(2'h2),
    .in_north_valid(router5_out_south_valid),
    .in_north_head(router5_out_south_head),
    .in_north_tail(router5_out_south_tail),
    .in_north_vc(router5_out_south_vc),
    .in_north_dest(router5_out_south_dest),
    .in_north_route_class(router5_out_south_route_class),
    .in_north_info(router5_out_south_info),
    .in_north_payload(router5_out_south_payload),
    .in_east_valid(router10_out_west_valid),
    .in_east_head(router10_out_west_head),
    .in_east_tail(router10_out_west_tail),
    .in_east_vc(router10_out_west_vc),
    .in_east_dest(router10_out_west_dest),
    .in_east_route_class(router10_out_west_route_class),
    .in_east_info(router10_out_west_info),
    .in_east_payload(router10_out_west_payload),
    .in_south_valid(router13_out_north_valid),
    .in_south_head(router13_out_north_head),
    .in_south_tail(router13_out_north_tail),
    .in_south_vc(router13_out_north_vc),
    .in_south_dest(router13_out_north_dest),
    .in_south_route_class(router13_out_north_route_class),
    .in_south_info(router13_out_north_info),
    .in_south_payload(router13_out_north_payload),
    .in_west_valid(router8_out_east_valid),
    .in_west_head(router8_out_east_head),
    .in_west_tail(router8_out_east_tail),
    .in_west_vc(router8_out_east_vc),
    .in_west_dest(router8_out_east_dest),
    .in_west_route_class(router8_out_east_route_class),
    .in_west_info(router8_out_east_info),
    .in_west_payload(router8_out_east_payload),
    .in_inject0_valid(interface9_out_inject0_valid),
    .in_inject0_head(interface9_out_inject0_head),
    .in_inject0_tail(interface9_out_inject0_tail),
    .in_inject0_vc(interface9_out_inject0_vc),
    .in_inject0_dest(interface9_out_inject0_dest),
    .in_inject0_route_class(interface9_out_inject0_route_class),
    .in_inject0_info(interface9_out_inject0_info),
    .in_inject0_payload(interface9_out_inject0_payload),
    .out_north_credit(router5_in_south_credit),
    .out_east_credit(router10_in_west_credit),
    .out_south_credit(router13_in_north_credit),
    .out_west_credit(router8_in_east_credit),
    .out_eject0_credit(interface9_in_eject0_credit),
    .in_north_credit(router9_in_north_credit),
    .in_east_credit(router9_in_east_credit),
    .in_south_credit(router9_in_south_credit),
    .in_west_credit(router9_in_west_credit),
    .in_inject0_credit(router9_in_inject0_credit),
    .out_north_valid(router9_out_north_valid),
    .out_north_head(router9_out_north_head),
    .out_north_tail(router9_out_north_tail),
    .out_north_vc(router9_out_north_vc),
    .out_north_dest(router9_out_north_dest),
    .out_north_route_class(router9_out_north_route_class),
    .out_north_info(router9_out_north_info),
    .out_north_payload(router9_out_north_payload),
    .out_east_valid(router9_out_east_valid),
    .out_east_head(router9_out_east_head),
    .out_east_tail(router9_out_east_tail),
    .out_east_vc(router9_out_east_vc),
    .out_east_dest(router9_out_east_dest),
    .out_east_route_class(router9_out_east_route_class),
    .out_east_info(router9_out_east_info),
    .out_east_payload(router9_out_east_payload),
    .out_south_valid(router9_out_south_valid),
    .out_south_head(router9_out_south_head),
    .out_south_tail(router9_out_south_tail),
    .out_south_vc(router9_out_south_vc),
    .out_south_dest(router9_out_south_dest),
    .out_south_route_class(router9_out_south_route_class),
    .out_south_info(router9_out_south_info),
    .out_south_payload(router9_out_south_payload),
    .out_west_valid(router9_out_west_valid),
    .out_west_head(router9_out_west_head),
    .out_west_tail(router9_out_west_tail),
    .out_west_vc(router9_out_west_vc),
    .out_west_dest(router9_out_west_dest),
    .out_west_route_class(router9_out_west_route_class),
    .out_west_info(router9_out_west_info),
    .out_west_payload(router9_out_west_payload),
    .out_eject0_valid(router9_out_eject0_valid),
    .out_eject0_head(router9_out_eject0_head),
    .out_eject0_tail(router9_out_eject0_tail),
    .out_eject0_vc(router9_out_eject0_vc),
    .out_eject0_dest(unused_router9_out_eject0_dest),
    .out_eject0_route_class(unused_router9_out_eject0_route_class),
    .out_eject0_info(router9_out_eject0_info),
    .out_eject0_payload(router9_out_eject0_payload)
  );

  wire [3:0] unused_router10_out_eject0_dest;
  wire unused_router10_out_eject0_route_class;
  router_links_nesw_inject1_eject1_turns_full_vcs4_depth8_width128_f5d0bffd router10 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h2),
    .here_y(2'h2),
    .in_north_valid(router6_out_south_valid),
    .in_north_head(router6_out_south_head),
    .in_north_tail(router6_out_south_tail),
    .in_north_vc(router6_out_south_vc),
    .in_north_dest(router6_out_south_dest),
    .in_north_route_class(router6_out_south_route_class),
    .in_north_info(router6_out_south_info),
    .in_north_payload(router6_out_south_payload),
    .in_east_valid(router11_out_west_valid),
    .in_east_head(router11_out_west_head),
    .in_east_tail(router11_out_west_tail),
    .in_east_vc(router11_out_west_vc),
    .in_east_dest(router11_out_west_dest),
    .in_east_route_class(router11_out_west_route_class),
    .in_east_info(router11_out_west_info),
    .in_east_payload(router11_out_west_payload),
    .in_south_valid(router14_out_north_valid),
    .in_south_head(router14_out_north_head),
    .in_south_tail(router14_out_north_tail),
    .in_south_vc(router14_out_north_vc),
    .in_south_dest(router14_out_north_dest),
    .in_south_route_class(router14_out_north_route_class),
    .in_south_info(router14_out_north_info),
    .in_south_payload(router14_out_north_payload),
    .in_west_valid(router9_out_east_valid),
    .in_west_head(router9_out_east_head),
    .in_west_tail(router9_out_east_tail),
    .in_west_vc(router9_out_east_vc),
    .in_west_dest(router9_out_east_dest),
    .in_west_route_class(router9_out_east_route_class),
    .in_west_info(router9_out_east_info),
    .in_west_payload(router9_out_east_payload),
    .in_inject0_valid(interface10_out_inject0_valid),
    .in_inject0_head(interface10_out_inject0_head),
    .in_inject0_tail(interface10_out_inject0_tail),
    .in_inject0_vc(interface10_out_inject0_vc),
    .in_inject0_dest(interface10_out_inject0_dest),
    .in_inject0_route_class(interface10_out_inject0_route_class),
    .in_inject0_info(interface10_out_inject0_info),
    .in_inject0_payload(interface10_out_inject0_payload),
    .out_north_credit(router6_in_south_credit),
    .out_east_credit(router11_in_west_credit),
    .out_south_credit(router14_in_north_credit),
    .out_west_credit(router9_in_east_credit),
    .out_eject0_credit(interface10_in_eject0_credit),
    .in_north_credit(router10_in_north_credit),
    .in_east_credit(router10_in_east_credit),
    .in_south_credit(router10_in_south_credit),
    .in_west_credit(router10_in_west_credit),
    .in_inject0_credit(router10_in_inject0_credit),
    .out_north_valid(router10_out_north_valid),
    .out_north_head(router10_out_north_head),
    .out_north_tail(router10_out_north_tail),
    .out_north_vc(router10_out_north_vc),
    .out_north_dest(router10_out_north_dest),
    .out_north_route_class(router10_out_north_route_class),
    .out_north_info(router10_out_north_info),
    .out_north_payload(router10_out_north_payload),
    .out_east_valid(router10_out_east_valid),
    .out_east_head(router10_out_east_head),
    .out_east_tail(router10_out_east_tail),
    .out_east_vc(router10_out_east_vc),
    .out_east_dest(router10_out_east_dest),
    .out_east_route_class(router10_out_east_route_class),
    .out_east_info(router10_out_east_info),
    .out_east_payload(router10_out_east_payload),
    .out_south_valid(router10_out_south_valid),
    .out_south_head(router10_out_south_head),
    .out_south_tail(router10_out_south_tail),
    .out_south_vc(router10_out_south_vc),
    .out_south_dest(router10_out_south_dest),
    .out_south_route_class(router10_out_south_route_class),
    .out_south_info(router10_out_south_info),
    .out_south_payload(router10_out_south_payload),
    .out_west_valid(router10_out_west_valid),
    .out_west_head(router10_out_west_head),
    .out_west_tail(router10_out_west_tail),
    .out_west_vc(router10_out_west_vc),
    .out_west_dest(router10_out_west_dest),
    .out_west_route_class(router10_out_west_route_class),
    .out_west_info(router10_out_west_info),
    .out_west_payload(router10_out_west_payload),
    .out_eject0_valid(router10_out_eject0_valid),
    .out_eject0_head(router10_out_eject0_head),
    .out_eject0_tail(router10_out_eject0_tail),
    .out_eject0_vc(router10_out_eject0_vc),
    .out_eject0_dest(unused_router10_out_eject0_dest),
    .out_eject0_route_class(unused_router10_out_eject0_route_class),
    .out_eject0_info(router10_out_eject0_info),
    .out_eject0_payload(router10_out_eject0_payload)
  );

  wire [3:0] unused_router11_out_eject0_dest;
  wire unused_router11_out_eject0_route_class;
  router_links_nsw_inject1_eject1_turns_full_vcs4_depth8_width128_a253cd98 router11 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h3),
    .here_y(2'h2),
    .in_north_valid(router7_out_south_valid),
    .in_north_head(router7_out_south_head),
    .in_north_tail(router7_out_south_tail),
    .in_north_vc(router7_out_south_vc),
    .in_north_dest(router7_out_south_dest),
    .in_north_route_class(router7_out_south_route_class),
    .in_north_info(router7_out_south_info),
    .in_north_payload(router7_out_south_payload),
    .in_south_valid(router15_out_north_valid),
    .in_south_head(router15_out_north_head),
    .in_south_tail(router15_out_north_tail),
    .in_south_vc(router15_out_north_vc),
    .in_south_dest(router15_out_north_dest),
    .in_south_route_class(router15_out_north_route_class),
    .in_south_info(router15_out_north_info),
    .in_south_payload(router15_out_north_payload),
    .in_west_valid(router10_out_east_valid),
    .in_west_head(router10_out_east_head),
    .in_west_tail(router10_out_east_tail),
    .in_west_vc(router10_out_east_vc),
    .in_west_dest(router10_out_east_dest),
    .in_west_route_class(router10_out_east_route_class),
    .in_west_info(router10_out_east_info),
    .in_west_payload(router10_out_east_payload),
    .in_inject0_valid(interface11_out_inject0_valid),
    .in_inject0_head(interface11_out_inject0_head),
    .in_inject0_tail(interface11_out_inject0_tail),
    .in_inject0_vc(interface11_out_inject0_vc),
    .in_inject0_dest(interface11_out_inject0_dest),
    .in_inject0_route_class(interface11_out_inject0_route_class),
    .in_inject0_info(interface11_out_inject0_info),
    .in_inject0_payload(interface11_out_inject0_payload),
    .out_north_credit(router7_in_south_credit),
    .out_south_credit(router15_in_north_credit),
    .out_west_credit(router10_in_east_credit),
    .out_eject0_credit(interface11_in_eject0_credit),
    .in_north_credit(router11_in_north_credit),
    .in_south_credit(router11_in_south_credit),
    .in_west_credit(router11_in_west_credit),
    .in_inject0_credit(router11_in_inject0_credit),
    .out_north_valid(router11_out_north_valid),
    .out_north_head(router11_out_north_head),
    .out_north_tail(router11_out_north_tail),
    .out_north_vc(router11_out_north_vc),
    .out_north_dest(router11_out_north_dest),
    .out_north_route_class(router11_out_north_route_class),
    .out_north_info(router11_out_north_info),
    .out_north_payload(router11_out_north_payload),
    .out_south_valid(router11_out_south_valid),
    .out_south_head(router11_out_south_head),
    .out_south_tail(router11_out_south_tail),
    .out_south_vc(router11_out_south_vc),
    .out_south_dest(router11_out_south_dest),
    .out_south_route_class(router11_out_south_route_class),
    .out_south_info(router11_out_south_info),
    .out_south_payload(router11_out_south_payload),
    .out_west_valid(router11_out_west_valid),
    .out_west_head(router11_out_west_head),
    .out_west_tail(router11_out_west_tail),
    .out_west_vc(router11_out_west_vc),
    .out_west_dest(router11_out_west_dest),
    .out_west_route_class(router11_out_west_route_class),
    .out_west_info(router11_out_west_info),
    .out_west_payload(router11_out_west_payload),
    .out_eject0_valid(router11_out_eject0_valid),
    .out_eject0_head(router11_out_eject0_head),
    .out_eject0_tail(router11_out_eject0_tail),
    .out_eject0_vc(router11_out_eject0_vc),
    .out_eject0_dest(unused_router11_out_eject0_dest),
    .out_eject0_route_class(unused_router11_out_eject0_route_class),
    .out_eject0_info(router11_out_eject0_info),
    .out_eject0_payload(router11_out_eject0_payload)
  );

  wire [3:0] unused_router12_out_eject0_dest;
  wire unused_router12_out_eject0_route_class;
  router_links_ne_inject1_eject1_turns_full_vcs4_depth8_width128_9f771c03 router12 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h0),
    .here_y(2'h3),
    .in_north_valid(router8_out_south_valid),
    .in_north_head(router8_out_south_head),
    .in_north_tail(router8_out_south_tail),
    .in_north_vc(router8_out_south_vc),
    .in_north_dest(router8_out_south_dest),
    .in_north_route_class(router8_out_south_route_class),
    .in_north_info(router8_out_south_info),
    .in_north_payload(router8_out_south_payload),
    .in_east_valid(router13_out_west_valid),
    .in_east_head(router13_out_west_head),
    .in_east_tail(router13_out_west_tail),
    .in_east_vc(router13_out_west_vc),
    .in_east_dest(router13_out_west_dest),
    .in_east_route_class(router13_out_west_route_class),
    .in_east_info(router13_out_west_info),
    .in_east_payload(router13_out_west_payload),
    .in_inject0_valid(interface12_out_inject0_valid),
    .in_inject0_head(interface12_out_inject0_head),
    .in_inject0_tail(interface12_out_inject0_tail),
    .in_inject0_vc(interface12_out_inject0_vc),
    .in_inject0_dest(interface12_out_inject0_dest),
    .in_inject0_route_class(interface12_out_inject0_route_class),
    .in_inject0_info(interface12_out_inject0_info),
    .in_inject0_payload(interface12_out_inject0_payload),
    .out_north_credit(router8_in_south_credit),
    .out_east_credit(router13_in_west_credit),
    .out_eject0_credit(interface12_in_eject0_credit),
    .in_north_credit(router12_in_north_credit),
    .in_east_credit(router12_in_east_credit),
    .in_inject0_credit(router12_in_inject0_credit),
    .out_north_valid(router12_out_north_valid),
    .out_north_head(router12_out_north_head),
    .out_north_tail(router12_out_north_tail),
    .out_north_vc(router12_out_north_vc),
    .out_north_dest(router12_out_north_dest),
    .out_north_route_class(router12_out_north_route_class),
    .out_north_info(router12_out_north_info),
    .out_north_payload(router12_out_north_payload),
    .out_east_valid(router12_out_east_valid),
    .out_east_head(router12_out_east_head),
    .out_east_tail(router12_out_east_tail),
    .out_east_vc(router12_out_east_vc),
    .out_east_dest(router12_out_east_dest),
    .out_east_route_class(router12_out_east_route_class),
    .out_east_info(router12_out_east_info),
    .out_east_payload(router12_out_east_payload),
    .out_eject0_valid(router12_out_eject0_valid),
    .out_eject0_head(router12_out_eject0_head),
    .out_eject0_tail(router12_out_eject0_tail),
    .out_eject0_vc(router12_out_eject0_vc),
    .out_eject0_dest(unused_router12_out_eject0_dest),
    .out_eject0_route_class(unused_router12_out_eject0_route_class),
    .out_eject0_info(router12_out_eject0_info),
    .out_eject0_payload(router12_out_eject0_payload)
  );

  wire [3:0] unused_router13_out_eject0_dest;
  wire unused_router13_out_eject0_route_class;
  router_links_new_inject1_eject1_turns_full_vcs4_depth8_width128_f379cd14 router13 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h1),
    .here_y(2'h3),
    .in_north_valid(router9_out_south_valid),
    .in_north_head(router9_out_south_head),
    .in_north_tail(router9_out_south_tail),
    .in_north_vc(router9_out_south_vc),
    .in_north_dest(router9_out_south_dest),
    .in_north_route_class(router9_out_south_route_class),
    .in_north_info(router9_out_south_info),
    .in_north_payload(router9_out_south_payload),
    .in_east_valid(router14_out_west_valid),
    .in_east_head(router14_out_west_head),
    .in_east_tail(router14_out_west_tail),
    .in_east_vc(router14_out_west_vc),
    .in_east_dest(router14_out_west_dest),
    .in_east_route_class(router14_out_west_route_class),
    .in_east_info(router14_out_west_info),
    .in_east_payload(router14_out_west_payload),
    .in_west_valid(router12_out_east_valid),
    .in_west_head(router12_out_east_head),
    .in_west_tail(router12_out_east_tail),
    .in_west_vc(router12_out_east_vc),
    .in_west_dest(router12_out_east_dest),
    .in_west_route_class(router12_out_east_route_class),
    .in_west_info(router12_out_east_info),
    .in_west_payload(router12_out_east_payload),
    .in_inject0_valid(interface13_out_inject0_valid),
    .in_inject0_head(interface13_out_inject0_head),
    .in_inject0_tail(interface13_out_inject0_tail),
    .in_inject0_vc(interface13_out_inject0_vc),
    .in_inject0_dest(interface13_out_inject0_dest),
    .in_inject0_route_class(interface13_out_inject0_route_class),
    .in_inject0_info(interface13_out_inject0_info),
    .in_inject0_payload(interface13_out_inject0_payload),
    .out_north_credit(router9_in_south_credit),
    .out_east_credit(router14_in_west_credit),
    .out_west_credit(router12_in_east_credit),
    .out_eject0_credit(interface13_in_eject0_credit),
    .in_north_credit(router13_in_north_credit),
    .in_east_credit(router13_in_east_credit),
    .in_west_credit(router13_in_west_credit),
    .in_inject0_credit(router13_in_inject0_credit),
    .out_north_valid(router13_out_north_valid),
    .out_north_head(router13_out_north_head),
    .out_north_tail(router13_out_north_tail),
    .out_north_vc(router13_out_north_vc),
    .out_north_dest(router13_out_north_dest),
    .out_north_route_class(router13_out_north_route_class),
    .out_north_info(router13_out_north_info),
    .out_north_payload(router13_out_north_payload),
    .out_east_valid(router13_out_east_valid),
    .out_east_head(router13_out_east_head),
    .out_east_tail(router13_out_east_tail),
    .out_east_vc(router13_out_east_vc),
    .out_east_dest(router13_out_east_dest),
    .out_east_route_class(router13_out_east_route_class),
    .out_east_info(router13_out_east_info),
    .out_east_payload(router13_out_east_payload),
    .out_west_valid(router13_out_west_valid),
    .out_west_head(router13_out_west_head),
    .out_west_tail(router13_out_west_tail),
    .out_west_vc(router13_out_west_vc),
    .out_west_dest(router13_out_west_dest),
    .out_west_route_class(router13_out_west_route_class),
    .out_west_info(router13_out_west_info),
    .out_west_payload(router13_out_west_payload),
    .out_eject0_valid(router13_out_eject0_valid),
    .out_eject0_head(router13_out_eject0_head),
    .out_eject0_tail(router13_out_eject0_tail),
    .out_eject0_vc(router13_out_eject0_vc),
    .out_eject0_dest(unused_router13_out_eject0_dest),
    .out_eject0_route_class(unused_router13_out_eject0_route_class),
    .out_eject0_info(router13_out_eject0_info),
    .out_eject0_payload(router13_out_eject0_payload)
  );

  wire [3:0] unused_router14_out_eject0_dest;
  wire unused_router14_out_eject0_route_class;
  router_links_new_inject1_eject1_turns_full_vcs4_depth8_width128_f379cd14 router14 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h2),
    .here_y(2'h3),
    .in_north_valid(router10_out_south_valid),
    .in_north_head(router10_out_south_head),
    .in_north_tail(router10_out_south_tail),
    .in_north_vc(router10_out_south_vc),
    .in_north_dest(router10_out_south_dest),
    .in_north_route_class(router10_out_south_route_class),
    .in_north_info(router10_out_south_info),
    .in_north_payload(router10_out_south_payload),
    .in_east_valid(router15_out_west_valid),
    .in_east_head(router15_out_west_head),
    .in_east_tail(router15_out_west_tail),
    .in_east_vc(router15_out_west_vc),
    .in_east_dest(router15_out_west_dest),
    .in_east_route_class(router15_out_west_route_class),
    .in_east_info(router15_out_west_info),
    .in_east_payload(router15_out_west_payload),
    .in_west_valid(router13_out_east_valid),
    .in_west_head(router13_out_east_head),
    .in_west_tail(router13_out_east_tail),
    .in_west_vc(router13_out_east_vc),
    .in_west_dest(router13_out_east_dest),
    .in_west_route_class(router13_out_east_route_class),
    .in_west_info(router13_out_east_info),
    .in_west_payload(router13_out_east_payload),
    .in_inject0_valid(interface14_out_inject0_valid),
    .in_inject0_head(interface14_out_inject0_head),
    .in_inject0_tail(interface14_out_inject0_tail),
    .in_inject0_vc(interface14_out_inject0_vc),
    .in_inject0_dest(interface14_out_inject0_dest),
    .in_inject0_route_class(interface14_out_inject0_route_class),
    .in_inject0_info(interface14_out_inject0_info),
    .in_inject0_payload(interface14_out_inject0_payload),
    .out_north_credit(router10_in_south_credit),
    .out_east_credit(router15_in_west_credit),
    .out_west_credit(router13_in_east_credit),
    .out_eject0_credit(interface14_in_eject0_credit),
    .in_north_credit(router14_in_north_credit),
    .in_east_credit(router14_in_east_credit),
    .in_west_credit(router14_in_west_credit),
    .in_inject0_credit(router14_in_inject0_credit),
    .out_north_valid(router14_out_north_valid),
    .out_north_head(router14_out_north_head),
    .out_north_tail(router14_out_north_tail),
    .out_north_vc(router14_out_north_vc),
    .out_north_dest(router14_out_north_dest),
    .out_north_route_class(router14_out_north_route_class),
    .out_north_info(router14_out_north_info),
    .out_north_payload(router14_out_north_payload),
    .out_east_valid(router14_out_east_valid),
    .out_east_head(router14_out_east_head),
    .out_east_tail(router14_out_east_tail),
    .out_east_vc(router14_out_east_vc),
    .out_east_dest(router14_out_east_dest),
    .out_east_route_class(router14_out_east_route_class),
    .out_east_info(router14_out_east_info),
    .out_east_payload(router14_out_east_payload),
    .out_west_valid(router14_out_west_valid),
    .out_west_head(router14_out_west_head),
    .out_west_tail(router14_out_west_tail),
    .out_west_vc(router14_out_west_vc),
    .out_west_dest(router14_out_west_dest),
    .out_west_route_class(router14_out_west_route_class),
    .out_west_info(router14_out_west_info),
    .out_west_payload(router14_out_west_payload),
    .out_eject0_valid(router14_out_eject0_valid),
    .out_eject0_head(router14_out_eject0_head),
    .out_eject0_tail(router14_out_eject0_tail),
    .out_eject0_vc(router14_out_eject0_vc),
    .out_eject0_dest(unused_router14_out_eject0_dest),
    .out_eject0_route_class(unused_router14_out_eject0_route_class),
    .out_eject0_info(router14_out_eject0_info),
    .out_eject0_payload(router14_out_eject0_payload)
  );

  wire [3:0] unused_router15_out_eject0_dest;
  wire unused_router15_out_eject0_route_class;
  router_links_nw_inject1_eject1_turns_full_vcs4_depth8_width128_92daa161 router15 (
    .clock(clock),
    .reset(reset),
    .here_x(2'h3),
    .here_y(2'h3),
    .in_north_valid(router11_out_south_valid),
    .in_north_head(router11_out_south_head),
    .in_north_tail(router11_out_south_tail),
    .in_north_vc(router11_out_south_vc),
    .in_north_dest(router11_out_south_dest),
    .in_north_route_class(router11_out_south_route_class),
    .in_north_info(router11_out_south_info),
    .in_north_payload(router11_out_south_payload),
    .in_west_valid(router14_out_east_valid),
    .in_west_head(router14_out_east_head),
    .in_west_tail(router14_out_east_tail),
    .in_west_vc(router14_out_east_vc),
    .in_west_dest(router14_out_east_dest),
    .in_west_route_class(router14_out_east_route_class),
    .in_west_info(router14_out_east_info),
    .in_west_payload(router14_out_east_payload),
    .in_inject0_valid(interface15_out_inject0_valid),
    .in_inject0_head(interface15_out_inject0_head),
    .in_inject0_tail(interface15_out_inject0_tail),
    .in_inject0_vc(interface15_out_inject0_vc),
    .in_inject0_dest(interface15_out_inject0_dest),
    .in_inject0_route_class(interface15_out_inject0_route_class),
    .in_inject0_info(interface15_out_inject0_info),
    .in_inject0_payload(interface15_out_inject0_payload),
    .out_north_credit(router11_in_south_credit),
    .out_west_credit(router14_in_east_credit),
    .out_eject0_credit(interface15_in_eject0_credit),
    .in_north_credit(router15_in_north_credit),
    .in_west_credit(router15_in_west_credit),
    .in_inject0_credit(router15_in_inject0_credit),
    .out_north_valid(router15_out_north_valid),
    .out_north_head(router15_out_north_head),
    .out_north_tail(router15_out_north_tail),
    .out_north_vc(router15_out_north_vc),
    .out_north_dest(router15_out_north_dest),
    .out_north_route_class(router15_out_north_route_class),
    .out_north_info(router15_out_north_info),
    .out_north_payload(router15_out_north_payload),
    .out_west_valid(router15_out_west_valid),
    .out_west_head(router15_out_west_head),
    .out_west_tail(router15_out_west_tail),
    .out_west_vc(router15_out_west_vc),
    .out_west_dest(router15_out_west_dest),
    .out_west_route_class(router15_out_west_route_class),
    .out_west_info(router15_out_west_info),
    .out_west_payload(router15_out_west_payload),
    .out_eject0_valid(router15_out_eject0_valid),
    .out_eject0_head(router15_out_eject0_head),
    .out_eject0_tail(router15_out_eject0_tail),
    .out_eject0_vc(router15_out_eject0_vc),
    .out_eject0_dest(unused_router15_out_eject0_dest),
    .out_eject0_route_class(unused_router15_out_eject0_route_class),
    .out_eject0_info(router15_out_eject0_info),
    .out_eject0_payload(router15_out_eject0_payload)
  );

  block_dispatcher_cores12_warps8_blocks8_7a15c5d9 dispatcher (
    .clock(clock),
    .reset(reset),
    .host_write(host_write),
    .host_address(host_address),
    .host_data(host_data),
    .host_start(host_start),
    .block_done0(core0_block_done),
    .block_done1(core1_block_done),
    .block_done2(core2_block_done),
    .block_done3(core3_block_done),
    .block_done4(core4_block_done),
    .block_done5(core5_block_done),
    .block_done6(core6_block_done),
    .block_done7(core7_block_done),
    .block_done8(core8_block_done),
    .block_done9(core9_block_done),
    .block_done10(core10_block_done),
    .block_done11(core11_block_done),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid0(dispatcher_block_valid0),
    .block_valid1(dispatcher_block_valid1),
    .block_valid2(dispatcher_block_valid2),
    .block_valid3(dispatcher_block_valid3),
    .block_valid4(dispatcher_block_valid4),
    .block_valid5(dispatcher_block_valid5),
    .block_valid6(dispatcher_block_valid6),
    .block_valid7(dispatcher_block_valid7),
    .block_valid8(dispatcher_block_valid8),
    .block_valid9(dispatcher_block_valid9),
    .block_valid10(dispatcher_block_valid10),
    .block_valid11(dispatcher_block_valid11),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .host_done(dispatcher_host_done)
  );

  wire unused_core0_idle;
  core_warps8_lanes8_registers64_ccfcb775 core0 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid0),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface0_tx_credit),
    .rx_valid(interface0_rx_valid),
    .rx_sideband(interface0_rx_sideband),
    .rx_payload(interface0_rx_payload),
    .block_done(core0_block_done),
    .idle(unused_core0_idle),
    .tx_valid(core0_tx_valid),
    .tx_dest(core0_tx_dest),
    .tx_flits(core0_tx_flits),
    .tx_sideband(core0_tx_sideband),
    .tx_payload(core0_tx_payload),
    .rx_credit(core0_rx_credit)
  );

  wire [3:0] unused_interface0_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface0 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core0_tx_valid),
    .tx_dest(core0_tx_dest),
    .tx_flits(core0_tx_flits),
    .tx_sideband(core0_tx_sideband),
    .tx_payload(core0_tx_payload),
    .here(4'h0),
    .out_inject0_credit(router0_in_inject0_credit),
    .in_eject0_valid(router0_out_eject0_valid),
    .in_eject0_head(router0_out_eject0_head),
    .in_eject0_tail(router0_out_eject0_tail),
    .in_eject0_vc(router0_out_eject0_vc),
    .in_eject0_info(router0_out_eject0_info),
    .in_eject0_payload(router0_out_eject0_payload),
    .rx_credit(core0_rx_credit),
    .tx_credit(interface0_tx_credit),
    .out_inject0_valid(interface0_out_inject0_valid),
    .out_inject0_head(interface0_out_inject0_head),
    .out_inject0_tail(interface0_out_inject0_tail),
    .out_inject0_vc(interface0_out_inject0_vc),
    .out_inject0_dest(interface0_out_inject0_dest),
    .out_inject0_route_class(interface0_out_inject0_route_class),
    .out_inject0_info(interface0_out_inject0_info),
    .out_inject0_payload(interface0_out_inject0_payload),
    .in_eject0_credit(interface0_in_eject0_credit),
    .rx_valid(interface0_rx_valid),
    .rx_src(unused_interface0_rx_src),
    .rx_sideband(interface0_rx_sideband),
    .rx_payload(interface0_rx_payload)
  );

  wire unused_core1_idle;
  core_warps8_lanes8_registers64_ccfcb775 core1 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid1),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface3_tx_credit),
    .rx_valid(interface3_rx_valid),
    .rx_sideband(interface3_rx_sideband),
    .rx_payload(interface3_rx_payload),
    .block_done(core1_block_done),
    .idle(unused_core1_idle),
    .tx_valid(core1_tx_valid),
    .tx_dest(core1_tx_dest),
    .tx_flits(core1_tx_flits),
    .tx_sideband(core1_tx_sideband),
    .tx_payload(core1_tx_payload),
    .rx_credit(core1_rx_credit)
  );

  wire [3:0] unused_interface3_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface3 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core1_tx_valid),
    .tx_dest(core1_tx_dest),
    .tx_flits(core1_tx_flits),
    .tx_sideband(core1_tx_sideband),
    .tx_payload(core1_tx_payload),
    .here(4'h3),
    .out_inject0_credit(router3_in_inject0_credit),
    .in_eject0_valid(router3_out_eject0_valid),
    .in_eject0_head(router3_out_eject0_head),
    .in_eject0_tail(router3_out_eject0_tail),
    .in_eject0_vc(router3_out_eject0_vc),
    .in_eject0_info(router3_out_eject0_info),
    .in_eject0_payload(router3_out_eject0_payload),
    .rx_credit(core1_rx_credit),
    .tx_credit(interface3_tx_credit),
    .out_inject0_valid(interface3_out_inject0_valid),
    .out_inject0_head(interface3_out_inject0_head),
    .out_inject0_tail(interface3_out_inject0_tail),
    .out_inject0_vc(interface3_out_inject0_vc),
    .out_inject0_dest(interface3_out_inject0_dest),
    .out_inject0_route_class(interface3_out_inject0_route_class),
    .out_inject0_info(interface3_out_inject0_info),
    .out_inject0_payload(interface3_out_inject0_payload),
    .in_eject0_credit(interface3_in_eject0_credit),
    .rx_valid(interface3_rx_valid),
    .rx_src(unused_interface3_rx_src),
    .rx_sideband(interface3_rx_sideband),
    .rx_payload(interface3_rx_payload)
  );

  wire unused_core2_idle;
  core_warps8_lanes8_registers64_ccfcb775 core2 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid2),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface4_tx_credit),
    .rx_valid(interface4_rx_valid),
    .rx_sideband(interface4_rx_sideband),
    .rx_payload(interface4_rx_payload),
    .block_done(core2_block_done),
    .idle(unused_core2_idle),
    .tx_valid(core2_tx_valid),
    .tx_dest(core2_tx_dest),
    .tx_flits(core2_tx_flits),
    .tx_sideband(core2_tx_sideband),
    .tx_payload(core2_tx_payload),
    .rx_credit(core2_rx_credit)
  );

  wire [3:0] unused_interface4_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface4 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core2_tx_valid),
    .tx_dest(core2_tx_dest),
    .tx_flits(core2_tx_flits),
    .tx_sideband(core2_tx_sideband),
    .tx_payload(core2_tx_payload),
    .here(4'h4),
    .out_inject0_credit(router4_in_inject0_credit),
    .in_eject0_valid(router4_out_eject0_valid),
    .in_eject0_head(router4_out_eject0_head),
    .in_eject0_tail(router4_out_eject0_tail),
    .in_eject0_vc(router4_out_eject0_vc),
    .in_eject0_info(router4_out_eject0_info),
    .in_eject0_payload(router4_out_eject0_payload),
    .rx_credit(core2_rx_credit),
    .tx_credit(interface4_tx_credit),
    .out_inject0_valid(interface4_out_inject0_valid),
    .out_inject0_head(interface4_out_inject0_head),
    .out_inject0_tail(interface4_out_inject0_tail),
    .out_inject0_vc(interface4_out_inject0_vc),
    .out_inject0_dest(interface4_out_inject0_dest),
    .out_inject0_route_class(interface4_out_inject0_route_class),
    .out_inject0_info(interface4_out_inject0_info),
    .out_inject0_payload(interface4_out_inject0_payload),
    .in_eject0_credit(interface4_in_eject0_credit),
    .rx_valid(interface4_rx_valid),
    .rx_src(unused_interface4_rx_src),
    .rx_sideband(interface4_rx_sideband),
    .rx_payload(interface4_rx_payload)
  );

  wire unused_core3_idle;
  core_warps8_lanes8_registers64_ccfcb775 core3 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid3),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface5_tx_credit),
    .rx_valid(interface5_rx_valid),
    .rx_sideband(interface5_rx_sideband),
    .rx_payload(interface5_rx_payload),
    .block_done(core3_block_done),
    .idle(unused_core3_idle),
    .tx_valid(core3_tx_valid),
    .tx_dest(core3_tx_dest),
    .tx_flits(core3_tx_flits),
    .tx_sideband(core3_tx_sideband),
    .tx_payload(core3_tx_payload),
    .rx_credit(core3_rx_credit)
  );

  wire [3:0] unused_interface5_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface5 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core3_tx_valid),
    .tx_dest(core3_tx_dest),
    .tx_flits(core3_tx_flits),
    .tx_sideband(core3_tx_sideband),
    .tx_payload(core3_tx_payload),
    .here(4'h5),
    .out_inject0_credit(router5_in_inject0_credit),
    .in_eject0_valid(router5_out_eject0_valid),
    .in_eject0_head(router5_out_eject0_head),
    .in_eject0_tail(router5_out_eject0_tail),
    .in_eject0_vc(router5_out_eject0_vc),
    .in_eject0_info(router5_out_eject0_info),
    .in_eject0_payload(router5_out_eject0_payload),
    .rx_credit(core3_rx_credit),
    .tx_credit(interface5_tx_credit),
    .out_inject0_valid(interface5_out_inject0_valid),
    .out_inject0_head(interface5_out_inject0_head),
    .out_inject0_tail(interface5_out_inject0_tail),
    .out_inject0_vc(interface5_out_inject0_vc),
    .out_inject0_dest(interface5_out_inject0_dest),
    .out_inject0_route_class(interface5_out_inject0_route_class),
    .out_inject0_info(interface5_out_inject0_info),
    .out_inject0_payload(interface5_out_inject0_payload),
    .in_eject0_credit(interface5_in_eject0_credit),
    .rx_valid(interface5_rx_valid),
    .rx_src(unused_interface5_rx_src),
    .rx_sideband(interface5_rx_sideband),
    .rx_payload(interface5_rx_payload)
  );

  wire unused_core4_idle;
  core_warps8_lanes8_registers64_ccfcb775 core4 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid4),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface6_tx_credit),
    .rx_valid(interface6_rx_valid),
    .rx_sideband(interface6_rx_sideband),
    .rx_payload(interface6_rx_payload),
    .block_done(core4_block_done),
    .idle(unused_core4_idle),
    .tx_valid(core4_tx_valid),
    .tx_dest(core4_tx_dest),
    .tx_flits(core4_tx_flits),
    .tx_sideband(core4_tx_sideband),
    .tx_payload(core4_tx_payload),
    .rx_credit(core4_rx_credit)
  );

  wire [3:0] unused_interface6_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface6 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core4_tx_valid),
    .tx_dest(core4_tx_dest),
    .tx_flits(core4_tx_flits),
    .tx_sideband(core4_tx_sideband),
    .tx_payload(core4_tx_payload),
    .here(4'h6),
    .out_inject0_credit(router6_in_inject0_credit),
    .in_eject0_valid(router6_out_eject0_valid),
    .in_eject0_head(router6_out_eject0_head),
    .in_eject0_tail(router6_out_eject0_tail),
    .in_eject0_vc(router6_out_eject0_vc),
    .in_eject0_info(router6_out_eject0_info),
    .in_eject0_payload(router6_out_eject0_payload),
    .rx_credit(core4_rx_credit),
    .tx_credit(interface6_tx_credit),
    .out_inject0_valid(interface6_out_inject0_valid),
    .out_inject0_head(interface6_out_inject0_head),
    .out_inject0_tail(interface6_out_inject0_tail),
    .out_inject0_vc(interface6_out_inject0_vc),
    .out_inject0_dest(interface6_out_inject0_dest),
    .out_inject0_route_class(interface6_out_inject0_route_class),
    .out_inject0_info(interface6_out_inject0_info),
    .out_inject0_payload(interface6_out_inject0_payload),
    .in_eject0_credit(interface6_in_eject0_credit),
    .rx_valid(interface6_rx_valid),
    .rx_src(unused_interface6_rx_src),
    .rx_sideband(interface6_rx_sideband),
    .rx_payload(interface6_rx_payload)
  );

  wire unused_core5_idle;
  core_warps8_lanes8_registers64_ccfcb775 core5 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid5),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface7_tx_credit),
    .rx_valid(interface7_rx_valid),
    .rx_sideband(interface7_rx_sideband),
    .rx_payload(interface7_rx_payload),
    .block_done(core5_block_done),
    .idle(unused_core5_idle),
    .tx_valid(core5_tx_valid),
    .tx_dest(core5_tx_dest),
    .tx_flits(core5_tx_flits),
    .tx_sideband(core5_tx_sideband),
    .tx_payload(core5_tx_payload),
    .rx_credit(core5_rx_credit)
  );

  wire [3:0] unused_interface7_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface7 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core5_tx_valid),
    .tx_dest(core5_tx_dest),
    .tx_flits(core5_tx_flits),
    .tx_sideband(core5_tx_sideband),
    .tx_payload(core5_tx_payload),
    .here(4'h7),
    .out_inject0_credit(router7_in_inject0_credit),
    .in_eject0_valid(router7_out_eject0_valid),
    .in_eject0_head(router7_out_eject0_head),
    .in_eject0_tail(router7_out_eject0_tail),
    .in_eject0_vc(router7_out_eject0_vc),
    .in_eject0_info(router7_out_eject0_info),
    .in_eject0_payload(router7_out_eject0_payload),
    .rx_credit(core5_rx_credit),
    .tx_credit(interface7_tx_credit),
    .out_inject0_valid(interface7_out_inject0_valid),
    .out_inject0_head(interface7_out_inject0_head),
    .out_inject0_tail(interface7_out_inject0_tail),
    .out_inject0_vc(interface7_out_inject0_vc),
    .out_inject0_dest(interface7_out_inject0_dest),
    .out_inject0_route_class(interface7_out_inject0_route_class),
    .out_inject0_info(interface7_out_inject0_info),
    .out_inject0_payload(interface7_out_inject0_payload),
    .in_eject0_credit(interface7_in_eject0_credit),
    .rx_valid(interface7_rx_valid),
    .rx_src(unused_interface7_rx_src),
    .rx_sideband(interface7_rx_sideband),
    .rx_payload(interface7_rx_payload)
  );

  wire unused_core6_idle;
  core_warps8_lanes8_registers64_ccfcb775 core6 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid6),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface8_tx_credit),
    .rx_valid(interface8_rx_valid),
    .rx_sideband(interface8_rx_sideband),
    .rx_payload(interface8_rx_payload),
    .block_done(core6_block_done),
    .idle(unused_core6_idle),
    .tx_valid(core6_tx_valid),
    .tx_dest(core6_tx_dest),
    .tx_flits(core6_tx_flits),
    .tx_sideband(core6_tx_sideband),
    .tx_payload(core6_tx_payload),
    .rx_credit(core6_rx_credit)
  );

  wire [3:0] unused_interface8_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface8 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core6_tx_valid),
    .tx_dest(core6_tx_dest),
    .tx_flits(core6_tx_flits),
    .tx_sideband(core6_tx_sideband),
    .tx_payload(core6_tx_payload),
    .here(4'h8),
    .out_inject0_credit(router8_in_inject0_credit),
    .in_eject0_valid(router8_out_eject0_valid),
    .in_eject0_head(router8_out_eject0_head),
    .in_eject0_tail(router8_out_eject0_tail),
    .in_eject0_vc(router8_out_eject0_vc),
    .in_eject0_info(router8_out_eject0_info),
    .in_eject0_payload(router8_out_eject0_payload),
    .rx_credit(core6_rx_credit),
    .tx_credit(interface8_tx_credit),
    .out_inject0_valid(interface8_out_inject0_valid),
    .out_inject0_head(interface8_out_inject0_head),
    .out_inject0_tail(interface8_out_inject0_tail),
    .out_inject0_vc(interface8_out_inject0_vc),
    .out_inject0_dest(interface8_out_inject0_dest),
    .out_inject0_route_class(interface8_out_inject0_route_class),
    .out_inject0_info(interface8_out_inject0_info),
    .out_inject0_payload(interface8_out_inject0_payload),
    .in_eject0_credit(interface8_in_eject0_credit),
    .rx_valid(interface8_rx_valid),
    .rx_src(unused_interface8_rx_src),
    .rx_sideband(interface8_rx_sideband),
    .rx_payload(interface8_rx_payload)
  );

  wire unused_core7_idle;
  core_warps8_lanes8_registers64_ccfcb775 core7 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid7),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface9_tx_credit),
    .rx_valid(interface9_rx_valid),
    .rx_sideband(interface9_rx_sideband),
    .rx_payload(interface9_rx_payload),
    .block_done(core7_block_done),
    .idle(unused_core7_idle),
    .tx_valid(core7_tx_valid),
    .tx_dest(core7_tx_dest),
    .tx_flits(core7_tx_flits),
    .tx_sideband(core7_tx_sideband),
    .tx_payload(core7_tx_payload),
    .rx_credit(core7_rx_credit)
  );

  wire [3:0] unused_interface9_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface9 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core7_tx_valid),
    .tx_dest(core7_tx_dest),
    .tx_flits(core7_tx_flits),
    .tx_sideband(core7_tx_sideband),
    .tx_payload(core7_tx_payload),
    .here(4'h9),
    .out_inject0_credit(router9_in_inject0_credit),
    .in_eject0_valid(router9_out_eject0_valid),
    .in_eject0_head(router9_out_eject0_head),
    .in_eject0_tail(router9_out_eject0_tail),
    .in_eject0_vc(router9_out_eject0_vc),
    .in_eject0_info(router9_out_eject0_info),
    .in_eject0_payload(router9_out_eject0_payload),
    .rx_credit(core7_rx_credit),
    .tx_credit(interface9_tx_credit),
    .out_inject0_valid(interface9_out_inject0_valid),
    .out_inject0_head(interface9_out_inject0_head),
    .out_inject0_tail(interface9_out_inject0_tail),
    .out_inject0_vc(interface9_out_inject0_vc),
    .out_inject0_dest(interface9_out_inject0_dest),
    .out_inject0_route_class(interface9_out_inject0_route_class),
    .out_inject0_info(interface9_out_inject0_info),
    .out_inject0_payload(interface9_out_inject0_payload),
    .in_eject0_credit(interface9_in_eject0_credit),
    .rx_valid(interface9_rx_valid),
    .rx_src(unused_interface9_rx_src),
    .rx_sideband(interface9_rx_sideband),
    .rx_payload(interface9_rx_payload)
  );

  wire unused_core8_idle;
  core_warps8_lanes8_registers64_ccfcb775 core8 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid8),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface10_tx_credit),
    .rx_valid(interface10_rx_valid),
    .rx_sideband(interface10_rx_sideband),
    .rx_payload(interface10_rx_payload),
    .block_done(core8_block_done),
    .idle(unused_core8_idle),
    .tx_valid(core8_tx_valid),
    .tx_dest(core8_tx_dest),
    .tx_flits(core8_tx_flits),
    .tx_sideband(core8_tx_sideband),
    .tx_payload(core8_tx_payload),
    .rx_credit(core8_rx_credit)
  );

  wire [3:0] unused_interface10_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface10 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core8_tx_valid),
    .tx_dest(core8_tx_dest),
    .tx_flits(core8_tx_flits),
    .tx_sideband(core8_tx_sideband),
    .tx_payload(core8_tx_payload),
    .here(4'ha),
    .out_inject0_credit(router10_in_inject0_credit),
    .in_eject0_valid(router10_out_eject0_valid),
    .in_eject0_head(router10_out_eject0_head),
    .in_eject0_tail(router10_out_eject0_tail),
    .in_eject0_vc(router10_out_eject0_vc),
    .in_eject0_info(router10_out_eject0_info),
    .in_eject0_payload(router10_out_eject0_payload),
    .rx_credit(core8_rx_credit),
    .tx_credit(interface10_tx_credit),
    .out_inject0_valid(interface10_out_inject0_valid),
    .out_inject0_head(interface10_out_inject0_head),
    .out_inject0_tail(interface10_out_inject0_tail),
    .out_inject0_vc(interface10_out_inject0_vc),
    .out_inject0_dest(interface10_out_inject0_dest),
    .out_inject0_route_class(interface10_out_inject0_route_class),
    .out_inject0_info(interface10_out_inject0_info),
    .out_inject0_payload(interface10_out_inject0_payload),
    .in_eject0_credit(interface10_in_eject0_credit),
    .rx_valid(interface10_rx_valid),
    .rx_src(unused_interface10_rx_src),
    .rx_sideband(interface10_rx_sideband),
    .rx_payload(interface10_rx_payload)
  );

  wire unused_core9_idle;
  core_warps8_lanes8_registers64_ccfcb775 core9 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid9),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface11_tx_credit),
    .rx_valid(interface11_rx_valid),
    .rx_sideband(interface11_rx_sideband),
    .rx_payload(interface11_rx_payload),
    .block_done(core9_block_done),
    .idle(unused_core9_idle),
    .tx_valid(core9_tx_valid),
    .tx_dest(core9_tx_dest),
    .tx_flits(core9_tx_flits),
    .tx_sideband(core9_tx_sideband),
    .tx_payload(core9_tx_payload),
    .rx_credit(core9_rx_credit)
  );

  wire [3:0] unused_interface11_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface11 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core9_tx_valid),
    .tx_dest(core9_tx_dest),
    .tx_flits(core9_tx_flits),
    .tx_sideband(core9_tx_sideband),
    .tx_payload(core9_tx_payload),
    .here(4'hb),
    .out_inject0_credit(router11_in_inject0_credit),
    .in_eject0_valid(router11_out_eject0_valid),
    .in_eject0_head(router11_out_eject0_head),
    .in_eject0_tail(router11_out_eject0_tail),
    .in_eject0_vc(router11_out_eject0_vc),
    .in_eject0_info(router11_out_eject0_info),
    .in_eject0_payload(router11_out_eject0_payload),
    .rx_credit(core9_rx_credit),
    .tx_credit(interface11_tx_credit),
    .out_inject0_valid(interface11_out_inject0_valid),
    .out_inject0_head(interface11_out_inject0_head),
    .out_inject0_tail(interface11_out_inject0_tail),
    .out_inject0_vc(interface11_out_inject0_vc),
    .out_inject0_dest(interface11_out_inject0_dest),
    .out_inject0_route_class(interface11_out_inject0_route_class),
    .out_inject0_info(interface11_out_inject0_info),
    .out_inject0_payload(interface11_out_inject0_payload),
    .in_eject0_credit(interface11_in_eject0_credit),
    .rx_valid(interface11_rx_valid),
    .rx_src(unused_interface11_rx_src),
    .rx_sideband(interface11_rx_sideband),
    .rx_payload(interface11_rx_payload)
  );

  wire unused_core10_idle;
  core_warps8_lanes8_registers64_ccfcb775 core10 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid10),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface12_tx_credit),
    .rx_valid(interface12_rx_valid),
    .rx_sideband(interface12_rx_sideband),
    .rx_payload(interface12_rx_payload),
    .block_done(core10_block_done),
    .idle(unused_core10_idle),
    .tx_valid(core10_tx_valid),
    .tx_dest(core10_tx_dest),
    .tx_flits(core10_tx_flits),
    .tx_sideband(core10_tx_sideband),
    .tx_payload(core10_tx_payload),
    .rx_credit(core10_rx_credit)
  );

  wire [3:0] unused_interface12_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface12 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core10_tx_valid),
    .tx_dest(core10_tx_dest),
    .tx_flits(core10_tx_flits),
    .tx_sideband(core10_tx_sideband),
    .tx_payload(core10_tx_payload),
    .here(4'hc),
    .out_inject0_credit(router12_in_inject0_credit),
    .in_eject0_valid(router12_out_eject0_valid),
    .in_eject0_head(router12_out_eject0_head),
    .in_eject0_tail(router12_out_eject0_tail),
    .in_eject0_vc(router12_out_eject0_vc),
    .in_eject0_info(router12_out_eject0_info),
    .in_eject0_payload(router12_out_eject0_payload),
    .rx_credit(core10_rx_credit),
    .tx_credit(interface12_tx_credit),
    .out_inject0_valid(interface12_out_inject0_valid),
    .out_inject0_head(interface12_out_inject0_head),
    .out_inject0_tail(interface12_out_inject0_tail),
    .out_inject0_vc(interface12_out_inject0_vc),
    .out_inject0_dest(interface12_out_inject0_dest),
    .out_inject0_route_class(interface12_out_inject0_route_class),
    .out_inject0_info(interface12_out_inject0_info),
    .out_inject0_payload(interface12_out_inject0_payload),
    .in_eject0_credit(interface12_in_eject0_credit),
    .rx_valid(interface12_rx_valid),
    .rx_src(unused_interface12_rx_src),
    .rx_sideband(interface12_rx_sideband),
    .rx_payload(interface12_rx_payload)
  );

  wire unused_core11_idle;
  core_warps8_lanes8_registers64_ccfcb775 core11 (
    .clock(clock),
    .reset(reset),
    .program_write(dispatcher_program_write),
    .program_address(dispatcher_program_address),
    .program_data(dispatcher_program_data),
    .param_write(dispatcher_param_write),
    .param_address(dispatcher_param_address),
    .param_data(dispatcher_param_data),
    .block_dim_x(dispatcher_block_dim_x),
    .block_dim_y(dispatcher_block_dim_y),
    .block_dim_z(dispatcher_block_dim_z),
    .grid_dim_x(dispatcher_grid_dim_x),
    .grid_dim_y(dispatcher_grid_dim_y),
    .grid_dim_z(dispatcher_grid_dim_z),
    .block_warps(dispatcher_block_warps),
    .block_threads(dispatcher_block_threads),
    .shared_stride(dispatcher_shared_stride),
    .block_valid(dispatcher_block_valid11),
    .block_slot(dispatcher_block_slot),
    .block_x(dispatcher_block_x),
    .block_y(dispatcher_block_y),
    .block_z(dispatcher_block_z),
    .tx_credit(interface15_tx_credit),
    .rx_valid(interface15_rx_valid),
    .rx_sideband(interface15_rx_sideband),
    .rx_payload(interface15_rx_payload),
    .block_done(core11_block_done),
    .idle(unused_core11_idle),
    .tx_valid(core11_tx_valid),
    .tx_dest(core11_tx_dest),
    .tx_flits(core11_tx_flits),
    .tx_sideband(core11_tx_sideband),
    .tx_payload(core11_tx_payload),
    .rx_credit(core11_rx_credit)
  );

  wire [3:0] unused_interface15_rx_src;
  network_interface_sends_requests_vcs4_depth8_width128_7b5b866b interface15 (
    .clock(clock),
    .reset(reset),
    .tx_valid(core11_tx_valid),
    .tx_dest(core11_tx_dest),
    .tx_flits(core11_tx_flits),
    .tx_sideband(core11_tx_sideband),
    .tx_payload(core11_tx_payload),
    .here(4'hf),
    .out_inject0_credit(router15_in_inject0_credit),
    .in_eject0_valid(router15_out_eject0_valid),
    .in_eject0_head(router15_out_eject0_head),
    .in_eject0_tail(router15_out_eject0_tail),
    .in_eject0_vc(router15_out_eject0_vc),
    .in_eject0_info(router15_out_eject0_info),
    .in_eject0_payload(router15_out_eject0_payload),
    .rx_credit(core11_rx_credit),
    .tx_credit(interface15_tx_credit),
    .out_inject0_valid(interface15_out_inject0_valid),
    .out_inject0_head(interface15_out_inject0_head),
    .out_inject0_tail(interface15_out_inject0_tail),
    .out_inject0_vc(interface15_out_inject0_vc),
    .out_inject0_dest(interface15_out_inject0_dest),
    .out_inject0_route_class(interface15_out_inject0_route_class),
    .out_inject0_info(interface15_out_inject0_info),
    .out_inject0_payload(interface15_out_inject0_payload),
    .in_eject0_credit(interface15_in_eject0_credit),
    .rx_valid(interface15_rx_valid),
    .rx_src(unused_interface15_rx_src),
    .rx_sideband(interface15_rx_sideband),
    .rx_payload(interface15_rx_payload)
  );

  memory_partition_banks8_queue_entries32_928fbd02 memory0 (
    .clock(clock),
    .reset(reset),
    .dram_read_data(dram0_read_data),
    .rx_valid(interface1_rx_valid),
    .rx_src(interface1_rx_src),
    .rx_sideband(interface1_rx_sideband),
    .rx_payload(interface1_rx_payload),
    .tx_credit(interface1_tx_credit),
    .dram_command(memory0_dram_command),
    .dram_bank(memory0_dram_bank),
    .dram_row(memory0_dram_row),
    .dram_column(memory0_dram_column),
    .dram_write_data(memory0_dram_write_data),
    .dram_write_mask(memory0_dram_write_mask),
    .rx_credit(memory0_rx_credit),
    .tx_valid(memory0_tx_valid),
    .tx_dest(memory0_tx_dest),
    .tx_flits(memory0_tx_flits),
    .tx_sideband(memory0_tx_sideband),
    .tx_payload(memory0_tx_payload)
  );

  network_interface_sends_replies_vcs4_depth8_width128_a35d6e70 interface1 (
    .clock(clock),
    .reset(reset),
    .tx_valid(memory0_tx_valid),
    .tx_dest(memory0_tx_dest),
    .tx_flits(memory0_tx_flits),
    .tx_sideband(memory0_tx_sideband),
    .tx_payload(memory0_tx_payload),
    .here(4'h1),
    .out_inject0_credit(router1_in_inject0_credit),
    .in_eject0_valid(router1_out_eject0_valid),
    .in_eject0_head(router1_out_eject0_head),
    .in_eject0_tail(router1_out_eject0_tail),
    .in_eject0_vc(router1_out_eject0_vc),
    .in_eject0_info(router1_out_eject0_info),
    .in_eject0_payload(router1_out_eject0_payload),
    .rx_credit(memory0_rx_credit),
    .tx_credit(interface1_tx_credit),
    .out_inject0_valid(interface1_out_inject0_valid),
    .out_inject0_head(interface1_out_inject0_head),
    .out_inject0_tail(interface1_out_inject0_tail),
    .out_inject0_vc(interface1_out_inject0_vc),
    .out_inject0_dest(interface1_out_inject0_dest),
    .out_inject0_route_class(interface1_out_inject0_route_class),
    .out_inject0_info(interface1_out_inject0_info),
    .out_inject0_payload(interface1_out_inject0_payload),
    .in_eject0_credit(interface1_in_eject0_credit),
    .rx_valid(interface1_rx_valid),
    .rx_src(interface1_rx_src),
    .rx_sideband(interface1_rx_sideband),
    .rx_payload(interface1_rx_payload)
  );

  memory_partition_banks8_queue_entries32_928fbd02 memory1 (
    .clock(clock),
    .reset(reset),
    .dram_read_data(dram1_read_data),
    .rx_valid(interface2_rx_valid),
    .rx_src(interface2_rx_src),
    .rx_sideband(interface2_rx_sideband),
    .rx_payload(interface2_rx_payload),
    .tx_credit(interface2_tx_credit),
    .dram_command(memory1_dram_command),
    .dram_bank(memory1_dram_bank),
    .dram_row(memory1_dram_row),
    .dram_column(memory1_dram_column),
    .dram_write_data(memory1_dram_write_data),
    .dram_write_mask(memory1_dram_write_mask),
    .rx_credit(memory1_rx_credit),
    .tx_valid(memory1_tx_valid),
    .tx_dest(memory1_tx_dest),
    .tx_flits(memory1_tx_flits),
    .tx_sideband(memory1_tx_sideband),
    .tx_payload(memory1_tx_payload)
  );

  network_interface_sends_replies_vcs4_depth8_width128_a35d6e70 interface2 (
    .clock(clock),
    .reset(reset),
    .tx_valid(memory1_tx_valid),
    .tx_dest(memory1_tx_dest),
    .tx_flits(memory1_tx_flits),
    .tx_sideband(memory1_tx_sideband),
    .tx_payload(memory1_tx_payload),
    .here(4'h2),
    .out_inject0_credit(router2_in_inject0_credit),
    .in_eject0_valid(router2_out_eject0_valid),
    .in_eject0_head(router2_out_eject0_head),
    .in_eject0_tail(router2_out_eject0_tail),
    .in_eject0_vc(router2_out_eject0_vc),
    .in_eject0_info(router2_out_eject0_info),
    .in_eject0_payload(router2_out_eject0_payload),
    .rx_credit(memory1_rx_credit),
    .tx_credit(interface2_tx_credit),
    .out_inject0_valid(interface2_out_inject0_valid),
    .out_inject0_head(interface2_out_inject0_head),
    .out_inject0_tail(interface2_out_inject0_tail),
    .out_inject0_vc(interface2_out_inject0_vc),
    .out_inject0_dest(interface2_out_inject0_dest),
    .out_inject0_route_class(interface2_out_inject0_route_class),
    .out_inject0_info(interface2_out_inject0_info),
    .out_inject0_payload(interface2_out_inject0_payload),
    .in_eject0_credit(interface2_in_eject0_credit),
    .rx_valid(interface2_rx_valid),
    .rx_src(interface2_rx_src),
    .rx_sideband(interface2_rx_sideband),
    .rx_payload(interface2_rx_payload)
  );

  memory_partition_banks8_queue_entries32_928fbd02 memory2 (
    .clock(clock),
    .reset(reset),
    .dram_read_data(dram2_read_data),
    .rx_valid(interface13_rx_valid),
    .rx_src(interface13_rx_src),
    .rx_sideband(interface13_rx_sideband),
    .rx_payload(interface13_rx_payload),
    .tx_credit(interface13_tx_credit),
    .dram_command(memory2_dram_command),
    .dram_bank(memory2_dram_bank),
    .dram_row(memory2_dram_row),
    .dram_column(memory2_dram_column),
    .dram_write_data(memory2_dram_write_data),
    .dram_write_mask(memory2_dram_write_mask),
    .rx_credit(memory2_rx_credit),
    .tx_valid(memory2_tx_valid),
    .tx_dest(memory2_tx_dest),
    .tx_flits(memory2_tx_flits),
    .tx_sideband(memory2_tx_sideband),
    .tx_payload(memory2_tx_payload)
  );

  network_interface_sends_replies_vcs4_depth8_width128_a35d6e70 interface13 (
    .clock(clock),
    .reset(reset),
    .tx_valid(memory2_tx_valid),
    .tx_dest(memory2_tx_dest),
    .tx_flits(memory2_tx_flits),
    .tx_sideband(memory2_tx_sideband),
    .tx_payload(memory2_tx_payload),
    .here(4'hd),
    .out_inject0_credit(router13_in_inject0_credit),
    .in_eject0_valid(router13_out_eject0_valid),
    .in_eject0_head(router13_out_eject0_head),
    .in_eject0_tail(router13_out_eject0_tail),
    .in_eject0_vc(router13_out_eject0_vc),
    .in_eject0_info(router13_out_eject0_info),
    .in_eject0_payload(router13_out_eject0_payload),
    .rx_credit(memory2_rx_credit),
    .tx_credit(interface13_tx_credit),
    .out_inject0_valid(interface13_out_inject0_valid),
    .out_inject0_head(interface13_out_inject0_head),
    .out_inject0_tail(interface13_out_inject0_tail),
    .out_inject0_vc(interface13_out_inject0_vc),
    .out_inject0_dest(interface13_out_inject0_dest),
    .out_inject0_route_class(interface13_out_inject0_route_class),
    .out_inject0_info(interface13_out_inject0_info),
    .out_inject0_payload(interface13_out_inject0_payload),
    .in_eject0_credit(interface13_in_eject0_credit),
    .rx_valid(interface13_rx_valid),
    .rx_src(interface13_rx_src),
    .rx_sideband(interface13_rx_sideband),
    .rx_payload(interface13_rx_payload)
  );

  memory_partition_banks8_queue_entries32_928fbd02 memory3 (
    .clock(clock),
    .reset(reset),
    .dram_read_data(dram3_read_data),
    .rx_valid(interface14_rx_valid),
    .rx_src(interface14_rx_src),
    .rx_sideband(interface14_rx_sideband),
    .rx_payload(interface14_rx_payload),
    .tx_credit(interface14_tx_credit),
    .dram_command(memory3_dram_command),
    .dram_bank(memory3_dram_bank),
    .dram_row(memory3_dram_row),
    .dram_column(memory3_dram_column),
    .dram_write_data(memory3_dram_write_data),
    .dram_write_mask(memory3_dram_write_mask),
    .rx_credit(memory3_rx_credit),
    .tx_valid(memory3_tx_valid),
    .tx_dest(memory3_tx_dest),
    .tx_flits(memory3_tx_flits),
    .tx_sideband(memory3_tx_sideband),
    .tx_payload(memory3_tx_payload)
  );

  network_interface_sends_replies_vcs4_depth8_width128_a35d6e70 interface14 (
    .clock(clock),
    .reset(reset),
    .tx_valid(memory3_tx_valid),
    .tx_dest(memory3_tx_dest),
    .tx_flits(memory3_tx_flits),
    .tx_sideband(memory3_tx_sideband),
    .tx_payload(memory3_tx_payload),
    .here(4'he),
    .out_inject0_credit(router14_in_inject0_credit),
    .in_eject0_valid(router14_out_eject0_valid),
    .in_eject0_head(router14_out_eject0_head),
    .in_eject0_tail(router14_out_eject0_tail),
    .in_eject0_vc(router14_out_eject0_vc),
    .in_eject0_info(router14_out_eject0_info),
    .in_eject0_payload(router14_out_eject0_payload),
    .rx_credit(memory3_rx_credit),
    .tx_credit(interface14_tx_credit),
    .out_inject0_valid(interface14_out_inject0_valid),
    .out_inject0_head(interface14_out_inject0_head),
    .out_inject0_tail(interface14_out_inject0_tail),
    .out_inject0_vc(interface14_out_inject0_vc),
    .out_inject0_dest(interface14_out_inject0_dest),
    .out_inject0_route_class(interface14_out_inject0_route_class),
    .out_inject0_info(interface14_out_inject0_info),
    .out_inject0_payload(interface14_out_inject0_payload),
    .in_eject0_credit(interface14_in_eject0_credit),
    .rx_valid(interface14_rx_valid),
    .rx_src(interface14_rx_src),
    .rx_sideband(interface14_rx_sideband),
    .rx_payload(interface14_rx_payload)
  );
endmodule

`default_nettype wire
