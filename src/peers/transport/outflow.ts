/** Waits until a peer has received what was written to it, and cuts a peer that does not read. */
import type { ServerResponse } from 'node:http';
import type { PeerBounds } from '../../core/bounds.js';
import type { Environment, Timer } from '../../core/environment.js';

export interface OutflowOptions {
  readonly world: Environment;
  readonly bounds: PeerBounds;
  readonly response: ServerResponse;
  /** Ends the connection of a peer that does not read. */
  readonly cut: () => void;
}

/**
 * Resolves when everything written was passed to the operating system, or the connection has ended. Write nothing in
 * the meantime.
 */
export function outflow({ response, world, bounds, cut }: OutflowOptions): Promise<void> {
  return new Promise((resolve) => {
    let timer: Timer;
    let unsent = response.writableLength;
    const look = () => {
      const sent = unsent - response.writableLength;
      if (sent < Math.min(bounds.stallBytes, unsent)) cut();
      unsent -= sent;
      timer = world.after(bounds.stallMs, look);
    };
    const done = () => {
      timer.cancel();
      for (const event of ['drain', 'finish', 'close']) response.off(event, done);
      resolve();
    };
    timer = world.after(bounds.stallMs, look);
    for (const event of ['drain', 'finish', 'close']) response.on(event, done);
  });
}
