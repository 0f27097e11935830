//! A constructor for every policy of the registry.
use super::shell::Policy;
use super::SchedulerSocket;
use crate::prelude::*;
use spec::policies;

macro_rules! constructors {
    ($($key:literal => $module:ident::$policy:ident $facts:tt $(with $parameters:tt)?)*) => {
        /// The hardware of the policy of that key, alone.
        ///
        /// # Panics
        /// If there is none, which [`CoreConfig::validate`] excludes.
        pub(super) fn policy(cfg: &CoreConfig, key: &str) -> SchedulerSocket {
            let policy: Box<dyn Policy> = match key {
                $($key => Box::new(super::$module::$policy::new(cfg)),)*
                _ => panic!("{key}: a validated configuration names registered policies"),
            };
            SchedulerSocket::new(cfg, policy)
        }
    };
}
policies!(constructors);
