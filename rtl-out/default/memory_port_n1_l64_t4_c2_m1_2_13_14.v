// memory_port_n1_l64_t4_c2_m1_2_13_14
//
// Memory transactions of a core's units as packets.
//
// Parameters: n = 1, line = 64, t = 4, c = 2, m = _1_2_13_14
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module memory_port_n1_l64_t4_c2_m1_2_13_14 (
    input wire clock,
    input wire reset,
    input wire client0_valid,
    input wire client0_write,
    input wire [3:0] client0_tag,
    input wire [25:0] client0_line,
    input wire [15:0] client0_words,
    input wire [3:0] client0_bytes,
    input wire [511:0] client0_data,
    input wire tx_credit,
    input wire rx_valid,
    input wire rx_write,
    input wire [3:0] rx_tag,
    input wire [511:0] rx_data,
    output wire client0_taken,
    output wire tx_valid,
    output wire [3:0] tx_dest,
    output wire tx_write,
    output wire [3:0] tx_tag,
    output wire [63:0] tx_header,
    output wire [511:0] tx_data,
    output wire client0_reply_valid,
    output wire client0_reply_write,
    output wire [3:0] client0_reply_tag,
    output wire [511:0] client0_reply_data,
    output wire rx_credit
);
  wire credits_available;
  wire grant;
  wire send;
  reg tx_valid_now;
  reg [3:0] tx_dest_now;
  reg tx_write_now;
  reg [3:0] tx_tag_now;
  reg [63:0] tx_header_now;
  reg [511:0] tx_data_now;
  reg rx_credit_now;

  // Requests: one client a cycle.
  assign grant = client0_valid & credits_available;
  assign client0_taken = grant;
  assign send = grant;
  assign tx_valid = tx_valid_now;
  assign tx_dest = tx_dest_now;
  assign tx_write = tx_write_now;
  assign tx_tag = tx_tag_now;
  assign tx_header = tx_header_now;
  assign tx_data = tx_data_now;
  // Replies, to the client that asked.
  assign client0_reply_valid = rx_valid;
  assign client0_reply_write = rx_write;
  assign client0_reply_tag = rx_tag;
  assign client0_reply_data = rx_data;
  assign rx_credit = rx_credit_now;

  wire [1:0] unused_credits_count;
  credit_counter_p2 credits (
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
      tx_write_now <= client0_write;
    end
    if (send) begin
      tx_tag_now <= client0_tag;
    end
    if (send) begin
      tx_header_now <= {18'h00000, client0_bytes, client0_words, client0_line};
    end
    if (send) begin
      tx_data_now <= client0_data;
    end
  end
endmodule

`default_nettype wire
