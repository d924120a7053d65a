/** What the client signs is what docs/generated/journal-vectors.json says (docs/signing.md#what-is-signed). */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { realEnvironment } from '../../packages/client/src/environment.js';
import { Http } from '../../packages/client/src/http.js';
import { type HeldKey, keys } from '../../packages/client/src/signing/key.js';
import { openedDelivery, openedLease } from '../../packages/client/src/signing/opening.js';
import { packaged, unwrapped } from '../../packages/client/src/signing/sealing.js';
import { Writes } from '../../packages/client/src/writes.js';
import { isRefusal } from '../../src/core/refusal.js';
import { signerOfPresented } from '../../src/keys/presented.js';
import type { Body } from '../node/support/client.js';
import { OwnKey } from '../node/support/independent.js';
import { signedBy } from '../node/support/independent-signing.js';

const { keys: known, signing } = JSON.parse(readFileSync('docs/generated/journal-vectors.json', 'utf8')) as Body;
const { seed, did } = known.find(({ name }: Body) => name === 'ada');

/** Answers what it is told to, by path, and keeps what it was sent. */
function talking(answers: { readonly [path: string]: Body }, sent: Body[] = []): Http {
  const environment = {
    ...realEnvironment,
    now: () => signing.now,
    fetch: async (url: string, init: RequestInit) => {
      const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
      const path = new URL(url).pathname.replace('/api/v1', '');
      if (body) sent.push(body);
      const answer = path === '/events' ? { eventHash: body.event.hash } : answers[path];
      return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
    },
  };
  return new Http({ url: 'http://node.example', readTimeoutMs: 1_000, writeTimeoutMs: 1_000, environment });
}

describe('Vectors of what is signed', () => {
  const { home, network } = signing;
  let key: HeldKey;
  before(async () => {
    key = await keys.fromSeed(Buffer.from(seed, 'hex'));
    expect(key.did).to.equal(did);
  });

  for (const { name, request, prepared, inner, message, write } of signing.writes) {
    it(`the client makes and the node takes: ${name}`, async () => {
      const signed: string[] = [];
      const noting = {
        ...key,
        sign: (bytes: Uint8Array) => {
          signed.push(Buffer.from(bytes).toString());
          return key.sign(bytes);
        },
      };
      const sent: Body[] = [];
      const http = talking({ '/node': { home, network }, [decodeURIComponent(request.path)]: { prepared } }, sent);
      await new Writes(http, { key: noting }).signed(request.path, request.body, request.bounds);
      const [asked, submitted] = sent;
      expect(asked).to.include({ did, prepare: true, ...request.bounds });
      expect(submitted).to.deep.equal(write);
      expect(signed.at(-1)).to.equal(message);
      if (inner !== undefined) expect(signed).to.include(inner);
      expect(isRefusal(signerOfPresented(write.event, undefined))).to.equal(false);
    });

    it(`another program makes: ${name}`, () => {
      const made = signedBy(OwnKey.of(Buffer.from(seed, 'hex')), { ...prepared, payload: write.payload });
      expect(made.event).to.deep.equal(write.event);
    });
  }

  it('the client opens a content', async () => {
    for (const each of signing.contents) {
      expect(key.agreement!.publicKeyHex).to.equal(each.receiverPublicKeyHex);
      const { contentHash, keyEnvelope } = each;
      const record = { listingId: 'lst-1', contentHash, hashAlgorithm: 'SHA-256-SALTED', keyEnvelope };
      const http = talking({
        '/markets/info/orders/ord-1/delivery': { ...record, accessTokenEnvelope: null, accessUrlEnvelope: null },
        '/markets/info/lst-1/content': { ...each, encoding: 'utf8', size: each.ciphertextHex.length / 2 },
      });
      const opened = await openedDelivery(http, key, 'ord-1');
      const { content, contentKeyHex, contentSaltHex } = each;
      expect(opened).to.include({ content, contentKeyHex, contentSaltHex, contentHash });
    }
  });

  it('the client seals a content as they say, and keeps its key for its seller', async () => {
    for (const { content, receiverPublicKeyHex, drawn, ...each } of signing.contents) {
      const [contentKey, nonce] = drawn.map((bytes: string) => Buffer.from(bytes, 'hex'));
      const draws = [contentKey, nonce, nonce];
      const made = await packaged(new Uint8Array(Buffer.from(content)), 'utf8', receiverPublicKeyHex, () =>
        draws.shift(),
      );
      const { keptKey, ...said } = made.package;
      const { contentHash, ciphertextHash, nonceHex, tagHex } = each;
      expect(said).to.deep.include({ contentHash, ciphertextHash, nonceHex, tagHex, size: content.length });
      expect(Buffer.from(made.ciphertext).toString('hex')).to.equal(each.ciphertextHex);
      expect(made.contentKeyHex).to.equal(each.contentKeyHex);
      expect(Buffer.from(await unwrapped(keptKey, key.agreement!)).toString('hex')).to.equal(each.contentKeyHex);
    }
  });

  it('the client opens credentials', async () => {
    for (const { credentials, credentialsEnvelope } of signing.credentials) {
      const http = talking({ '/markets/capabilities/leases/lease-1': { credentialsEnvelope } });
      const expected = { leaseId: 'lease-1', credentials };
      expect(await openedLease(http, key, 'lease-1')).to.deep.equal(expected);
    }
  });
});
