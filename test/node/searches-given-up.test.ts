/** Searches of one caller wait in a queue, and leave it when the caller disconnects (docs/decisions/0024). */
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { bounds } from '../../src/core/bounds.js';
import { createLog } from '../../src/core/log.js';
import { expectStatus } from './support/answers.js';
import { nodeForSuite } from './support/node.js';

const path = '/api/v1/markets/search';

describe('Searches that are given up', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const node = nodeForSuite({ parts: { log } });
  afterEach(() => sinon.restore());

  it('leave the queue at once, are not run, and cause no warning', async () => {
    const { client, store, url } = node();
    const search = store.search.bind(store);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const searching = sinon.stub(store, 'search').callsFake(async (query) => {
      await held;
      return search(query);
    });
    const before = lines.length;

    // One runs, the queue is full, and one more is refused, which shows that the queue is full.
    const asked: http.ClientRequest[] = [];
    const refused = new Promise<number>((resolve) => {
      const ask = () => http.get(url + path, { agent: false }, ({ statusCode }) => resolve(statusCode!));
      asked.push(...Array.from({ length: bounds.searchesWaiting + 2 }, ask));
    });
    for (const each of asked) each.on('error', () => {}); // closed below on purpose
    expect(await refused).to.equal(429);
    for (const each of asked) each.destroy();

    const isRefused = async () => (await Promise.race([next, wait(1_000)]))?.status === 429;
    let next = client.get(path);
    while (await isRefused()) next = client.get(path);
    expect(searching.callCount, 'the one under way keeps its turn').to.equal(1);
    release();
    expectStatus(await next);
    sinon.assert.calledTwice(searching);
    expect(lines.slice(before)).to.deep.equal([]);
  });
});
