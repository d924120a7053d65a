/** Pages of large items are made in turns with everybody else. */
import { expect } from 'chai';
import { pageReply } from '../../src/http/page-text.js';
import type { Reply } from '../../src/http/route.js';
import type { World } from '../../src/world.js';

describe('the reply to a list', () => {
  let pauses = 0;
  beforeEach(() => {
    pauses = 0;
  });
  const world = {
    after(_: number, call: () => void) {
      pauses += 1;
      call();
      return { cancel() {} };
    },
  } as unknown as World;

  const told = ({ text, stream }: Reply) => JSON.parse(text ?? Buffer.from(stream!.chunks as Uint8Array).toString());
  const reply = (items: readonly string[]) =>
    pageReply(world, { name: 'items', items, more: { total: items.length, next: null } }, async (text) => ({ text }));

  for (const count of [0, 1, 9, 10, 11, 25]) {
    it(`has ${count} items in their order, and what stands behind them`, async () => {
      const items = Array.from({ length: count }, (_, index) => `item ${index} ü"\\`);
      const page = { items: items.map((text) => ({ text })), total: count, next: null };
      expect(told(await reply(items))).to.deep.equal(page);
      expect(pauses).to.equal(0);
    });
  }

  it('gives others their turn between large items', async () => {
    const items = Array.from({ length: 25 }, (_, index) => `${index} ${'ü'.repeat(300_000)}`);
    const page = { items: items.map((text) => ({ text })), total: 25, next: null };
    expect(told(await reply(items))).to.deep.equal(page);
    expect(pauses).to.equal(25);
  });
});
