/** Transfers that are signed with keys which the node has not (docs/signing.md). */
import { randomBytes } from 'node:crypto';
import { Client } from '../../../packages/client/src/client.js';
import { canonical, type JsonObject, sha256Hex } from '../../../src/core/canonical.js';
import { publicKeyHexOf } from '../../../src/core/codecs/did.js';
import { eventMessage } from '../../../src/core/codecs/event-message.js';
import { realEnvironment as world } from '../../../src/core/environment.js';
import { newLeaf, type RenderedLeaves } from '../../../src/core/leaf.js';
import { AssertionError } from '../../../src/core/refusal.js';
import { type SeedSigner, signerOf } from '../../../src/keys/signing.js';
import { hashOfPublished } from '../../../src/verify/published-payload.js';
import type { Site } from './load-process.js';
import { type HoldersPlan, posted, type Traffic } from './traffic.js';

const memo = 'of a benchmark';
const lifeMs = 60_000;

interface Prepared {
  readonly event: JsonObject;
  readonly payload: JsonObject;
  readonly leaves: RenderedLeaves;
}

/** An event's place in the chain of its DID. */
interface Place {
  readonly nonce: number;
  readonly prev: string | null;
}

interface Holder {
  readonly did: string;
  readonly to: string;
  readonly signer: SeedSigner;
  place: Place;
}

interface Home {
  readonly home: string;
  readonly network: string;
}

/** The next transfer of a holder. */
function transferOf(holder: Holder, { home, network }: Home): ReturnType<typeof signed> {
  const { did, to, signer, place } = holder;
  const salt = randomBytes(16);
  const leaves = { '/memo': { ...newLeaf(memo, salt).leaf, salt: salt.toString('hex') } };
  const payload = { kind: 'account', id: did, action: 'transfer', input: { to, amount: 1, memo } };
  const ts = world.now();
  const event = {
    ...{ v: 3, type: 'transfer.sent', issuer: did, pub: publicKeyHexOf(did), home, network },
    ...{ nonce: place.nonce + 1, prev: place.prev, ts, until: ts + lifeMs },
  };
  const write = signed(signer, { event, payload, leaves } as Prepared);
  holder.place = { nonce: event.nonce, prev: write.event.hash };
  return write;
}

/**
 * Signs as much as a holder does and sends none of it, so that the node is asked as often: the less it is asked, the more
 * CPU each request takes.
 */
export function asBusy(traffic: Traffic): Traffic {
  const signer = signerOf(randomBytes(32));
  const { did } = signer;
  const holder: Holder = { did, to: did, signer, place: { nonce: 0, prev: null } };
  return (...asked) => {
    posted('', '', transferOf(holder, { home: did, network: 'devnet' }));
    return traffic(...asked);
  };
}

/** Each line is one holder's, because their events are chained. With a dry run, each second request submits what the first one has prepared. */
export async function holdersTraffic({ url, people }: Site, plan: HoldersPlan): Promise<Traffic> {
  const client = new Client({ url });
  const home: Home = await client.node.status();
  const holders = await Promise.all(
    people.map(async ({ did, seed = '' }, index) => {
      const { nonce, prev } = await client.wallets.get(did);
      const to = people[(index + 1) % people.length]!.did;
      const holder: Holder = { did, to, signer: signerOf(Buffer.from(seed, 'hex')), place: { nonce, prev } };
      return holder;
    }),
  );
  /** Lines whose last answer is to a dry run. */
  const asked = new Set<number>();
  return (line, host, last) => {
    const holder = holders[line]!;
    const { did, to, signer } = holder;
    if (asked.delete(line)) {
      const { prepared } = JSON.parse(last!.body) as { prepared: Prepared };
      return posted('/api/v1/events', host, signed(signer, prepared));
    }
    if (plan.do === 'prepare-and-submit') {
      asked.add(line);
      return posted('/api/v1/transfers', host, { did, prepare: true, to, amount: 1, memo });
    }
    return posted('/api/v1/events', host, transferOf(holder, home));
  };
}

function signed(signer: SeedSigner, { event, payload, leaves }: Prepared) {
  const hashed = hashOfPublished({ payload, leaves });
  if (typeof hashed === 'string') throw new AssertionError(hashed);
  const body = { ...event, payloadHash: hashed.hash };
  const text = canonical(body);
  return { event: { ...body, hash: sha256Hex(text), sig: signer.sign(eventMessage(text)) }, payload, leaves };
}
