/** A clock whose wall time can jump, as when someone sets it: the boot-time clock stays. */
import { MovableClock } from '../../packages/fake-node/src/movable-clock.js';

export class JumpingClock extends MovableClock {
  constructor(public jumpMs = 0) {
    super();
  }

  override now(): number {
    return super.now() + this.jumpMs;
  }
}
