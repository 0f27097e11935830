//! By how much each counter grows in a cycle: by name where it is computed, by number where it is added up. Both are made
//! from the table of `isa::counter`.
use crate::prelude::*;
use rust_hdl::core::ast::VerilogLink;

macro_rules! amounts {
    ($($index:ident: $name:ident, $meaning:literal, $most:expr, $vortex:expr, $own:expr;)*) => {
        bundle! {
            /// A signal for each counter, under its name.
            pub struct Amounts(bits: usize) {
                forward {
                    $(
                        #[doc = $meaning]
                        $name: Bits<32> = bits,
                    )*
                }
            }
        }

        /// The verb that puts them into an array: `InOrder::join(&mut self.amounts, &mut self.growths)`.
        pub struct InOrder;

        impl InOrder {
            /// Element k is that of row k of the table.
            pub fn join(from: &mut Amounts<Local>, to: &mut [Signal<Local, Bits<32>>]) {
                let amounts = [$(from.$name.val()),*];
                to.iter_mut().zip(amounts).for_each(|(to, amount)| to.next = amount);
            }
            /// What [`join`](Self::join) is in a syntax tree: a link for each.
            pub fn join_hdl(of: &str, from: &str, to: &str) -> Vec<VerilogLink> {
                let names = [$(stringify!($name)),*].into_iter().enumerate();
                let link = |(k, name)| Data::join_hdl(of, &format!("{from}${name}"), &format!("{to}[{k}]"));
                names.flat_map(link).collect()
            }
        }
    };
}
isa::counters!(amounts);
