//! netmgr
fn main() {}
