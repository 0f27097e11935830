// Thin C interface around one Verilated model, compiled with the model at run time.
//
// The only generated part is "heddle_ports.inc": one X(name, width, direction) line for each
// top-level port, taken from the header that Verilator writes. Everything else is the same for
// every model. Port values are not copied through this interface: the Rust side asks once where
// each port is stored and then reads and writes the storage itself.
#include <cstdint>
#include <string>

#include "Vm.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif

#define API extern "C" __attribute__((visibility("default")))

namespace {

// Message of the $stop, $error or fatal of the evaluation that this thread runs.
thread_local std::string t_message;

// Unwinds from a $stop out of the model's evaluation.
struct Stopped {};

[[noreturn]] void stop(const char* kind, const char* file, int line, const char* text) {
    t_message = std::string(kind) + " at " + (file ? file : "?") + ":" + std::to_string(line) + ": "
                + (text ? text : "");
    Verilated::threadContextp()->gotError(true);
    throw Stopped{};
}

}  // namespace

// Verilator calls these three in place of its own, which would print and end the process.
void vl_finish(const char*, int, const char*) VL_MT_UNSAFE {
    Verilated::threadContextp()->gotFinish(true);
}
void vl_stop(const char* file, int line, const char* scope) VL_MT_UNSAFE { stop("$stop", file, line, scope); }
void vl_fatal(const char* file, int line, const char*, const char* text) VL_MT_UNSAFE {
    stop("fatal", file, line, text);
}

// What the calls below return.
enum Status : int { RUNNING = 0, FINISHED = 1, FAILED = 2 };

struct Instance {
    VerilatedContext context;  // built before the model and destroyed after it
    Vm* model = nullptr;
#if VM_TRACE_FST
    VerilatedFstC* trace = nullptr;
#endif
    std::string message;

    template <class F> int guarded(F&& evaluate) {
        // An instance may have moved to another thread since it was made.
        Verilated::threadContextp(&context);
        try {
            evaluate();
        } catch (const Stopped&) {
            message = t_message;
            return FAILED;
        }
        if (context.gotError()) {
            message = t_message;
            return FAILED;
        }
        return context.gotFinish() ? FINISHED : RUNNING;
    }

    void dump(uint64_t time) {
        context.time(time);
#if VM_TRACE_FST
        if (trace) trace->dump(time);
#endif
    }
};

struct PortEntry {
    const char* name;
    uint32_t width;
    uint32_t direction;  // 0 input, 1 output, 2 inout
};

static const PortEntry s_ports[] = {
#define X(name, width, direction) {#name, width, direction},
#include "heddle_ports.inc"
#undef X
};

API uint32_t heddle_port_count() { return sizeof(s_ports) / sizeof(s_ports[0]); }
API const PortEntry* heddle_port_table() { return s_ports; }

#ifdef HEDDLE_PROFILE
// Clang's counters, of all instances. That the first symbol exists keeps clang's library from writing them when the process
// ends (LLVM, "Source-based Code Coverage": using the profiling runtime without static initializers).
extern "C" {
int __llvm_profile_runtime = 0;
void __llvm_profile_set_filename(const char*);
int __llvm_profile_write_file(void);
}
// 0 when the file is written.
API int heddle_write_profile(const char* path) {
    __llvm_profile_set_filename(path);
    return __llvm_profile_write_file();
}
#endif

API void heddle_port_addresses(Instance* instance, void** out) {
#define X(name, width, direction) *out++ = static_cast<void*>(&instance->model->name);
#include "heddle_ports.inc"
#undef X
}

// `random_reset`: 0 zeros, 1 ones, 2 random values drawn from `seed` (not 0).
API Instance* heddle_new(int random_reset, int seed) {
    Instance* instance = new Instance;
    instance->context.randReset(random_reset);
    instance->context.randSeed(seed);
    instance->context.fatalOnError(true);
#if VM_TRACE_FST
    instance->context.traceEverOn(true);
#endif
    if (instance->guarded([&] { instance->model = new Vm{&instance->context, "top"}; }) == FAILED) {
        delete instance;
        return nullptr;
    }
    return instance;
}

API void heddle_free(Instance* instance) {
    Verilated::threadContextp(&instance->context);
#if VM_TRACE_FST
    if (instance->trace) {
        instance->trace->close();
        delete instance->trace;
    }
#endif
    if (instance->model) {
        try {
            instance->model->final();
        } catch (const Stopped&) {
        }
        delete instance->model;
    }
    delete instance;
}

API const char* heddle_message(Instance* instance) {
    return instance ? instance->message.c_str() : t_message.c_str();
}

API int heddle_eval(Instance* instance) {
    return instance->guarded([&] { instance->model->eval(); });
}

// `count` whole clock cycles, ended early by $finish or an error; `clock` is the port's address.
API int heddle_cycles(Instance* instance, uint8_t* clock, uint64_t count) {
    return instance->guarded([&] {
        for (uint64_t i = 0; i < count && !instance->context.gotFinish(); ++i) {
            for (uint8_t level = 0; level < 2; ++level) {
                *clock = level;
                instance->model->eval();
                instance->dump(instance->context.time() + 1);
            }
        }
    });
}

// 0 when the wave file is open, 1 when the model was built without tracing, 2 when it cannot be written.
API int heddle_trace_open(Instance* instance, const char* path) {
#if VM_TRACE_FST
    if (instance->trace) return 2;
    instance->trace = new VerilatedFstC;
    instance->model->trace(instance->trace, 99);
    instance->trace->open(path);
    return instance->trace->isOpen() ? 0 : 2;
#else
    (void)instance;
    (void)path;
    return 1;
#endif
}

API void heddle_trace_dump(Instance* instance, uint64_t time) { instance->dump(time); }

API void heddle_trace_close(Instance* instance) {
#if VM_TRACE_FST
    if (instance->trace) {
        instance->trace->close();
        delete instance->trace;
        instance->trace = nullptr;
    }
#else
    (void)instance;
#endif
}
