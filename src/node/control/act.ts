/** A command of the control socket: its input is checked before it runs. */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { ControlHandler } from './control.js';
import type { OnProgress } from './protocol.js';

export function act<T>(
  input: is.Scalar<T>,
  run: (input: T, onProgress: OnProgress) => Promise<object | Refusal>,
): ControlHandler {
  return async (given, onProgress) => {
    const parsed = is.parse(input, given);
    return (isRefusal(parsed) ? parsed : await run(parsed, onProgress)) as JsonObject | Refusal;
  };
}
