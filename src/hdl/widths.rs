//! rust-hdl's arithmetic for the widths that designs use most, compiled here with optimisation.
//!
//! Hardware descriptions are compiled without, for optimising them takes minutes. The generic functions that they call
//! would be compiled beside them in the same way, and rust-hdl keeps what is wider than 32 bits as an array of `bool`: its
//! simulation of what is 64 bits wide is ten times as slow then. An instance that exists in a package below is taken
//! from there.
use std::hint::black_box;

use rust_hdl_core::prelude::{bit_cast, Bits, Block, In, Local, Out, Signal};

/// Calls what there is, on zeros. It is of no use to call this: it is there to be compiled.
pub fn instances() {
    of::<1>();
    of::<2>();
    of::<3>();
    of::<4>();
    of::<5>();
    of::<6>();
    of::<7>();
    of::<8>();
    of::<32>();
    of::<64>();
    of::<512>();
}

fn of<const N: usize>() {
    let (a, b) = (black_box(Bits::<N>::default()), black_box(Bits::<N>::default()));
    let number = black_box(0_u64);
    black_box((a & b, a | b, a ^ b, !a, a + b, a - b));
    black_box((a & number, a | number, a ^ number, a + number, a - number));
    black_box((a << number, a >> number, a << b, a >> b));
    black_box((a == b, a != b, a < b, a > b, a <= b, a >= b));
    black_box((a == number, a != number, a < number, a > number, a <= number, a >= number));
    black_box((
        a.any(),
        a.all(),
        a.xor(),
        a.index(),
        a.get_bit(0),
        a.replace_bit(0, true),
        a.to_u64(),
        a.to_u32(),
    ));
    black_box((Bits::<N>::from(number), u64::from(a)));
    black_box((a.get_bits::<1>(0), a.get_bits::<32>(0), a.get_bits::<64>(0)));
    black_box((bit_cast::<1, N>(a), bit_cast::<32, N>(a), bit_cast::<64, N>(a)));
    black_box((
        bit_cast::<N, 1>(Bits::default()),
        bit_cast::<N, 32>(Bits::default()),
        bit_cast::<N, 64>(Bits::default()),
    ));
    let (mut input, mut output) = (Signal::<In, Bits<N>>::default(), Signal::<Out, Bits<N>>::default());
    let mut local = Signal::<Local, Bits<N>>::default();
    output.join(&mut input);
    input.join(&mut output);
    black_box((input.val(), output.val(), local.val()));
    of_signal(&mut input);
    of_signal(&mut output);
    of_signal(&mut local);
}

fn of_signal(signal: &mut impl Block) {
    signal.update_all();
    signal.connect_all();
    signal.update();
    black_box(signal.has_changed());
}
