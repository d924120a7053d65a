/** A server that commits one proposal, and is killed at a point of it. Its parent starts it, and looks at what is left. */
import process from 'node:process';
import { realEnvironment } from '../../../packages/client/src/environment.js';
import { Http } from '../../../packages/client/src/http.js';
import { type HeldKey, keys } from '../../../packages/client/src/signing/key.js';
import { Agent } from '../../../packages/mcp/src/agent.js';
import { serverFactory } from '../../../packages/mcp/src/server.js';
import { Host, linked } from './agent.js';

/** Where it ends: signed, and not on disk; on disk, and not sent; taken by the node, and not heard; heard, and not noted; noted. */
export const points = ['signed', 'kept', 'sent', 'heard', 'noted'] as const;
export type Point = (typeof points)[number];

export interface DoomedOrders {
  readonly url: string;
  readonly seed: string;
  readonly folder: string;
  readonly proposal: string;
  readonly at: Point | 'never';
}

const { url, seed, folder, proposal, at } = JSON.parse(process.argv[2]!) as DoomedOrders;
const reach = (point: Point): void => {
  if (at === point) process.kill(process.pid, 'SIGKILL');
};

const held = await keys.fromSeed(Buffer.from(seed, 'hex') as Uint8Array<ArrayBuffer>);
const key: HeldKey = {
  ...held,
  async sign(bytes) {
    const signature = await held.sign(bytes);
    if (Buffer.from(bytes).toString().startsWith('svc:event:')) reach('signed');
    return signature;
  },
};

async function sending(to: string, init: RequestInit): Promise<Response> {
  const isEvent = String(init.body ?? '').includes('"event"');
  if (isEvent) reach('kept');
  const reply = await fetch(to, init);
  if (!isEvent) return reply;
  const text = await reply.text();
  reach('sent');
  if (at === 'heard') queueMicrotask(() => queueMicrotask(() => reach('heard')));
  return new Response(text, { status: reply.status, headers: reply.headers });
}

const environment = { ...realEnvironment, fetch: sending };
const http = new Http({ url, readTimeoutMs: 30_000, writeTimeoutMs: 30_000, environment });
const agent = new Agent({ key, http, folder, limits: { askAbove: 1_000, askAboveDaily: 1_000 } });
const host = await Host.open(linked(serverFactory({ agent, version: '1', mayElicit: false })), { person: 'none' });
const { says } = await host.call('commit', { proposal });
reach('noted');
process.stdout.write(says);
process.exit(0);
