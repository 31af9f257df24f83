//! Numbers of variable length, as Thrift's compact protocol and protocol buffers write them.

/// Seven bits a byte, the lowest first.
pub(crate) fn varint(mut number: u64, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(number as u8 | 0x80);
        number >>= 7;
    }
    into.push(number as u8);
}
