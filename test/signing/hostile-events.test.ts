/** Events that are not what they should be: each is refused with its code, and nothing changes. */
import { expect } from 'chai';
import { actions } from '../../packages/client/src/signing/actions.js';
import type { Code } from '../../src/core/refusal.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { bareDid, didWith, hex, jcs, OwnKey } from '../node/support/independent.js';
import { signedBy } from '../node/support/independent-signing.js';
import { dataset, infoPath } from '../node/support/market.js';
import { nodeForSuite } from '../node/support/node.js';

const events = '/api/v1/events';
/** The order of Ed25519's group. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n;

const without = (whole: Body, name: string): Body =>
  Object.fromEntries(Object.entries(whole).filter(([each]) => each !== name));
const leafOf = (value: unknown, salt = '5a'.repeat(16)): Body => {
  const text = Buffer.from(jcs(value));
  return { leaf: hex(Buffer.concat([Buffer.from(salt, 'hex'), text])), size: text.length, salt };
};
const withS = (sig: string, change: (s: bigint) => bigint): string => {
  const bytes = Buffer.from(sig, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`);
  const other = Buffer.from(change(s).toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url');
};

const shownContent = { format: 'text/plain', encoding: 'utf8', size: 9, hash: hex('plain') };

describe('A hostile event', () => {
  const node = nodeForSuite();
  let own: OwnKey;
  let ben: Body;
  let prepared: Body;

  const submit = (body: Body, headers?: { [name: string]: string }): Promise<Reply> =>
    node().client.post(events, body, headers);
  const prepare = async (path: string, body: Body): Promise<Body> =>
    expectStatus(await node().client.post(path, { did: own.did, prepare: true, ...body })).prepared;
  const transfer = (more: Body = {}) =>
    prepare('/api/v1/transfers', { to: ben.did, amount: 5, memo: 'thanks', most: 5, ...more });
  /** Signed as it is. */
  const signed = (change: Body = {}, key = own): Body => signedBy(key, { ...prepared, ...change });
  const withEvent = (change: Body): Body => signed({ event: { ...prepared.event, ...change } });
  const withPayload = (change: Body): Body => signed({ payload: { ...prepared.payload, ...change } });
  const withInput = (change: Body): Body => withPayload({ input: { ...prepared.payload.input, ...change } });
  /** Changed after it was signed. */
  const forged = (change: Body): Body => {
    const whole = signed();
    return { ...whole, event: { ...whole.event, ...change } };
  };
  const refused = async (body: Body, code: Code, headers?: { [name: string]: string }): Promise<Body> => {
    const before = await node().state();
    const problem = expectProblem(await submit(body, headers), code);
    expect(await node().state()).to.deep.equal(before);
    return problem;
  };

  beforeEach(async () => {
    own = OwnKey.fresh();
    ben = await node().person();
    await node().fund(own, 50);
    prepared = await transfer();
  });
  afterEach(async () => {
    expectStatus(await submit(signedBy(own, await transfer())));
  });

  const table: { readonly [title: string]: readonly [string, Code, () => Body][] } = {
    'of another form': [
      ...['v', 'type', 'issuer', 'home', 'network', 'nonce', 'prev', 'ts', 'pub', 'until'].map(
        (name): [string, Code, () => Body] => [
          `without ${name}`,
          'INVALID_REQUEST',
          () => signed({ event: without(prepared.event, name) }),
        ],
      ),
      ...['payloadHash', 'hash', 'sig'].map((name): [string, Code, () => Body] => [
        `without ${name}`,
        'INVALID_REQUEST',
        () => {
          const whole = signed();
          return { ...whole, event: without(whole.event, name) };
        },
      ]),
      ...['kind', 'id', 'action', 'input'].map((name): [string, Code, () => Body] => [
        `whose payload has no ${name}`,
        'INVALID_REQUEST',
        () => ({ ...signed(), payload: without(prepared.payload, name) }),
      ]),
      ['alone', 'INVALID_REQUEST', () => without(signed(), 'payload')],
      ['that is left out', 'INVALID_REQUEST', () => without(signed(), 'event')],
      ['that is a list', 'INVALID_REQUEST', () => ({ ...signed(), event: [] })],
      ['with a further member', 'INVALID_REQUEST', () => withEvent({ note: 1 })],
      ['for another', 'INVALID_REQUEST', () => withEvent({ for: ben.did })],
      ['under a grant', 'INVALID_REQUEST', () => withEvent({ under: 'grant-1' })],
      ['beside a further member', 'INVALID_REQUEST', () => ({ ...signed(), note: 1 })],
      ['with a passphrase', 'INVALID_REQUEST', () => ({ ...signed(), passphrase: 'my secret' })],
      ['whose payload has a further member', 'INVALID_REQUEST', () => withPayload({ note: 1 })],
      ['whose input has a further member', 'INVALID_REQUEST', () => withInput({ note: 1 })],
      ['whose input has a member of every object', 'INVALID_REQUEST', () => withInput({ constructor: 1 })],
      ['of version 2', 'INVALID_REQUEST', () => withEvent({ v: 2 })],
      ['with an amount in a text', 'INVALID_REQUEST', () => withInput({ amount: '5' })],
      ['with an amount between integers', 'INVALID_REQUEST', () => withInput({ amount: 5.5 })],
      ['to a DID in its other spelling', 'INVALID_REQUEST', () => withInput({ to: bareDid(ben.did) })],
      ['by a DID in its other spelling', 'INVALID_REQUEST', () => withEvent({ issuer: bareDid(own.did) })],
      ['without its recipient', 'INVALID_REQUEST', () => signed({ payload: lackingTo(prepared.payload) })],
      ['with an id that it does not make', 'INVALID_REQUEST', () => withPayload({ ids: { escrow: 'esc-1' } })],
      ['that names another account', 'TRANSFER_NOT_ALLOWED', () => withPayload({ id: ben.did })],
    ],
    'with the wrong hash or signature': [
      ['that has another nonce', 'INVALID_REQUEST', () => forged({ nonce: 2 })],
      ['that has another hash', 'INVALID_REQUEST', () => forged({ hash: 'ab'.repeat(32) })],
      ['whose hash is in capitals', 'INVALID_REQUEST', () => forged({ hash: signed().event.hash.toUpperCase() })],
      [
        'that has another payload',
        'INVALID_REQUEST',
        () => ({ ...signed(), payload: withInput({ amount: 4 }).payload }),
      ],
      ['of another key', 'TRANSFER_NOT_ALLOWED', () => signed({}, OwnKey.fresh())],
      ['with a signature of zeros', 'TRANSFER_NOT_ALLOWED', () => forged({ sig: 'A'.repeat(86) })],
      [
        'with a signature above the order of the group',
        'TRANSFER_NOT_ALLOWED',
        () => forged({ sig: withS(signed().event.sig, (s) => s + order) }),
      ],
      [
        'with another spelling of its signature',
        'TRANSFER_NOT_ALLOWED',
        () => forged({ sig: respelt(signed().event.sig) }),
      ],
      ['with the public key of another', 'TRANSFER_NOT_ALLOWED', () => withEvent({ pub: hex('another') })],
      ['of another issuer', 'TRANSFER_NOT_ALLOWED', () => withEvent({ issuer: ben.did })],
      ['by a key of small order', 'DID_INVALID', () => withEvent(ofKey(Buffer.from([1, ...Array(31).fill(0)])))],
      ['by a key beyond the field', 'DID_INVALID', () => withEvent(ofKey(Buffer.alloc(32, 0xff)))],
    ],
    'for another place, time or state': [
      ['of another network', 'UNPROCESSABLE', () => withEvent({ network: 'testnet' })],
      ['of another home', 'UNPROCESSABLE', () => withEvent({ home: own.did })],
      ['that ends before it begins', 'INVALID_REQUEST', () => withEvent({ until: prepared.event.ts - 1 })],
      ['that lives too long', 'INVALID_REQUEST', () => withEvent({ until: prepared.event.ts + 600_001 })],
      [
        'of long ago',
        'INVALID_REQUEST',
        () => withEvent({ ts: prepared.event.ts - 700_000, until: prepared.event.ts }),
      ],
      [
        'of the future',
        'INVALID_REQUEST',
        () => withEvent({ ts: prepared.event.ts + 700_000, until: prepared.event.ts + 800_000 }),
      ],
      ['that may cost less than it does', 'CONFLICT', () => withEvent({ most: 4 })],
      ['with a nonce far ahead', 'CONFLICT', () => withEvent({ nonce: 1_000 })],
      ['with a hash before its first', 'CONFLICT', () => withEvent({ prev: 'ab'.repeat(32) })],
      ['of another type', 'CONFLICT', () => withEvent({ type: 'escrow.created' })],
      ['of more than is there', 'INSUFFICIENT_BALANCE', () => withInput({ amount: 51 })],
    ],
    'of an unknown kind': [
      ...['none', 'constructor', '__proto__', 'toString'].map((kind): [string, Code, () => Body] => [
        kind,
        'NOT_FOUND',
        () => withPayload({ kind }),
      ]),
      ...['none', 'constructor', '__proto__', 'toString'].map((action): [string, Code, () => Body] => [
        `account.${action}`,
        'UNPROCESSABLE',
        () => withPayload({ action }),
      ]),
    ],
    'with the wrong leaves': [
      ['none', 'INVALID_REQUEST', () => without(signed(), 'leaves')],
      ['of another salt', 'INVALID_REQUEST', () => ({ ...signed(), leaves: { '/memo': leafOf('thanks') } })],
      ['of another text', 'INVALID_REQUEST', () => ({ ...signed(), leaves: { '/memo': leafOf('no') } })],
      ['with another hash', 'INVALID_REQUEST', () => withLeaf({ leaf: 'ab'.repeat(32) })],
      ['with another size', 'INVALID_REQUEST', () => withLeaf({ size: 7 })],
      ['of a short salt', 'INVALID_REQUEST', () => ({ ...signed(), leaves: { '/memo': leafOf('thanks', '5a') } })],
      [
        'without salt',
        'INVALID_REQUEST',
        () => ({ ...signed(), leaves: { '/memo': without(leafOf('thanks'), 'salt') } }),
      ],
      [
        'that is erased',
        'INVALID_REQUEST',
        () => ({ ...signed(), leaves: { '/memo': { ...leafOf('thanks'), erased: true } } }),
      ],
      ['that is no leaf', 'INVALID_REQUEST', () => ({ ...signed(), leaves: { '/memo': null } })],
      [
        'in the place of an amount',
        'INVALID_REQUEST',
        () => signed({ leaves: { ...prepared.leaves, '/amount': leafOf(5) } }),
      ],
      ['for nothing', 'INVALID_REQUEST', () => signed({ leaves: { ...prepared.leaves, '/none': leafOf(5) } })],
      [
        'that is a reference where the text should be',
        'INVALID_REQUEST',
        () => {
          const { leaf, size } = prepared.leaves['/memo'];
          const payload = { ...prepared.payload, input: { ...prepared.payload.input, memo: { leaf, size } } };
          return { ...signed({ payload, leaves: {} }) };
        },
      ],
    ],
    'with contents that it does not name': [
      ['any', 'INVALID_REQUEST', () => ({ ...signed(), contents: [{ dataBase64: 'AAAA' }] })],
      ['that are no base64', 'INVALID_REQUEST', () => ({ ...signed(), contents: [{ dataBase64: '?' }] })],
      ['that are none', 'INVALID_REQUEST', () => ({ ...signed(), contents: [null] })],
    ],
  };
  for (const [title, cases] of Object.entries(table)) {
    describe(title, () => {
      for (const [name, code, make] of cases) it(`${name}: ${code}`, () => refused(make(), code));
    });
  }

  const withLeaf = (change: Body): Body => ({
    ...signed(),
    leaves: { '/memo': { ...prepared.leaves['/memo'], ...change } },
  });
  const lackingTo = (payload: Body): Body => ({ ...payload, input: without(payload.input, 'to') });
  const respelt = (sig: string): string => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return sig.slice(0, -1) + alphabet[alphabet.indexOf(sig.at(-1)!) + 1];
  };
  const ofKey = (key: Buffer): Body => ({ issuer: didWith(key), pub: key.toString('hex') });

  it('in a text with a second meaning is refused', async () => {
    const text = JSON.stringify(signed());
    const at = (part: string, other: string) => {
      expect(text).to.include(part);
      return text.replace(part, other);
    };
    await refused(at('"amount":5', '"amount":5.0000000000000000001'), 'INVALID_REQUEST');
    await refused(at('"amount":5', '"amount":4,"amount":5'), 'INVALID_REQUEST');
    await refused(at('"nonce":1', '"nonce":2,"nonce":1'), 'INVALID_REQUEST');
    for (const name of ['{"event":{', '"payload":{', '"input":{', '"leaves":{'])
      await refused(at(name, `${name}"__proto__":{"amount":6},`), 'INVALID_REQUEST');
    await refused(at('"memo":"thanks"', '"memo":"\\ud800"'), 'INVALID_REQUEST');
  });

  it('with contents that only a text names is refused: they would be stored for ever', async () => {
    const bytes = Buffer.alloc(10_000, 7);
    prepared = await transfer({ memo: hex(bytes) });
    await refused({ ...signed(), contents: [{ dataBase64: bytes.toString('base64') }] }, 'INVALID_REQUEST');
    expect(await node().store.content(hex(bytes))).to.equal(undefined);
  });

  it('that asks for what no caller may is refused, whatever its kind', async () => {
    const open = new Set(Object.values(actions).flatMap((all) => all.map(({ kind, action }) => `${kind}.${action}`)));
    const all = Object.values(catalogue.definitions).flatMap(({ kind, form, actions: own }) =>
      [...(form === 'machine' ? ['create'] : []), ...Object.keys(own)].map((action) => [kind, action] as const),
    );
    const closed = all.filter(([kind, action]) => !open.has(`${kind}.${action}`));
    expect(closed.map((each) => each.join('.'))).to.include.members(['account.mint', 'info-listing.expire']);
    for (const [kind, action] of closed) await refused(withPayload({ kind, action }), 'UNPROCESSABLE');
  });

  it('after its time, of a past nonce or of a past hash is refused with the next nonce', async () => {
    expectStatus(await submit(signed()));
    const first = prepared;
    prepared = await transfer();
    for (const past of [{ nonce: 1 }, { prev: null }, { prev: 'ab'.repeat(32) }, { nonce: 1, prev: null }])
      expect((await refused(withEvent(past), 'CONFLICT')).nextNonce).to.equal(2);
    prepared = { ...first, event: { ...first.event, until: first.event.until - 1 } };
    expect((await refused(signed(), 'CONFLICT')).nextNonce).to.equal(2);
    prepared = await transfer();
    const late = withEvent({ until: prepared.event.ts });
    node().world.outrun(5);
    await refused(late, 'CONFLICT');
  });

  it('whose state has changed meanwhile is refused, and would have another type', async () => {
    const body = { beneficiary: ben.did, amount: 5, autoFund: true, releaseRules: [{ type: 'manual' }] };
    const { escrowId } = expectStatus(await submit(signedBy(own, await prepare('/api/v1/escrows', body))), 201);
    const path = `/api/v1/escrows/${escrowId}/actions/release`;
    prepared = await prepare(path, { amount: 2 });
    expectStatus(await submit(signed()));
    prepared = await prepare(path, { amount: 3 });
    // All of it is released now: the state it was signed for has passed.
    await refused(withEvent({ type: 'escrow.partially-released' }), 'CONFLICT');
    expectStatus(await submit(signed()));
  });

  it('ten times at once is one entry, and one reply', async () => {
    const { head } = await node().state();
    const replies = await Promise.all(Array.from({ length: 10 }, () => submit(signed())));
    expect(new Set(replies.map(({ text }) => text))).to.have.lengthOf(1);
    expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).to.have.lengthOf(1);
    expect((await node().state()).head.seq).to.equal(head.seq + 1);
    // Its hash is no excuse for another payload.
    await refused({ ...signed(), payload: withInput({ amount: 4 }).payload }, 'INVALID_REQUEST');
    await refused({ ...signed(), leaves: { '/memo': leafOf('thanks') } }, 'INVALID_REQUEST');
  });

  it('by a caller whose API key is bound to another DID, or only reads, is refused', async () => {
    const bound = await node().key({ scope: 'write', did: ben.did });
    await refused(signed(), 'FORBIDDEN', { 'X-Api-Key': bound.key });
    const reader = await node().key({ scope: 'read' });
    await refused(signed(), 'FORBIDDEN', { 'X-Api-Key': reader.key });
    expectStatus(await submit(signed(), { 'X-Api-Key': (await node().key({ scope: 'write', did: own.did })).key }));
  });

  it('again by somebody else shows them what they may see', async () => {
    const provider = await node().person();
    const { example } =
      catalogue.definitions.contract!.form === 'machine' ? catalogue.definitions.contract!.create : never();
    const terms = { ...(example as Body), provider: provider.did };
    const written = signedBy(own, await prepare('/api/v1/contracts', terms));
    const made = expectStatus(await submit(written), 201);
    expect(made).to.include.keys('terms', 'salt');
    const again = expectStatus(await submit(written), 201);
    expect(again.contractId).to.equal(made.contractId);
    expect(again).not.to.have.any.keys('terms', 'salt');
    const theirs = await node().key({ scope: 'write', did: own.did });
    expect(expectStatus(await submit(written, { 'X-Api-Key': theirs.key }), 201)).to.include.keys('terms', 'salt');
  });

  it('about a private listing finds none, unless its seller has signed it', async () => {
    const written = signedBy(own, await prepare(infoPath, dataset({ content: shownContent, visibility: 'private' })));
    const { listingId } = expectStatus(await submit(written), 201);
    const path = `${infoPath}/${listingId}/actions/pause`;
    const asked = (did: string, headers?: { [name: string]: string }) =>
      node().client.post(path, { did, prepare: true }, headers);
    for (const did of [own.did, ben.did]) expectProblem(await asked(did), 'LISTING_NOT_FOUND');
    const sellers = { 'X-Api-Key': (await node().key({ scope: 'write', did: own.did })).key };
    prepared = expectStatus(await asked(own.did, sellers)).prepared;
    // Somebody else signs the same.
    const other = OwnKey.fresh();
    const { event } = await transfer();
    const theirs = { ...event, ...{ issuer: other.did, pub: other.publicKey.toString('hex'), nonce: 1, prev: null } };
    const hidden = await refused(
      signedBy(other, { ...prepared, event: { ...theirs, type: prepared.event.type } }),
      'LISTING_NOT_FOUND',
    );
    const unknown = { ...prepared.payload, id: 'lst-unknown' };
    const absent = await refused(
      signedBy(other, { ...prepared, payload: unknown, event: theirs }),
      'LISTING_NOT_FOUND',
    );
    expect(hidden.detail.replace(listingId, '')).to.equal(absent.detail.replace('lst-unknown', ''));
    const paused = signed();
    expect(expectStatus(await submit(paused)).title).to.equal(dataset().title);
    // The same events again, by somebody who is not the seller.
    for (const again of [await submit(written), await submit(paused)])
      expect(again.text).not.to.include(dataset().title);
  });

  it('without the content that it sells is refused', async () => {
    const bytes = Buffer.from('encrypted');
    const envelope = {
      algorithm: 'X25519-HKDF-SHA256-AES-256-GCM',
      ...{ senderPublicKeyHex: hex('a'), nonceHex: '0'.repeat(24), ciphertextHex: '00', tagHex: '0'.repeat(32) },
    };
    const shown = {
      algorithm: 'AES-256-GCM',
      ...{ contentHash: hex('plain'), hashAlgorithm: 'SHA-256-SALTED', size: 9, encoding: 'utf8' },
      ...{ nonceHex: '0'.repeat(24), tagHex: '0'.repeat(32), ciphertextHash: hex(bytes), keptKey: envelope },
    };
    prepared = await prepare(infoPath, dataset({ content: shownContent, package: shown }));
    await refused(signed(), 'UNPROCESSABLE');
    const other = [{ dataBase64: Buffer.from('other').toString('base64') }];
    await refused({ ...signed(), contents: other }, 'UNPROCESSABLE');
    expectStatus(await submit({ ...signed(), contents: [{ dataBase64: bytes.toString('base64') }] }), 201);
  });

  it('without what its route would add is refused', async () => {
    const { listingId } = expectStatus(
      await node().client.post(infoPath, dataset({ did: ben.did, passphrase: ben.passphrase, nonce: 1 })),
      201,
    );
    prepared = await prepare(`${infoPath}/${listingId}/actions/purchase`, {});
    const input = without(prepared.payload.input, 'buyerPublicKeyHex');
    expect((await refused(withPayload({ input }), 'CONFLICT')).detail).to.include('payload.input.buyerPublicKeyHex');
    expectStatus(await submit(signed()), 201);
  });

  it('that is not in its normal form is told which member is not', async () => {
    expect((await refused(withInput({ to: bareDid(ben.did) }), 'INVALID_REQUEST')).detail).to.include(
      'payload.input.to',
    );
    expect((await refused(withInput({ note: 1 }), 'INVALID_REQUEST')).detail).to.include('payload.input.note');
    const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }], amount: 1, autoFund: true };
    const escrow = expectStatus(await submit(signedBy(own, await prepare('/api/v1/escrows', rules))), 201);
    prepared = await prepare(`/api/v1/escrows/${escrow.escrowId}/actions/release`, { amount: 1 });
    const { detail } = await refused(withInput({ evidence: null }), 'INVALID_REQUEST');
    expect(detail).to.include('payload.input.evidence');
  });

  it('that shows a secret is refused', async () => {
    const shown = await node().client.post(
      infoPath,
      dataset({ did: own.did, prepare: true, content: { data: 'secret' } }),
    );
    expectProblem(shown, 'INVALID_REQUEST');
    expect(shown.text).not.to.include('"secret"');
    prepared = await prepare(infoPath, dataset({ content: shownContent }));
    await refused(withInput({ content: { data: 'secret' } }), 'INVALID_REQUEST');
  });
});

const never = (): never => expect.fail('no such kind');
