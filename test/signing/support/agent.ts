/**
 * A program that keeps its key, carries out its intents one after the other, and is killed by its parent or, at a point that the
 * parent names, by itself. When it starts, it first learns from its outbox how its last intent has ended.
 */
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '../../../packages/client/src/client.js';
import { ApiError } from '../../../packages/client/src/errors.js';
import { type HeldKey, keys } from '../../../packages/client/src/signing/key.js';
import type { Outbox } from '../../../packages/client/src/signing/key-writes.js';
import { below } from '../../crash/support/random.js';
import { AgentFiles } from './agent-files.js';
import { type AgentOrders, type Doom, intentOf, type Point } from './intents.js';

const { dir, seed, url, ...dealings } = JSON.parse(process.argv[2]!) as AgentOrders;
const files = new AgentFiles(dir);
let number = files.next();
let doom: Doom['at'] | undefined;
let isOver = false;

process.on('message', (told: Doom | 'stop') => {
  if (told === 'stop') isOver = true;
  else doom = told.at;
});

function reach(point: Point): void {
  if (doom === point) process.kill(process.pid, 'SIGKILL');
}

const held = await keys.fromSeed(Buffer.from(seed, 'hex') as Uint8Array<ArrayBuffer>);
const key: HeldKey = {
  ...held,
  async sign(bytes) {
    const message = Buffer.from(bytes).toString();
    const isEvent = message.startsWith('svc:event:');
    if (isEvent) files.note({ does: 'signs', number, message });
    const signature = await held.sign(bytes);
    if (isEvent) reach('signed');
    return signature;
  },
};

const outbox: Outbox = {
  async put(write) {
    await files.outbox(number).put(write);
    reach('kept');
  },
  async drop(write) {
    await files.outbox(number).drop(write);
    reach('dropped');
  },
};

async function sending(to: string, init: RequestInit): Promise<Response> {
  const { event } = JSON.parse(String(init.body ?? '{}')) as { event?: { hash: string } };
  if (!event) return fetch(to, init);
  const { hash } = event;
  files.note({ does: 'sends', number, hash });
  const coming = fetch(to, init);
  if (doom === 'sent') {
    coming.catch(() => {});
    await wait(below(5));
    reach('sent');
  }
  const reply = await coming;
  if (doom === 'unheard') {
    doom = undefined;
    process.send!('unheard');
    for (let isUp = true; isUp; ) isUp = await fetch(to).then(Boolean, () => false);
    throw new TypeError('the node died before it answered');
  }
  files.note({ does: 'hears', number, hash, status: reply.status });
  reach('answered');
  return reply;
}

const agent = new Client({ url, environment: { fetch: sending, wait: (ms) => wait(ms / 10) } }).as({ key, outbox });

/** @returns the hash of its event, or the code of its refusal */
async function ended(): Promise<{ readonly hash?: string; readonly code?: string }> {
  const { does, lives } = intentOf(number);
  for (let longer = 1; ; ) {
    const write = files.kept(number);
    const until = lives === undefined ? {} : { until: Date.now() + lives * longer };
    try {
      const reply: unknown = write
        ? await agent.events.submit<unknown>(write)
        : await does(agent, dealings, number, until);
      return { hash: (reply as { eventHash: string }).eventHash };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) {
        // The node is down: whether it has the write is unknown.
        await wait(20);
      } else if (lives !== undefined && error.refusal === 'CONFLICT') {
        if (files.kept(number)) files.forget(number);
        // On a busy machine it needs more time.
        longer *= 2;
      } else {
        return { code: error.refusal ?? error.code };
      }
    }
  }
}

for (; !isOver; number++) {
  const how = await ended();
  files.note({ does: 'ends', number, ...how });
  process.send!(number);
}
process.disconnect();
