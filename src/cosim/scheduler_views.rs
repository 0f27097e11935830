//! What the hardware's schedulers see, read from the trace port into the views of the models: made from the list in
//! [`scheduler_inputs`](spec::scheduler_inputs!).

use model::{sched, PerWarp};
use spec::config::WarpMask;
use spec::scheduler_inputs;

use super::declared::{Bind, Declared};
use super::elements::Elements;
use super::verilator::{Model, Result};
use crate::trace_signals;

/// An array of each scheduler.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrays {
    elements: Elements,
    warps: usize,
}

type Mask = Elements;
type CtaMask = Elements;
type Flag = Elements;
type Masks = Arrays;
type Slots = Arrays;
type Counts = Arrays;

/// Ports that show a `T` for each scheduler.
pub(super) trait Shows<T> {
    /// What the scheduler of that number sees.
    fn show(&self, model: &Model, scheduler: usize, value: &mut T);
}

impl Bind for Arrays {
    fn bind(trace: &Declared, name: &str) -> Result<Self> {
        let warps = trace.dimensions(name).last().copied().unwrap_or(1);
        Ok(Self { elements: Elements::bind(trace, name)?, warps })
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
                let first = scheduler * self.warps;
                self.elements.each(model, first, self.warps, |wid, seen| value[wid] = seen as $element);
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
        trace_signals! { $(
            $(#[doc = $doc])*
            $name { $($field: $type;)* }
        )* }

        $(impl Shows<sched::$name> for $name {
            #[inline]
            fn show(&self, model: &Model, scheduler: usize, view: &mut sched::$name) {
                $(self.$field.show(model, scheduler, &mut view.$field);)*
            }
        })*
    };
}
scheduler_inputs!(groups);
