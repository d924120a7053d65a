/** Remote requests on a node without peers: one in each state, and an answer to one of another home. */
import { canonical, type JsonObject, sha256Hex } from '../../../src/core/canonical.js';
import { publicKeyHexOf } from '../../../src/core/codecs/did.js';
import { eventMessage } from '../../../src/core/codecs/event-message.js';
import { SeedSigner } from '../../../src/keys/signing.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { lawOf } from '../../../src/machines/kernel/other-signer.js';
import type { TestNode } from './node.js';

/** The key of a DID that lives at another home. */
export const keyNumbered = (number: number): SeedSigner => new SeedSigner(new Uint8Array(32).fill(number));

export const otherHome = keyNumbered(7).did;

/** What a resident of another home has signed there. */
export interface Sent {
  readonly signer: SeedSigner;
  /** The home that is asked. */
  readonly home: string;
  readonly asked: JsonObject;
  readonly from?: string;
  readonly network?: string;
}

/** The evidence of a request, as it is in the journal of `from`. */
export function evidenceOf({ signer, home, asked, from = otherHome, network = 'devnet' }: Sent) {
  const payload = { kind: 'remote-request', id: 'rem-1', action: 'create', input: { money: 0, ...asked, home } };
  const salt = '00'.repeat(16);
  const body = {
    ...{ v: 2, type: 'remote.sent', issuer: signer.did, home: from, nonce: 1, ts: 1, prev: null, network },
    ...{ payloadHash: sha256Hex(canonical({ payload, salt })), pub: publicKeyHexOf(signer.did) },
  };
  const text = canonical(body);
  const hash = sha256Hex(text);
  return {
    id: hash,
    input: { event: { ...body, hash, sig: signer.sign(eventMessage(text)) }, salt, request: payload },
  };
}

/** Writes one request in each state, and an answer. */
export async function leavesRemoteRequests(node: TestNode): Promise<void> {
  const subject = { kind: 'escrow', resource: 'esc-1', action: 'expire', input: {} };
  const answer = '0'.repeat(64);
  for (const [id, action, input] of [
    ['rem-1', 'complete', { answer }],
    ['rem-2', 'return', { answer, code: 'ESCROW_NOT_FOUND', detail: 'no escrow esc-1 on this network' }],
  ] as const) {
    await node.operate('remote-request', id, 'create', { ...subject, home: otherHome, money: 0 });
    await node.operate('remote-request', id, action, input);
  }
  await node.operate('remote-request', 'rem-3', 'create', { ...subject, home: otherHome, money: 0 });
  await node.operate('remote-request', 'rem-3', 'give-up', { loss: 0, reason: 'the other home is gone' });
  await node.operate('remote-request', 'rem-3', 'note', { answer });
  const create = { kind: 'info-listing', resource: 'lst-remote', action: 'create', input: listing };
  const { id, input } = evidenceOf({ signer: keyNumbered(8), home: node.did, asked: create });
  await node.operate('remote-answer', id, 'create', { ...input, law: lawOf(catalogue, 'info-listing', 'create') });
}

export const listing: JsonObject = {
  ...{ title: 'Rain', description: 'Rain of a year', category: 'weather', infoType: 'dataset', pricing: { price: 4 } },
  ...{ content: { format: 'text/csv' }, accessMethod: { type: 'download' }, license: { type: 'CC-BY-4.0' } },
};
