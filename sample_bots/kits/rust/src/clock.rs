//! The time left for the present decision.
//! A limit is time on a core of one's own: what others use of it does not count. So it is processor time that is measured,
//! unless the welcome says "clock": "wall".

use rmpv::Value;
use std::cell::Cell;

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32; // of the C library, which Rust's own one needs anyway
}

const CLOCK_MONOTONIC: i32 = 1;
const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;

thread_local! {
    static CLOCK: Cell<i32> = const { Cell::new(CLOCK_MONOTONIC) };
    static END: Cell<f64> = const { Cell::new(0.0) };
}

/// Chooses the clock of a match.
pub fn match_begins(welcome: &Value) {
    let core = welcome["clock"].as_str() == Some("core");
    CLOCK.set(if core { CLOCK_PROCESS_CPUTIME_ID } else { CLOCK_MONOTONIC });
}

/// Starts the clock of a question.
pub fn question_comes(decide: &Value) {
    END.set(now() + decide["time"]["limit_us"].as_f64().unwrap_or(0.0) / 1e6);
}

/// Seconds that are left for the present decision, without the bank. Answer well before none is left.
#[allow(dead_code)]
pub fn time_left() -> f64 {
    END.get() - now()
}

fn now() -> f64 {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // Safe: the call writes to `time`, and to nothing else.
    unsafe { clock_gettime(CLOCK.get(), &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}
