/**
 * While clients leave megabytes unread, V8 looks for garbage sooner. By itself it lets the heap of a busy process grow to
 * several times of what is used, which is a tenth of the node's CPU cheaper, and costs some 150 MB where replies are large.
 */
import { setFlagsFromString } from 'node:v8';

/** Percent of what is used; 0: as V8 finds right. */
const grow = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`);
const thriftyPercent = 30;

export class Thrift {
  #isOn = false;

  constructor(
    private readonly bytes: { readonly from: number; readonly until: number },
    private readonly setGrowth: (percent: number) => void = grow,
  ) {}

  /** @param waiting bytes of replies that clients have not taken */
  look(waiting: number): void {
    const isOn = waiting > (this.#isOn ? this.bytes.until : this.bytes.from);
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    this.setGrowth(isOn ? thriftyPercent : 0);
  }
}
