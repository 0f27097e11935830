//! What the hardware's schedulers see, read from the trace port into the views of the models: made from the list in
//! [`scheduler_inputs`](spec::scheduler_inputs!).

use model::{sched, PerWarp};
use spec::config::WarpMask;
use spec::scheduler_inputs;

use super::elements::Elements;
use super::verilator::{Model, ModelLib, Result};

/// How many schedulers share a port, and how many warps there are.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) schedulers: usize,
    pub(super) warps: usize,
}

/// An array of each scheduler.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrays {
    elements: Elements,
    warps: usize,
}

type Mask = Elements;
type Flag = Elements;
type Masks = Arrays;
type Slots = Arrays;
type Counts = Arrays;

/// Ports of the trace, by the beginning of their names.
pub(super) trait Bind: Sized {
    /// The ports `name`, or `name_*`.
    fn bind(library: &ModelLib, name: &str, shape: Shape) -> Result<Self>;
}

/// Ports that show a `T` for each scheduler.
pub(super) trait Shows<T> {
    /// What the scheduler of that number sees.
    fn show(&self, model: &Model, scheduler: usize, value: &mut T);
}

impl Bind for Elements {
    fn bind(library: &ModelLib, name: &str, shape: Shape) -> Result<Self> {
        Elements::bind(library, name, shape.schedulers)
    }
}

impl Bind for Arrays {
    fn bind(library: &ModelLib, name: &str, shape: Shape) -> Result<Self> {
        let elements = Elements::bind(library, name, shape.schedulers * shape.warps)?;
        Ok(Self { elements, warps: shape.warps })
    }
}

impl Arrays {
    /// The CTA slots, or counts, that the first scheduler sees of the warps.
    #[inline]
    pub(super) fn read(&self, model: &Model, values: &mut [u8]) {
        values.iter_mut().zip(self.elements.from(model, 0)).for_each(|(value, seen)| *value = seen as u8);
    }
}

impl Shows<WarpMask> for Elements {
    #[inline]
    fn show(&self, model: &Model, scheduler: usize, value: &mut WarpMask) {
        *value = self.get_wide(model, scheduler);
    }
}

impl Shows<bool> for Elements {
    #[inline]
    fn show(&self, model: &Model, scheduler: usize, value: &mut bool) {
        *value = self.get(model, scheduler) != 0;
    }
}

macro_rules! shows_arrays {
    ($element:ty) => {
        impl Shows<PerWarp<$element>> for Arrays {
            #[inline]
            fn show(&self, model: &Model, scheduler: usize, value: &mut PerWarp<$element>) {
                let seen = self.elements.from(model, scheduler * self.warps);
                value
                    .iter_mut()
                    .take(self.warps)
                    .zip(seen)
                    .for_each(|(value, seen)| *value = seen as $element);
            }
        }
    };
}
shows_arrays!(u8);
shows_arrays!(WarpMask);

macro_rules! groups {
    ($($(#[doc = $doc:literal])* $name:ident {
        $($(#[doc = $field_doc:literal])* $field:ident: $kind:ident $type:ident,)*
    })*) => {
        $($(#[doc = $doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name {
            $($(#[doc = $field_doc])* pub(super) $field: $type,)*
        }

        impl Bind for $name {
            fn bind(library: &ModelLib, name: &str, shape: Shape) -> Result<Self> {
                Ok(Self {
                    $($field: Bind::bind(library, &format!("{name}_{}", stringify!($field)), shape)?,)*
                })
            }
        }

        impl Shows<sched::$name> for $name {
            #[inline]
            fn show(&self, model: &Model, scheduler: usize, view: &mut sched::$name) {
                $(self.$field.show(model, scheduler, &mut view.$field);)*
            }
        })*
    };
}
scheduler_inputs!(groups);
