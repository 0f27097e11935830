//! What stands behind an option.

/// The value of `--icache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheArg {
    pub(super) bytes: usize,
    pub(super) ways: Option<usize>,
}

/// The value of `--dcache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataCacheArg {
    pub(super) cache: CacheArg,
    pub(super) write_back: bool,
}

/// Bytes, `K` for 1024 of them.
pub(in super::super) fn parse_size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1024),
        None => (text, 1),
    };
    let bytes = digits.parse::<usize>().ok().and_then(|n| n.checked_mul(unit));
    bytes.ok_or_else(|| "expected bytes, as in 16384 or 16K".into())
}

/// `on` or `off`.
pub(super) fn parse_switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected on or off".into()),
    }
}

/// `BYTES[:WAYS]`.
pub(super) fn parse_cache(text: &str) -> Result<CacheArg, String> {
    let Some((size, ways)) = text.split_once(':') else {
        return Ok(CacheArg { bytes: parse_size(text)?, ways: None });
    };
    let ways = ways.parse().map_err(|_| "expected a number of ways after the colon, as in 16K:2")?;
    Ok(CacheArg { bytes: parse_size(size)?, ways: Some(ways) })
}

/// `BYTES[:WAYS][:wb]`.
pub(super) fn parse_data_cache(text: &str) -> Result<DataCacheArg, String> {
    let (cache, write_back) = match text.strip_suffix(":wb") {
        Some(cache) => (cache, true),
        None => (text, false),
    };
    Ok(DataCacheArg { cache: parse_cache(cache)?, write_back })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("16K"), Ok(16384));
        assert_eq!(parse_size("64"), Ok(64));
        assert_eq!(parse_cache("4k:2"), Ok(CacheArg { bytes: 4096, ways: Some(2) }));
        let cache = CacheArg { bytes: 256, ways: Some(4) };
        assert_eq!(parse_data_cache("256:4"), Ok(DataCacheArg { cache, write_back: false }));
        assert_eq!(parse_data_cache("256:4:wb"), Ok(DataCacheArg { cache, write_back: true }));
        assert!(parse_data_cache("256:wb:4").is_err());
        for bad in ["", "K", "-1", "1M", "99999999999999999999", "16K:", "16K:two", ":2"] {
            assert!(parse_cache(bad).is_err(), "{bad}");
        }
    }
}
