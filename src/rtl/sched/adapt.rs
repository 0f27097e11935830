//! What iPAWS knows of the warps, and what it makes of it.
mod block_counts;
mod counts;
mod pattern;

pub use block_counts::BlockCounts;
pub use counts::IssueCounts;
pub use pattern::IssuePattern;
