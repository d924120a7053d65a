/** Pages of large items are serialised in turns, so that other requests don't wait. */
import { expect } from 'chai';
import sinon from 'sinon';
import type { Environment } from '../../src/core/environment.js';
import { pageReply } from '../../src/http/render/page-text.js';
import type { Reply } from '../../src/http/server/route.js';
import { Moderations } from '../../src/projections/moderations.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';

describe('the reply to a list', () => {
  const after = sinon
    .stub()
    .callsArg(1)
    .returns({ cancel() {} });
  beforeEach(() => after.resetHistory());
  const api = { environment: { after } as unknown as Environment, moderations: new Moderations(new MemoryStore()) };

  const parsed = ({ text, stream }: Reply) => JSON.parse(text ?? Buffer.from(stream!.chunks as Uint8Array).toString());
  const reply = (items: readonly string[]) =>
    pageReply(
      api,
      { name: 'items', items, more: { total: items.length, next: null }, reader: undefined },
      async (text) => ({ text }),
    );

  for (const count of [0, 1, 9, 10, 11, 25]) {
    it(`has ${count} items in their order, and what stands behind them`, async () => {
      const items = Array.from({ length: count }, (_, index) => `item ${index} ü"\\`);
      const page = { items: items.map((text) => ({ text })), total: count, next: null };
      expect(parsed(await reply(items))).to.deep.equal(page);
      sinon.assert.notCalled(after);
    });
  }

  it('gives others their turn between large items', async () => {
    const items = Array.from({ length: 25 }, (_, index) => `${index} ${'ü'.repeat(300_000)}`);
    const page = { items: items.map((text) => ({ text })), total: 25, next: null };
    expect(parsed(await reply(items))).to.deep.equal(page);
    sinon.assert.callCount(after, 25);
  });
});
