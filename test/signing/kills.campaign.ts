/**
 * An agent that keeps its key and trades with a node, while both are killed at random moments: its outbox tells it, after each
 * start, what has become of its last write, so that each intent takes effect once.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { keys } from '../../packages/client/src/signing/key.js';
import { sha256Hex } from '../../src/core/canonical.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { auditOf, NodeProcess } from '../crash/support/process.js';
import { below } from '../crash/support/random.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { freePort } from '../support/free-port.js';
import { killCount } from '../support/long.js';
import { beforeTidying, scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { AgentFiles, type Note } from './support/agent-files.js';
import { type AgentOrders, costOf, intentOf, points, price } from './support/intents.js';

const kills = killCount(50, 1_000);
/** Intents between two kills, at most. */
const most = 40;
const claim = 100;
const passphrase = 'correct horse battery staple';
const program = fileURLToPath(new URL('./support/agent.js', import.meta.url));

describe('An agent that keeps its key, and is killed as its node is', () => {
  let agent: ChildProcess | undefined;
  beforeTidying(async () => agent?.kill('SIGKILL'));
  after(tidy);

  it(`does once what it wants, and signs nothing twice, in ${kills} kills`, async () => {
    const port = await freePort();
    const variables = { SVC_PORT: String(port), SVC_RATE_LIMIT_LOOPBACK: 'off' } as const;
    const data = scratch();
    const start = () => NodeProcess.start(data, [], variables);
    let node = await start();

    const { did: seller } = expectStatus(await node.client.post('/api/v1/identities', { passphrase }), 201);
    const { example } = infoListing.create;
    const sold = { ...example, pricing: { price }, did: seller, passphrase, nonce: 1 };
    const { listingId } = expectStatus(await node.client.post('/api/v1/markets/info', sold), 201);
    const seed = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
    const { did } = await keys.fromSeed(seed);
    const claims = Math.ceil(costOf(kills * most) / claim);
    for (let i = 0; i < claims; i++) expectStatus(await node.client.post('/api/v1/faucet', { did }));

    const dir = scratch();
    const url = `http://127.0.0.1:${port}`;
    const orders: AgentOrders = { dir, seed: seed.toString('hex'), url, to: seller, listingId, example };
    const files = new AgentFiles(dir);
    let done = 0;
    const running = (): ChildProcess => {
      agent ??= fork(program, [JSON.stringify(orders)]).on('message', (number: number | 'unheard') => {
        if (number !== 'unheard') done = number + 1;
      });
      return agent;
    };
    const dies = async (child: ChildProcess) => {
      const [code, signal] = child.signalCode ? [null, child.signalCode] : await once(child, 'exit');
      expect({ code, signal }).to.deep.equal({ code: null, signal: 'SIGKILL' });
      agent = undefined;
    };
    /** Resolves when the node has taken a write, and the agent has not heard of it. */
    const unheard = async (child: ChildProcess) => {
      child.send({ at: 'unheard' });
      for (let said: unknown; said !== 'unheard'; ) [said] = await once(child, 'message');
    };
    const advances = (count: number) => {
      const enough = done + count;
      return until('the agent carries out intents', () => done >= enough, {
        everyMs: 1 + below(5),
        longestMs: 120_000,
      });
    };

    for (let killed = 0; killed < kills; ) {
      const child = running();
      const dice = below(12);
      await advances(1 + below(3));
      if (dice < 8) {
        child.send({ at: points[killed++ % points.length]! });
        await dies(child);
        continue;
      }
      if (dice === 8) await unheard(child);
      expect(await node.kill()).to.include({ signal: 'SIGKILL' });
      if (dice > 9) {
        child.kill('SIGKILL');
        await dies(child);
        killed++;
      }
      node = await start();
      killed++;
    }
    const last = running();
    await advances(1);
    last.send('stop');
    await once(last, 'exit');
    agent = undefined;

    const chain: Body[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: Body = expectStatus(await node.client.get(`/api/v1/events?limit=100&after=${after}`));
      for (const { event } of page.events) if (event.issuer === did) chain.push(event);
      after = page.next;
    }
    const available = claims * claim;
    const sum = compare(files.notes(), chain);
    const wallet = expectStatus(await node.client.get(`/api/v1/wallets/${did}`));
    expect(wallet).to.include({ available: available - sum.takes, escrowed: sum.escrows, nonce: chain.length });
    expect((await node.stop()).code).to.equal(0);
    expect(await auditOf(data)).to.include({ ok: true, supply: available });
  });
});

/** @returns what its intents have taken, and have in escrow */
function compare(notes: readonly Note[], chain: readonly Body[]): { readonly takes: number; readonly escrows: number } {
  const places = chain.map(({ nonce, prev }) => ({ nonce, prev }));
  const whole = chain.map((_, index) => ({ nonce: index + 1, prev: chain[index - 1]?.hash ?? null }));
  expect(places, 'the chain of the agent has no gap').to.deep.equal(whole);

  const signed = new Map<string, number>();
  const sent = new Set<string>();
  const refused = new Set<string>();
  const newest = new Map<number, Body>();
  for (const note of notes) {
    if (note.does === 'sends') sent.add(note.hash);
    if (note.does === 'hears' && note.status >= 400 && note.status < 500) refused.add(note.hash);
    if (note.does !== 'signs') continue;
    const text = note.message.slice('svc:event:v3:'.length);
    const event: Body = { ...JSON.parse(text), hash: sha256Hex(text) };
    signed.set(event.hash, note.number);
    // Another takes the nonce of one that was sent only once the node has refused it: both can't be in the journal.
    const before = newest.get(event.nonce);
    if (before && sent.has(before.hash)) {
      expect(refused.has(before.hash), `the event before of nonce ${event.nonce} was refused`).to.equal(true);
    }
    newest.set(event.nonce, event);
  }

  const committed = new Map<number, Body[]>();
  for (const event of chain) {
    const number = signed.get(event.hash)!;
    committed.set(number, [...(committed.get(number) ?? []), event]);
  }
  const outcomes = notes.filter(({ does }) => does === 'ends') as Extract<Note, { does: 'ends' }>[];
  expect(outcomes.map(({ number }) => number)).to.deep.equal(outcomes.map((_, index) => index));
  let [takes, escrows] = [0, 0];
  for (const { number, hash, code } of outcomes) {
    const { ends } = intentOf(number);
    const types = committed.get(number)?.map((event) => `${event.hash} ${event.type}`) ?? [];
    const expected =
      'code' in ends ? { code: ends.code, types: [] } : { code: undefined, types: [`${hash} ${ends.type}`] };
    expect({ code, types }, `intent ${number} takes effect once, or is refused`).to.deep.equal(expected);
    if ('code' in ends) continue;
    takes += ends.takes;
    escrows += ends.escrows;
  }
  return { takes, escrows };
}
