//! Handles of a model's ports.

use std::marker::PhantomData;

/// Storage of one port: exactly the type that Verilator gives a port of that width.
///
/// `u8` up to 8 bits, `u16` to 16, `u32` to 32, `u64` to 64, and above that `[u32; N]` with the
/// least significant word first. Sealed: reading a port as any other type would be unsound.
pub trait PortValue: Copy + sealed::Sealed {
    /// The type's name in error messages.
    const NAME: &'static str;
    /// Whether a port `width` bits wide is stored as this type.
    fn fits(width: u32) -> bool;
    /// The value without the bits above `width`, which Verilator requires to be zero.
    #[must_use]
    fn masked(self, width: u32) -> Self;
}

mod sealed {
    /// Only this module's types are port storage.
    pub trait Sealed {}
}

macro_rules! scalar_port_value {
    ($($type:ty: $widths:pat),*) => {$(
        impl sealed::Sealed for $type {}
        impl PortValue for $type {
            const NAME: &'static str = stringify!($type);
            fn fits(width: u32) -> bool {
                matches!(width, $widths)
            }
            #[inline]
            fn masked(self, width: u32) -> Self {
                self & (<$type>::MAX >> (<$type>::BITS - width))
            }
        }
    )*};
}
scalar_port_value!(u8: 1..=8, u16: 9..=16, u32: 17..=32, u64: 33..=64);

impl<const N: usize> sealed::Sealed for [u32; N] {}
impl<const N: usize> PortValue for [u32; N] {
    const NAME: &'static str = "[u32; N]";
    fn fits(width: u32) -> bool {
        width > 64 && width.div_ceil(32) as usize == N
    }
    #[inline]
    fn masked(mut self, width: u32) -> Self {
        self[N - 1] &= u32::MAX >> ((32 - width % 32) % 32);
        self
    }
}

/// A port whose width the source knows. Cheap to copy; valid for instances of its own library.
pub struct Port<T> {
    pub(super) raw: PortRef,
    pub(super) _value: PhantomData<T>,
}

impl<T> Clone for Port<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Port<T> {}

/// A port whose width follows from the configuration, such as a warp mask or an array of lanes.
#[derive(Clone, Copy, Debug)]
pub struct PortRef {
    /// Bytes from the storage of the model's first port.
    pub(super) offset: isize,
    /// The library it belongs to.
    pub(super) library: usize,
    pub(super) width: u32,
    /// The bits of a `u64` that are the port's.
    pub(super) mask: u64,
}

impl PortRef {
    /// Width in bits.
    pub fn width(self) -> u32 {
        self.width
    }
}
