//! Verilog back end: reads rust-hdl's public syntax tree and prints exact-width, deduplicated, readable Verilog.

/// Names the hardware module and comments it: rust-hdl hands the text on, at simulation it does nothing.
///
/// The first statement of a kernel is `comment!("module Name")`; further text in it (after a line break or a
/// full stop) becomes the module's header comment. Any later `comment!("..")` is printed where it stands.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}
