/**
 * Entries about long texts are deflated, since they are most of a database: words repeat, hashes in hex take twice their
 * room, and every entry has the same member names. Others stay as they are, also where several resources or moves make
 * the core long: to deflate a kilobyte costs more than all else that is done to write it.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Characters of core and payload together from which on they are packed. */
const leastPacked = 1_500;
/** And of the payload alone: what a caller has put into words. */
const leastTold = 400;

/** What no text of ours has in it: between core, payload and context. */
const between = '\n';

/**
 * What the texts are likely to have in them. It can't be changed, as what was packed with it could not be read any more:
 * another one is another `version`, the first byte of what is packed.
 */
const version = 1;
const dictionary = Buffer.from(
  '"approved":true,"budget":"feedback":"milestones":[{"criteria":"deliverables":[{"type":"document","payment":{"totalAmount":' +
    '"terms":{"timeline":{"deadline":"quantity":1,"orderId":"ord-","task-ord-","bidId":"bid-","lease-","esc-","ctr-","rev-' +
    '"escrow","listing-stats","reputation","info-order","task-order","bid","lease","contract","dispute"' +
    '{"payload":{"action":"create","id":"lst-","input":{"access":{"type":"endpoint"},"accessMethod":{"type":"download"},' +
    '"capability":{},"capabilityType":"","category":"","content":{"format":"text/csv","preview":"","size":},"description":"",' +
    '"infoType":"dataset","license":{"type":"CC-BY-4.0"},"pricing":{"price":},"quota":{},"stock":,"tags":["","",""],' +
    '"task":{},"taskType":"","timeline":{},"title":""},"kind":"capability-listing"},"salt":""}' +
    '{"accounts":[{"did":"did:svc:z6Mk","version":}],"event":{"hash":"","issuer":"did:svc:z6Mk","network":"mainnet' +
    'testnetdevnet","nonce":,"payloadHash":"","prev":"","pub":"","sig":"","ts":17,"type":"listing.published","v":1},' +
    '"home":"did:svc:z6Mk","idem":null,"law":"task-listing-1-info-listing-1-","moves":[{"amount":,"escrow":"","from":"' +
    '","op":"escrow-fund","to":""}],"postings":[{"account":"available","amount":-,"did":"did:svc:z6Mk"}],' +
    '"reads":[{"id":"lst-","kind":"info-listing","version":0},{"id":"lst-","kind":"task-listing","version":0}],' +
    '"time":17,"v":1,"versions":[{"id":"lst-","kind":"info-listing","machine":"info-listing-1-","path":["active"],' +
    '"prev":null,"stateHash":"","version":1}]}',
);
/** Room that is made for each result before anything is known of it: the usual 16 KiB cost a quarter of the time. */
const chunkSize = 4_080;
const deflating = { level: 6, memLevel: 5, windowBits: 12, dictionary, chunkSize };
/** No entry is as long; what somebody else has put there may be. */
const inflating = { windowBits: 12, dictionary, chunkSize, maxOutputLength: 64 * 1024 * 1024 };

/**
 * Undefined where the texts are to be kept as they are.
 * @param context of a resource that the entry makes: what of it the payload says already costs nothing
 */
export function packed(core: string, payload: string | null, context?: string): Uint8Array | undefined {
  const told = payload?.length ?? 0;
  if (told < leastTold || core.length + told < leastPacked) return undefined;
  const parts = [core, payload ?? '', context ?? ''];
  const text = parts.slice(0, context !== undefined ? 3 : payload !== null ? 2 : 1).join(between);
  return Buffer.concat([Buffer.of(version), deflateRawSync(text, deflating)]);
}

export type Texts = readonly [core: string, payload: string | null, context: string];

/** A damaged one gives texts that are none, as an audit is to name its entry. */
export function unpacked(bytes: Uint8Array): Texts {
  let text = '';
  try {
    if (bytes[0] === version) text = inflateRawSync(bytes.subarray(1), inflating).toString();
  } catch {
    // Then it is not the text that its hash was made of: whoever reads it finds out by that.
  }
  const [core = '', payload, context = ''] = text.split(between);
  return [core, payload || null, context];
}
