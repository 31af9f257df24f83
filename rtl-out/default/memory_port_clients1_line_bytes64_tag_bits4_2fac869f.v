// memory_port_clients1_line_bytes64_tag_bits4_2fac869f
//
// Memory transactions of a core's units as packets.
//
// Parameters: clients = 1, line_bytes = 64, tag_bits = 4, client.line_bytes = 64, client.tag_bits = 4, flit_bits = 128,
//   map.banks = 8, map.controller_nodes = [1,2,13,14], map.kind = low-256, map.line_bytes = 64, map.node_bits = 4,
//   map.row_bytes = 2048, replies = 0, tx_queue_packets = 2
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module memory_port_clients1_line_bytes64_tag_bits4_2fac869f (
    input wire clock,
    input wire reset,
    input wire client0_valid, // Requests of each client.
    input wire client0_write, // Kind: a write or an atomic, or else a read.
    input wire [3:0] client0_tag, // Requests of each client.
    input wire [25:0] client0_line, // Number of the line.
    input wire [15:0] client0_words, // Words of the line that are read or written.
    input wire [3:0] client0_bytes, // Bytes of each of these words that are written; of an atomic none.
    input wire [511:0] client0_data, // Of a write or an atomic.
    input wire tx_credit, // A pulse for each place that is free again.
    input wire rx_valid, // Replies.
    input wire [4:0] rx_sideband, // Replies.
    input wire [511:0] rx_payload, // Replies.
    output wire client0_taken, // What is shown is taken in this cycle.
    output wire tx_valid, // There is one.
    output wire [3:0] tx_dest, // Destination node.
    output wire [2:0] tx_flits, // Length, 1 and up.
    output wire [4:0] tx_sideband, // Requests.
    output wire [575:0] tx_payload, // Requests.
    output wire client0_reply_valid, // Replies to each client, for one cycle, or shown until one is taken.
    output wire client0_reply_write, // Kind of what was asked for.
    output wire [3:0] client0_reply_tag, // Replies to each client, for one cycle, or shown until one is taken.
    output wire [511:0] client0_reply_data, // The line, of a read.
    output wire rx_credit // A pulse for each place that is free again.
);
  wire credits_available;
  wire grant;
  wire send;
  reg tx_valid_now;
  reg [3:0] tx_dest_now;
  reg [2:0] tx_flits_now;
  reg [4:0] tx_sideband_now;
  reg [575:0] tx_payload_now;
  reg rx_credit_now;

  // Requests: one client a cycle.
  assign grant = client0_valid & credits_available;
  assign client0_taken = grant;
  assign send = grant;
  assign tx_valid = tx_valid_now;
  assign tx_dest = tx_dest_now;
  assign tx_flits = tx_flits_now;
  assign tx_sideband = tx_sideband_now;
  assign tx_payload = tx_payload_now;
  // Replies, to the client that asked.
  assign client0_reply_valid = rx_valid;
  assign client0_reply_write = rx_sideband[4];
  assign client0_reply_tag = rx_sideband[3:0];
  assign client0_reply_data = rx_payload;
  assign rx_credit = rx_credit_now;

  wire [1:0] unused_credits_count;
  credit_counter_places2 credits (
    .clock(clock),
    .reset(reset),
    .send(send),
    .credit(tx_credit),
    .available(credits_available),
    .count(unused_credits_count)
  );

  always @(posedge clock) begin
    if (reset) begin
      tx_valid_now <= 1'b0;
      rx_credit_now <= 1'b0;
    end else begin
      tx_valid_now <= send;
      rx_credit_now <= rx_valid;
    end
  end

  always @(posedge clock) begin
    if (send) begin
      tx_dest_now <= client0_line[3] ? (client0_line[2] ? 4'he : 4'hd) : client0_line[2] ? 4'h2 : 4'h1;
    end
    if (send) begin
      tx_flits_now <= client0_write ? 3'h5 : 3'h1;
    end
    if (send) begin
      tx_sideband_now <= {client0_write, client0_tag};
    end
    if (send) begin
      tx_payload_now <= {{client0_data[511:64], client0_data[63:0] & {64{client0_write}}}, {18'h00000,
          client0_bytes, client0_words, client0_line}};
    end
  end
endmodule

`default_nettype wire
