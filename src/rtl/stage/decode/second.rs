//! The decoder of the word behind the one that was fetched.
use super::Decoder;
use crate::prelude::*;

module! {
    /// Decodes the second of two words that were fetched together, and says where fetching goes on behind both.
    ///
    /// Ports: below. Latency: combinational. Reset: none. Invariants: the second word is void behind a first that stops fetching or
    /// is predicted to be taken. Critical path: both decoders' `stops_fetch`, a multiplexer.
    /// Source: MOTRR III.2 (two instructions at a time). Mirror in the model: `model::timing` (fetch).
    pub struct SecondDecoder(cfg: &CoreConfig) {
        // From the instruction cache.
        /// The first word.
        pub fetched: Fetch<In> = Fetch::new(cfg),
        /// The second one.
        pub second: SecondWord<In> = SecondWord::new(),
        // From the decoder of the first word.
        /// Nothing younger is fetched until it is resolved.
        pub first_stops_fetch: Signal<In, Bit>,
        /// With branch prediction: what is predicted of it.
        pub first_predicted: Opt<FetchAhead<In>> = Opt::new(cfg.btfn, FetchAhead::new()),
        // To the instruction queues.
        /// The second instruction follows the first.
        pub valid: Signal<Out, Bit>,
        /// What it is.
        pub decoded: DecodedInstruction<Out> = DecodedInstruction::new(cfg),
        // To the warp table, as if it were alone: the younger of those that are not void.
        /// Which.
        pub last: Fetch<Out> = Fetch::new(cfg),
        /// Nothing younger is fetched until it is resolved.
        pub stops_fetch: Signal<Out, Bit>,
        /// With branch prediction: what is predicted of it.
        pub predicted: Opt<FetchAhead<Out>> = Opt::new(cfg.btfn, FetchAhead::new()),
        decoder: Decoder = Decoder::new(cfg),
        btfn: Const<Bit> = Const::new(cfg.btfn),
    }
}

impl Logic for SecondDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        self.decoder.instr.next = self.second.instr.val();
        Wires::join(&mut self.decoder.decoded, &mut self.decoded);
        self.valid.next = self.fetched.valid.val() & self.second.there.val() & !self.first_stops_fetch.val();
        if self.btfn.val() && self.first_predicted.valid.val() {
            self.valid.next = false;
        }
        Data::join(&mut self.fetched, &mut self.last);
        self.stops_fetch.next = self.first_stops_fetch.val();
        if self.valid.val() {
            self.last.pc.next = self.fetched.pc.val() + 4;
            self.stops_fetch.next = self.decoder.stops_fetch.val();
        }
        if self.btfn.val() {
            Data::join(&mut self.first_predicted, &mut self.predicted);
            if self.valid.val() {
                self.predicted.valid.next = self.decoder.predicts_taken.val();
                self.predicted.offset.next = self.decoder.imm.val();
            }
        }
    }
}
