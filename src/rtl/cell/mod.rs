//! What the schedulers are built from beside the HDL's own cells: ages, turns, and choices among warps.
mod age_matrix;
mod cta_members;
mod fewest;
mod oldest;
mod turn;
mod youngest;

pub use age_matrix::AgeMatrix;
pub use cta_members::CtaMembers;
pub use fewest::FewestOf;
pub use oldest::OldestWarp;
pub use turn::NextInTurn;
pub use youngest::YoungestWarp;
