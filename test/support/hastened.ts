import { type Environment, realEnvironment } from '../../src/core/environment.js';

/** Real time, accelerated by a factor, for timers and the monotonic clock. */
export const hastened = (times: number): Environment => ({
  ...realEnvironment,
  monotonic: () => realEnvironment.monotonic() * times,
  after: (delayMs, call) => realEnvironment.after(delayMs / times, call),
});
