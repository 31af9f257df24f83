// dram_bank_state
//
// Described as a rust-hdl block.
//
// Made by: warpmesh export default
// Configuration: default
`default_nettype none

module dram_bank_state (
    input wire clock,
    input wire reset,
    input wire activate,
    input wire precharge,
    input wire read,
    input wire write,
    input wire [7:0] t_rp,
    input wire [7:0] t_rc,
    input wire [7:0] t_ras,
    input wire [7:0] t_rcd,
    input wire [8:0] after_read,
    input wire [8:0] after_write,
    output reg open,
    output reg can_activate,
    output reg can_precharge,
    output reg can_access
);
  wire held;
  reg state;
  reg [7:0] age;
  reg [8:0] hold;

  assign held = |hold;
  always @* begin
    open = 1'b0;
    case (state)
      1'b0: ;
      default: begin
        open = 1'b1;
      end
    endcase
  end
  always @* begin
    can_activate = 1'b0;
    case (state)
      1'b0: begin
        can_activate = !held & (age >= (t_rc - 8'h01));
      end
      default: ;
    endcase
  end
  always @* begin
    can_precharge = 1'b0;
    case (state)
      1'b0: ;
      default: begin
        can_precharge = !held & (age >= (t_ras - 8'h01));
      end
    endcase
  end
  always @* begin
    can_access = 1'b0;
    case (state)
      1'b0: ;
      default: begin
        can_access = age >= (t_rcd - 8'h01);
      end
    endcase
  end

  always @(posedge clock) begin
    if (reset) begin
      state <= 1'b0;
      age <= 8'hff;
      hold <= 9'h000;
    end else begin
      if (!(&age)) begin
        age <= age + 8'h01;
      end
      if (held) begin
        hold <= hold - 9'h001;
      end
      case (state)
        1'b0: begin
          if (activate) begin
            state <= 1'b1;
            age <= 8'h00;
          end
        end
        default: begin
          if (read & (hold < after_read)) begin
            hold <= after_read - 9'h001;
          end
          if (write) begin
            hold <= after_write - 9'h001;
          end
          if (precharge) begin
            state <= 1'b0;
            hold <= {1'b0, t_rp - 8'h01};
          end
        end
      endcase
    end
  end
endmodule

`default_nettype wire
