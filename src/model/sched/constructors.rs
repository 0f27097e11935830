//! A constructor for every policy of the registry.

use super::view::SchedulerModel;
use spec::config::CoreConfig;
use spec::policies;

macro_rules! constructors {
    ($($key:literal => $module:ident::$policy:ident $facts:tt $(with $parameters:tt)?)*) => {
        /// The model of the policy of that key, alone; `None` if there is none.
        pub(super) fn policy(cfg: &CoreConfig, key: &str) -> Option<Box<dyn SchedulerModel>> {
            match key {
                $($key => Some(Box::new(super::$module::$policy::new(cfg))),)*
                _ => None,
            }
        }
    };
}
policies!(constructors);
