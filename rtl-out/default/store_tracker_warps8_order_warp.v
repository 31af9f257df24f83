// store_tracker_warps8_order_warp
//
// Stores of each warp that are not acknowledged.
//
// Parameters: warps = 8, order = warp
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module store_tracker_warps8_order_warp (
    input wire clock,
    input wire reset,
    input wire [2:0] warp, // The warp whose store begins.
    input wire reserve, // A store begins.
    input wire sent, // A request of it is sent.
    input wire coalescing, // The store that has begun is being coalesced.
    input wire [2:0] acknowledged_warp, // The warp whose request is acknowledged.
    input wire acknowledge, // A request is acknowledged.
    output wire [2:0] store_warp, // The warp whose store is being coalesced.
    output wire [7:0] open // Warps that have stores which are not acknowledged.
);
  reg [2:0] store_warp_now;
  reg [5:0] open_stores0;
  reg [5:0] open_stores1;
  reg [5:0] open_stores2;
  reg [5:0] open_stores3;
  reg [5:0] open_stores4;
  reg [5:0] open_stores5;
  reg [5:0] open_stores6;
  reg [5:0] open_stores7;

  assign store_warp = store_warp_now;
  wire [7:0] open_joined = {|open_stores7, |open_stores6, |open_stores5, |open_stores4, |open_stores3,
      |open_stores2, |open_stores1, |open_stores0};
  assign open = open_joined | (8'h01 << store_warp_now) & {8{coalescing}};

  wire [7:0] next_masked = (8'h01 << acknowledged_warp) & {8{acknowledge}};
  wire [7:0] next_masked_2 = (8'h01 << store_warp_now) & {8{sent}};
  always @(posedge clock) begin
    if (reset) begin
      store_warp_now <= 3'h0;
      open_stores0 <= 6'h00;
      open_stores1 <= 6'h00;
      open_stores2 <= 6'h00;
      open_stores3 <= 6'h00;
      open_stores4 <= 6'h00;
      open_stores5 <= 6'h00;
      open_stores6 <= 6'h00;
      open_stores7 <= 6'h00;
    end else begin
      if (reserve) begin
        store_warp_now <= warp;
      end
      if (next_masked_2[0] ^ next_masked[0]) begin
        open_stores0 <= next_masked_2[0] ? open_stores0 + 6'h01 : open_stores0 - 6'h01;
      end
      if (next_masked_2[1] ^ next_masked[1]) begin
        open_stores1 <= next_masked_2[1] ? open_stores1 + 6'h01 : open_stores1 - 6'h01;
      end
      if (next_masked_2[2] ^ next_masked[2]) begin
        open_stores2 <= next_masked_2[2] ? open_stores2 + 6'h01 : open_stores2 - 6'h01;
      end
      if (next_masked_2[3] ^ next_masked[3]) begin
        open_stores3 <= next_masked_2[3] ? open_stores3 + 6'h01 : open_stores3 - 6'h01;
      end
      if (next_masked_2[4] ^ next_masked[4]) begin
        open_stores4 <= next_masked_2[4] ? open_stores4 + 6'h01 : open_stores4 - 6'h01;
      end
      if (next_masked_2[5] ^ next_masked[5]) begin
        open_stores5 <= next_masked_2[5] ? open_stores5 + 6'h01 : open_stores5 - 6'h01;
      end
      if (next_masked_2[6] ^ next_masked[6]) begin
        open_stores6 <= next_masked_2[6] ? open_stores6 + 6'h01 : open_stores6 - 6'h01;
      end
      if (next_masked_2[7] ^ next_masked[7]) begin
        open_stores7 <= next_masked_2[7] ? open_stores7 + 6'h01 : open_stores7 - 6'h01;
      end
    end
  end

`ifdef WARPMESH_ASSERT
  always @(posedge clock) begin
    if (!reset) begin
      if (!(!next_masked[0] | (|open_stores0))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!(next_masked_2[0] & !next_masked[0]) | (open_stores0 != 6'h3f))) begin
        $display("%m: assertion failed: stores can be counted");
        $stop;
      end
      if (!(!next_masked[1] | (|open_stores1))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!(next_masked_2[1] & !next_masked[1]) | (open_stores1 != 6'h3f))) begin
        $display("%m: assertion failed: stores can be counted");
        $stop;
      end
      if (!(!next_masked[2] | (|open_stores2))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!(next_masked_2[2] & !next_masked[2]) | (open_stores2 != 6'h3f))) begin
        $display("%m: assertion failed: stores can be counted");
        $stop;
      end
      if (!(!next_masked[3] | (|open_stores3))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!(next_masked_2[3] & !next_masked[3]) | (open_stores3 != 6'h3f))) begin
        $display("%m: assertion failed: stores can be counted");
        $stop;
      end
      if (!(!next_masked[4] | (|open_stores4))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!(next_masked_2[4] & !next_masked[4]) | (open_stores4 != 6'h3f))) begin
        $display("%m: assertion failed: stores can be counted");
        $stop;
      end
      if (!(!next_masked[5] | (|open_stores5))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!(next_masked_2[5] & !next_masked[5]) | (open_stores5 != 6'h3f))) begin
        $display("%m: assertion failed: stores can be counted");
        $stop;
      end
      if (!(!next_masked[6] | (|open_stores6))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!(next_masked_2[6] & !next_masked[6]) | (open_stores6 != 6'h3f))) begin
        $display("%m: assertion failed: stores can be counted");
        $stop;
      end
      if (!(!next_masked[7] | (|open_stores7))) begin
        $display("%m: assertion failed: an acknowledgement answers a store");
        $stop;
      end
      if (!(!(next_masked_2[7] & !next_masked[7]) | (open_stores7 != 6'h3f))) begin
        $display("%m: assertion failed: stores can be counted");
        $stop;
      end
    end
  end
`endif
endmodule

`default_nettype wire
