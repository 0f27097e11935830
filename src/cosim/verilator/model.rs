//! One simulated instance.

use std::ffi::{c_int, CStr, CString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{Error, Result};
use super::library::{new_instance, Handle, ModelLib};
use super::port::{Port, PortRef, PortValue};
use super::wave::WaveFile;

/// How an evaluation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The simulation goes on.
    Running,
    /// The Verilog code called `$finish`.
    Finished,
}

/// One instance of a [`ModelLib`]. Ports are read and written in place; [`Model::eval`] makes
/// the outputs follow the inputs.
pub struct Model {
    handle: Handle,
    /// Storage of the first port; the others lie at fixed offsets from it.
    base: *mut u8,
    /// The number of its library, kept here because every access to a port compares it.
    id: usize,
    library: Arc<ModelLib>,
    /// The wave file that is open, and where it was asked for.
    wave: Option<(PathBuf, WaveFile)>,
}

// SAFETY: an instance has its own Verilator context, and the shim makes that the calling thread's
// before each evaluation. It is not Sync: reading a port while another thread evaluates is a race.
unsafe impl Send for Model {}

impl ModelLib {
    /// A new instance whose registers and memories start as zero.
    ///
    /// # Errors
    /// A model that stops in an `initial` block.
    pub fn instance(self: &Arc<Self>) -> Result<Model> {
        let handle = new_instance(&self.functions, 0, 0)?;
        Ok(Model::new(self.clone(), handle))
    }

    /// A new instance whose registers and memories start from values drawn from `seed`, so that
    /// no result can depend on their initial value. Needs [`BuildOptions::random_reset`].
    ///
    /// # Errors
    /// A model that stops in an `initial` block.
    ///
    /// [`BuildOptions::random_reset`]: super::BuildOptions::random_reset
    pub fn instance_random(self: &Arc<Self>, seed: u64) -> Result<Model> {
        // Verilator takes 31 bits and treats 0 as "choose one".
        let seed = ((seed ^ (seed >> 31)) & 0x7fff_ffff) as c_int;
        let handle = new_instance(&self.functions, 2, seed.max(1))?;
        Ok(Model::new(self.clone(), handle))
    }
}

impl Model {
    fn new(library: Arc<ModelLib>, handle: Handle) -> Self {
        let addresses = library.port_addresses(handle);
        assert!(library.layout_matches(&addresses), "ports of two instances lie differently");
        let base = addresses.first().copied().unwrap_or(std::ptr::null_mut());
        Self { handle, base, id: library.id, library, wave: None }
    }

    /// The library it is an instance of.
    pub fn library(&self) -> &Arc<ModelLib> {
        &self.library
    }

    /// Address of a port's storage.
    #[inline]
    fn address(&self, port: PortRef) -> *mut u8 {
        assert_eq!(port.library, self.id, "the port belongs to another model");
        // SAFETY: the offset is that of a port of this library, checked for this instance in `new`.
        unsafe { self.base.offset(port.offset) }
    }

    /// Reads a port.
    #[inline]
    pub fn get<T: PortValue>(&self, port: Port<T>) -> T {
        // SAFETY: `T` is the type of the port's storage (`ModelLib::port`).
        unsafe { self.address(port.raw).cast::<T>().read() }
    }

    /// A port's value in place, for wide ports.
    #[inline]
    pub fn borrow<T: PortValue>(&self, port: Port<T>) -> &T {
        // SAFETY: as in `get`; evaluation and writes need `&mut self`.
        unsafe { &*self.address(port.raw).cast::<T>() }
    }

    /// Writes an input; bits above the port's width are dropped.
    #[inline]
    pub fn set<T: PortValue>(&mut self, port: Port<T>, value: T) {
        // SAFETY: as in `get`, with unique access.
        unsafe { self.address(port.raw).cast::<T>().write(value.masked(port.raw.width)) }
    }

    /// The low 64 bits of a port of any width.
    #[inline]
    pub fn read(&self, port: PortRef) -> u64 {
        const { assert!(cfg!(target_endian = "little"), "the first byte of a port is its lowest") };
        // SAFETY: wide ports have 3 words or more. What lies behind a narrow one is masked, and there is something: the
        // class in which Verilator stores ports ends with a pointer.
        unsafe { self.address(port).cast::<u64>().read_unaligned() & port.mask }
    }

    /// The words of a port of more than 64 bits, least significant first.
    ///
    /// # Panics
    /// When the port is 64 bits or narrower.
    #[inline]
    pub fn words(&self, port: PortRef) -> &[u32] {
        assert!(port.width > 64, "the port is not stored as words");
        // SAFETY: so many words are its storage; evaluation and writes need `&mut self`.
        unsafe {
            std::slice::from_raw_parts(self.address(port).cast::<u32>(), port.width.div_ceil(32) as usize)
        }
    }

    /// Bits `low .. low + width` of a port, `width` at most 32: one element of a flattened array.
    ///
    /// # Panics
    /// When the range leaves the port.
    #[inline]
    pub fn bits(&self, port: PortRef, low: u32, width: u32) -> u32 {
        assert!(width <= 32 && low + width <= port.width, "bits outside the port");
        let value = if port.width <= 64 {
            self.read(port) >> (low % 64)
        } else {
            let words = self.words(port);
            let (word, shift) = ((low / 32) as usize, low % 32);
            let mut pair = u64::from(words[word]);
            if shift + width > 32 {
                pair |= u64::from(words[word + 1]) << 32;
            }
            pair >> shift
        };
        (value & ((1 << width) - 1)) as u32
    }

    /// Writes bits `low .. low + width` of an input, `width` at most 32: one element of a flattened array. The others stay.
    ///
    /// # Panics
    /// When the range leaves the port.
    pub fn write_bits(&mut self, port: PortRef, low: u32, width: u32, value: u32) {
        assert!(width <= 32 && low + width <= port.width, "bits outside the port");
        let mask = ((1 << width) - 1) << (low % 32);
        let value = u64::from(value) << (low % 32) & mask;
        if port.width <= 64 {
            let from = low / 32 * 32;
            return self.write(port, self.read(port) & !(mask << from) | value << from);
        }
        let words = self.address(port).cast::<u32>();
        for (word, place) in [(low / 32, 0), (low / 32 + 1, 32)] {
            let (mask, value) = ((mask >> place) as u32, (value >> place) as u32);
            if mask != 0 {
                // SAFETY: the word holds bits of the port, so it is one of those that `words` gives; access is unique.
                unsafe {
                    let word = words.add(word as usize);
                    word.write(word.read() & !mask | value);
                }
            }
        }
    }

    /// Writes the low bits of `value` to an input of any width; wider ports get zeros above.
    #[inline]
    pub fn write(&mut self, port: PortRef, value: u64) {
        let address = self.address(port);
        let value = if port.width < 64 { value & ((1 << port.width) - 1) } else { value };
        // SAFETY: as in `read`, with unique access.
        unsafe {
            match port.width {
                0..=8 => address.write(value as u8),
                9..=16 => address.cast::<u16>().write(value as u16),
                17..=32 => address.cast::<u32>().write(value as u32),
                33..=64 => address.cast::<u64>().write(value),
                _ => self.write_words(port, &[value as u32, (value >> 32) as u32]),
            }
        }
    }

    /// Writes an input wider than 64 bits, least significant word first; words that `value`
    /// lacks become zero, bits beyond the port are dropped.
    ///
    /// # Panics
    /// When the port is 64 bits or narrower.
    pub fn write_words(&mut self, port: PortRef, value: &[u32]) {
        assert!(port.width > 64, "the port is not stored as words");
        let count = port.width.div_ceil(32) as usize;
        let words = self.address(port).cast::<u32>();
        for i in 0..count {
            let mut word = value.get(i).copied().unwrap_or(0);
            if i == count - 1 {
                word &= u32::MAX >> ((32 - port.width % 32) % 32);
            }
            // SAFETY: `i` is below the number of words of the port's storage.
            unsafe { words.add(i).write(word) }
        }
    }

    /// Makes the outputs follow the inputs; registers take their next value where their clock rose.
    ///
    /// # Errors
    /// [`Error::Stopped`] when the Verilog code stopped the simulation.
    #[inline]
    pub fn eval(&mut self) -> Result<Status> {
        // SAFETY: the handle is live until drop.
        let status = unsafe { (self.library.functions.eval)(self.handle) };
        self.status(status)
    }

    /// Runs `count` whole clock cycles (low, then high), dumping waves if a file is open.
    ///
    /// # Errors
    /// [`Error::Stopped`] when the Verilog code stopped the simulation.
    pub fn cycles(&mut self, clock: Port<u8>, count: u64) -> Result<Status> {
        let clock = self.address(clock.raw);
        // SAFETY: the handle is live, the address is a one-byte port of it.
        let status = unsafe { (self.library.functions.cycles)(self.handle, clock, count) };
        self.status(status)
    }

    #[inline]
    fn status(&self, status: c_int) -> Result<Status> {
        match status {
            0 => Ok(Status::Running),
            1 => Ok(Status::Finished),
            _ => Err(self.stopped()),
        }
    }

    #[cold]
    fn stopped(&self) -> Error {
        // SAFETY: a C string that lives until the next call on this instance.
        let message = unsafe { CStr::from_ptr((self.library.functions.message)(self.handle)) };
        Error::Stopped(message.to_string_lossy().into_owned())
    }

    /// Starts a wave file. The model must have been built with tracing.
    ///
    /// # Errors
    /// [`Error::Wave`].
    pub fn trace_open(&mut self, path: &Path) -> Result<()> {
        let failed = |reason: String| Error::Wave { path: path.display().to_string(), reason };
        let wave = WaveFile::new(path).map_err(|error| failed(error.to_string()))?;
        let name = CString::new(wave.scratch().as_os_str().as_encoded_bytes())
            .map_err(|_| failed("not a file name".into()))?;
        // SAFETY: live handle, C string.
        match unsafe { (self.library.functions.trace_open)(self.handle, name.as_ptr()) } {
            0 => {
                self.wave = Some((path.to_owned(), wave));
                Ok(())
            }
            1 => Err(failed("the model was built without tracing".into())),
            _ => Err(failed("cannot be written".into())),
        }
    }

    /// Records all signals at `time`; does nothing when no wave file is open.
    pub fn trace_dump(&mut self, time: u64) {
        // SAFETY: live handle.
        unsafe { (self.library.functions.trace_dump)(self.handle, time) }
    }

    /// Finishes the wave file, if one is open, and puts it into its place.
    ///
    /// # Errors
    /// [`Error::Wave`], if it could not be written as a whole.
    pub fn trace_close(&mut self) -> Result<()> {
        let Some((path, wave)) = self.wave.take() else { return Ok(()) };
        // SAFETY: live handle.
        unsafe { (self.library.functions.trace_close)(self.handle) }
        wave.publish()
            .map_err(|error| Error::Wave { path: path.display().to_string(), reason: error.to_string() })
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // The waves of a run that an error has ended; that one is the error to tell.
        let _ = self.trace_close();
        // SAFETY: the handle came from `new` and is not used after this.
        unsafe { (self.library.functions.free)(self.handle) }
    }
}
