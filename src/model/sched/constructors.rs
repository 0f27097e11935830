//! A constructor for every policy of the registry.

use super::view::SchedulerModel;
use spec::config::CoreConfig;
use spec::policies;

macro_rules! constructors {
    ($($key:literal => $module:ident::$policy:ident $facts:tt $(with $parameters:tt)?)*) => {
        /// The model of the policy of that key, alone.
        ///
        /// # Panics
        /// If there is none, which [`CoreConfig::validate`] excludes.
        pub(super) fn policy(cfg: &CoreConfig, key: &str) -> Box<dyn SchedulerModel> {
            match key {
                $($key => Box::new(super::$module::$policy::new(cfg)),)*
                _ => panic!("{key}: a validated configuration names registered policies"),
            }
        }
    };
}
policies!(constructors);
