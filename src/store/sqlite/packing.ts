/**
 * Compresses entries with long payloads, which are most of a database. Other entries stay uncompressed, even if
 * several resources or moves make the core long, because compressing a kilobyte costs more than the rest of the
 * write.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The fewest characters of core and payload that are compressed. */
const leastPacked = 1_500;
/** The fewest characters of a payload that is compressed. */
const leastPayload = 400;

/** Separator of core, payload and context; none of them contains it. */
const between = '\n';

/**
 * Compression dictionary of frequent texts. It must never change, because existing data needs it: another dictionary
 * needs another `version`, the first byte of the packed data.
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
/** Initial output buffer. The default of 16 KiB costs a quarter of the time. */
const chunkSize = 4_080;
const deflating = { level: 6, memLevel: 5, windowBits: 12, dictionary, chunkSize };
/** Bounds the output, because the data may be foreign. */
const inflating = { windowBits: 12, dictionary, chunkSize, maxOutputLength: 64 * 1024 * 1024 };

/**
 * Compresses the texts; undefined if they should be stored uncompressed.
 * @param context context of a resource that the entry creates, most of which repeats the payload
 */
export function packed(core: string, payload: string, context?: string): Uint8Array | undefined {
  if (payload.length < leastPayload || core.length + payload.length < leastPacked) return undefined;
  const text = (context === undefined ? [core, payload] : [core, payload, context]).join(between);
  return Buffer.concat([Buffer.of(version), deflateRawSync(text, deflating)]);
}

export type Texts = readonly [core: string, payload: string, context: string];

/** Decompresses. Damaged data gives invalid texts instead of an error, so that an audit can name the entry. */
export function unpacked(bytes: Uint8Array): Texts {
  let text = '';
  try {
    if (bytes[0] === version) text = inflateRawSync(bytes.subarray(1), inflating).toString();
  } catch {
    // Ignored: the text differs from its hash then, which every verification detects.
  }
  const [core = '', payload = '', context = ''] = text.split(between);
  return [core, payload, context];
}
