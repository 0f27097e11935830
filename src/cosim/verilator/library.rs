//! A loaded model class.

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::marker::PhantomData;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::error::{Error, Result};
use super::port::{Port, PortRef, PortValue};
use super::sources::mangle;

/// Which way a port goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Driven by the test bench.
    Input,
    /// Driven by the model.
    Output,
    /// Either.
    InOut,
}

/// One port of the top module.
#[derive(Clone, Debug)]
pub struct PortInfo {
    /// Verilator's name of it; the Verilog name unless that has characters beyond C++'s.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// Which way it goes.
    pub direction: Direction,
    offset: isize,
}

/// A port as `heddle_port_table` describes it.
#[repr(C)]
struct PortEntry {
    name: *const c_char,
    width: u32,
    direction: u32,
}

/// The C++ object of one instance, opaque to Rust.
pub(super) type Handle = *mut c_void;

/// The functions of `sim/shim.cpp`, under the same names.
#[derive(Clone, Copy)]
pub(super) struct Functions {
    pub(super) new: unsafe extern "C" fn(c_int, c_int) -> Handle,
    pub(super) free: unsafe extern "C" fn(Handle),
    pub(super) eval: unsafe extern "C" fn(Handle) -> c_int,
    pub(super) cycles: unsafe extern "C" fn(Handle, *mut u8, u64) -> c_int,
    pub(super) message: unsafe extern "C" fn(Handle) -> *const c_char,
    pub(super) port_addresses: unsafe extern "C" fn(Handle, *mut *mut u8),
    pub(super) trace_open: unsafe extern "C" fn(Handle, *const c_char) -> c_int,
    pub(super) trace_dump: unsafe extern "C" fn(Handle, u64),
    pub(super) trace_close: unsafe extern "C" fn(Handle),
}

/// A loaded model class; it makes any number of instances.
pub struct ModelLib {
    pub(super) functions: Functions,
    ports: Vec<PortInfo>,
    by_name: HashMap<String, usize>,
    /// Ties port handles to their library.
    pub(super) id: usize,
    library: Library,
}

impl ModelLib {
    /// Loads a shared object that [`build`](super::build) made.
    ///
    /// # Errors
    /// The dynamic linker's message, or the message of a model that stops while it is constructed.
    pub fn load(path: &Path) -> Result<Arc<Self>> {
        // The run-time library has thread-local destructors: unloading could crash at a thread's end.
        const RTLD_NODELETE: c_int = 0x1000;
        let failed =
            |e: libloading::Error| Error::Load { path: path.display().to_string(), reason: e.to_string() };
        // SAFETY: the object was built from our shim; its initialisers are Verilator's.
        let library =
            unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) }.map_err(failed)?;
        macro_rules! symbol {
            ($name:ident) => {
                // SAFETY: the type at each use is that of the definition in sim/shim.cpp.
                unsafe {
                    *library.get(concat!("heddle_", stringify!($name), "\0").as_bytes()).map_err(failed)?
                }
            };
        }
        let functions = Functions {
            new: symbol!(new),
            free: symbol!(free),
            eval: symbol!(eval),
            cycles: symbol!(cycles),
            message: symbol!(message),
            port_addresses: symbol!(port_addresses),
            trace_open: symbol!(trace_open),
            trace_dump: symbol!(trace_dump),
            trace_close: symbol!(trace_close),
        };
        let port_count: unsafe extern "C" fn() -> u32 = symbol!(port_count);
        let port_table: unsafe extern "C" fn() -> *const PortEntry = symbol!(port_table);
        // SAFETY: a static table of that many entries.
        let entries = unsafe { std::slice::from_raw_parts(port_table(), port_count() as usize) };

        // A first instance tells where the ports are stored, relative to one another.
        let probe = new_instance(&functions, 0, 0)?;
        let addresses = port_addresses(&functions, probe, entries.len());
        // SAFETY: `probe` came from `new` and is not used again.
        unsafe { (functions.free)(probe) };
        let ports: Vec<PortInfo> = entries
            .iter()
            .zip(&addresses)
            .map(|(entry, &address)| PortInfo {
                // SAFETY: a string literal of the shared object.
                name: unsafe { CStr::from_ptr(entry.name) }.to_string_lossy().into_owned(),
                width: entry.width,
                direction: match entry.direction {
                    0 => Direction::Input,
                    1 => Direction::Output,
                    _ => Direction::InOut,
                },
                offset: address as isize - addresses[0] as isize,
            })
            .collect();
        let by_name = ports.iter().enumerate().map(|(i, p)| (p.name.clone(), i)).collect();
        static NEXT_ID: AtomicUsize = AtomicUsize::new(0);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        Ok(Arc::new(Self { functions, ports, by_name, id, library }))
    }

    /// Writes the counts of a model that was compiled to count, of all its instances until now.
    ///
    /// # Errors
    /// It was not, or the file cannot be written.
    pub(super) fn write_profile(&self, path: &Path) -> Result<()> {
        let failed = |reason: String| Error::Training(format!("its counts: {}: {reason}", path.display()));
        let name = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| failed("not a file name".into()))?;
        // SAFETY: the type is that of the definition in sim/shim.cpp; the name is a C string that outlives the call.
        let status = unsafe {
            let write =
                self.library.get::<unsafe extern "C" fn(*const c_char) -> c_int>(b"heddle_write_profile\0");
            write.map_err(|error| failed(error.to_string()))?(name.as_ptr())
        };
        match status {
            0 => Ok(()),
            _ => Err(failed("cannot be written".into())),
        }
    }

    /// All ports of the top module, in its order.
    pub fn ports(&self) -> &[PortInfo] {
        &self.ports
    }

    /// The port `name` if the module has it.
    pub fn find(&self, name: &str) -> Option<&PortInfo> {
        let index = self.by_name.get(name).or_else(|| self.by_name.get(&mangle(name)))?;
        Some(&self.ports[*index])
    }

    /// A handle of the port `name`, whatever its width.
    ///
    /// # Errors
    /// [`Error::NoPort`].
    pub fn port_ref(&self, name: &str) -> Result<PortRef> {
        let info = self.find(name).ok_or_else(|| Error::NoPort(name.into()))?;
        let mask = u64::MAX >> 64_u32.saturating_sub(info.width);
        Ok(PortRef { offset: info.offset, library: self.id, width: info.width, mask })
    }

    /// A handle of the port `name`, whose width `T` must fit.
    ///
    /// # Errors
    /// [`Error::NoPort`] or [`Error::PortType`].
    pub fn port<T: PortValue>(&self, name: &str) -> Result<Port<T>> {
        let raw = self.port_ref(name)?;
        if !T::fits(raw.width) {
            return Err(Error::PortType { port: name.into(), width: raw.width, asked: T::NAME });
        }
        Ok(Port { raw, _value: PhantomData })
    }

    pub(super) fn port_addresses(&self, handle: Handle) -> Vec<*mut u8> {
        port_addresses(&self.functions, handle, self.ports.len())
    }

    /// Whether `addresses` of an instance lie as the port handles assume.
    pub(super) fn layout_matches(&self, addresses: &[*mut u8]) -> bool {
        let base = addresses.first().map_or(0, |&a| a as isize);
        self.ports.iter().zip(addresses).all(|(p, &a)| a as isize - base == p.offset)
    }
}

/// A fresh object of the model class.
pub(super) fn new_instance(functions: &Functions, random_reset: c_int, seed: c_int) -> Result<Handle> {
    // SAFETY: takes two numbers and returns a fresh object or null.
    let handle = unsafe { (functions.new)(random_reset, seed) };
    if handle.is_null() {
        // SAFETY: null selects the thread's last message, a C string valid until the next call.
        let message = unsafe { CStr::from_ptr((functions.message)(std::ptr::null_mut())) };
        return Err(Error::Stopped(message.to_string_lossy().into_owned()));
    }
    Ok(handle)
}

fn port_addresses(functions: &Functions, handle: Handle, count: usize) -> Vec<*mut u8> {
    let mut addresses = vec![std::ptr::null_mut(); count];
    // SAFETY: `handle` is live, and the shim writes one address for each of the `count` ports.
    unsafe { (functions.port_addresses)(handle, addresses.as_mut_ptr()) };
    addresses
}
