//! What iPAWS knows of the warps, and what it makes of it.
mod counts;
mod pattern;

pub use counts::IssueCounts;
pub use pattern::IssuePattern;
