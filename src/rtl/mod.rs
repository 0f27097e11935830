//! (described with its first content)
