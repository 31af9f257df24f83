# Timing constraints of chip_default.
#
# Ports have none but these: their delays depend on what is around it (set_input_delay, set_output_delay).
set_units -time ns

create_clock -name core -period 1.661 [get_ports clock] ;# 602 MHz
