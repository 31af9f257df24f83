//! Verilog export of elaborated designs, and lockstep of simulation against it.
