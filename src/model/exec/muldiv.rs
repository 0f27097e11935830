//! Multiplication's high halves, and division with its defined corner results.

pub(super) fn mulh(x: u32, y: u32) -> u32 {
    ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u32
}

/// Signed times unsigned.
pub(super) fn mulhsu(x: u32, y: u32) -> u32 {
    ((i64::from(x as i32) * i64::from(y)) >> 32) as u32
}

pub(super) fn mulhu(x: u32, y: u32) -> u32 {
    ((u64::from(x) * u64::from(y)) >> 32) as u32
}

/// Division by zero gives all ones; the one overflow gives the dividend.
pub(super) fn div(x: u32, y: u32) -> u32 {
    if y == 0 {
        u32::MAX
    } else {
        (x as i32).wrapping_div(y as i32) as u32
    }
}

pub(super) fn divu(x: u32, y: u32) -> u32 {
    x.checked_div(y).unwrap_or(u32::MAX)
}

/// Division by zero leaves the dividend; the one overflow leaves 0.
pub(super) fn rem(x: u32, y: u32) -> u32 {
    if y == 0 {
        x
    } else {
        (x as i32).wrapping_rem(y as i32) as u32
    }
}

pub(super) fn remu(x: u32, y: u32) -> u32 {
    x.checked_rem(y).unwrap_or(x)
}
