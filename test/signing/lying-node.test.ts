/** A node that lies to somebody who signs with their own key: nothing is signed that was not asked for. */
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { ApiError, SigningError } from '../../packages/client/src/errors.js';
import { type HeldKey, keys } from '../../packages/client/src/signing/key.js';
import type { KeyCredentials, SignedWrite } from '../../packages/client/src/signing/key-writes.js';
import { UnexpectedPayload } from '../../packages/client/src/signing/prepared.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { hex, jcs } from '../node/support/independent.js';
import { nodeForSuite } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';

/** Changes what a node answers; undefined: as it is. Throws for a broken connection. */
type Lie = (path: string, body: Body, answer: () => Promise<Response>) => Promise<Response> | undefined;
type Change = (prepared: Body, whole: Body) => void;

const json = (body: Body, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

/** Changes what is prepared. */
const preparing =
  (change: Change): Lie =>
  (_, body, answer) =>
    body?.prepare
      ? answer().then(async (response) => {
          const whole = (await response.json()) as Body;
          change(whole.prepared, whole);
          return json(whole);
        })
      : undefined;

const refused = (nextNonce?: number): Response =>
  json({ error: { code: 'CONFLICT', message: '' }, detail: 'no', code: 'CONFLICT', nextNonce }, 409);

/** Refuses what the client has built, and changes what is prepared. */
const insisting =
  (change: Change): Lie =>
  (path, body, answer) =>
    path.endsWith('/events') ? Promise.resolve(refused()) : preparing(change)(path, body, answer);

const leafOf = (value: unknown, salt = '5a'.repeat(16)): Body => {
  const text = Buffer.from(jcs(value));
  return { leaf: hex(Buffer.concat([Buffer.from(salt, 'hex'), text])), size: text.length, salt };
};

/** Of each value in a JSON, how it is reached. */
function placesIn(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [at, ...members.flatMap(([name, member]) => placesIn(member, [...at, name]))];
}

/** A copy with another value at a place; without one, if that is undefined. */
function withAt(whole: Body, place: readonly string[], value: unknown): Body {
  const [name, ...rest] = place;
  if (name === undefined) return value as Body;
  const copy: Body = Array.isArray(whole) ? [...whole] : { ...whole };
  copy[name] = withAt(whole[name], rest, value);
  return copy;
}

describe('A lying node', () => {
  const node = nodeForSuite();
  let key: HeldKey;
  let ben: Person;
  let lie: Lie | undefined;
  let signatures: number;
  let kept: SignedWrite[];

  beforeEach(async () => {
    const held = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
    const sign: HeldKey['sign'] = (message) => {
      if (!Buffer.from(message).toString().startsWith('svc:reader:v1:')) signatures += 1;
      return held.sign(message);
    };
    key = { ...held, sign };
    ben = await node().person();
    await node().fund(key, 100);
    [lie, signatures, kept] = [undefined, 0, []];
  });

  const clientOf = (more: Partial<KeyCredentials> = {}): Client =>
    new Client({
      url: node().url,
      signer: {
        key,
        outbox: {
          put: async (write) => void kept.push(write),
          drop: async (write) => void kept.splice(kept.indexOf(write), 1),
        },
        ...more,
      },
      environment: { wait: async () => {}, now: () => node().world.now() },
      fetch: async (url, init) => {
        const answer = () => fetch(url, init);
        const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
        return (await lie?.(new URL(url).pathname, body, answer)) ?? answer();
      },
    });
  const pay = (client: Client, amount = 5, options = {}) =>
    client.wallets.transfer({ to: ben.did, amount, memo: 'thanks' }, options);
  const failure = (asked: Promise<unknown>): Promise<Body> =>
    asked.then(
      () => expect.fail('it was accepted'),
      (error: unknown) => error,
    );
  const has = async (who: { readonly did: string }) =>
    expectStatus(await node().client.get(`/api/v1/wallets/${who.did}`)).available;
  /** Signs nothing but what the client has built. @param path a member that differs */
  const signsNone = async (asked: Promise<unknown>, path: string, built = 0) => {
    const before = signatures + built;
    const error = await failure(asked);
    expect(error, String(error)).to.be.instanceOf(UnexpectedPayload);
    expect(error.paths).to.include(path);
    expect(signatures, 'signatures').to.equal(before);
  };

  const lies: { readonly [path: string]: readonly (readonly [string, Change])[] } = {
    'payload.kind': [['another kind', ({ payload }) => Object.assign(payload, { kind: 'escrow' })]],
    'payload.action': [['another action', ({ payload }) => Object.assign(payload, { action: 'withdraw' })]],
    'payload.id': [['another account', ({ payload }) => Object.assign(payload, { id: ben.did })]],
    'payload.ids': [['what it makes', ({ payload }) => Object.assign(payload, { ids: { escrow: 'esc-1' } })]],
    'payload.note': [['a further member', ({ payload }) => Object.assign(payload, { note: 1 })]],
    'payload.input.amount': [
      ['another amount', ({ payload }) => Object.assign(payload.input, { amount: 50 })],
      ['its amount in a text', ({ payload }) => Object.assign(payload.input, { amount: '5' })],
      ['no amount', ({ payload }) => delete payload.input.amount],
    ],
    'payload.input.to': [['another recipient', ({ payload }) => Object.assign(payload.input, { to: node().did })]],
    'payload.input.memo': [['no memo', ({ payload }) => delete payload.input.memo]],
    'payload.input.fee': [['a fee', ({ payload }) => Object.assign(payload.input, { fee: 20 })]],
    'payload.input.__proto__': [
      [
        'a member without a name',
        ({ payload }) => Object.assign(payload, { input: JSON.parse(`{"__proto__":1,${jcs(payload.input).slice(1)}`) }),
      ],
    ],
    'leaves/memo': [
      ['the leaf of another text', ({ leaves }) => Object.assign(leaves, { '/memo': leafOf('no') })],
      ['a leaf of another salt', ({ leaves }) => Object.assign(leaves['/memo'], { salt: '5a'.repeat(16) })],
      ['a leaf of no salt', ({ leaves }) => delete leaves['/memo'].salt],
      ['a leaf of another size', ({ leaves }) => Object.assign(leaves['/memo'], { size: 1 })],
    ],
    'leaves/amount': [['a leaf for an amount', ({ leaves }) => Object.assign(leaves, { '/amount': leafOf(5) })]],
    'leaves/none': [['a leaf for nothing', ({ leaves }) => Object.assign(leaves, { '/none': leafOf(5) })]],
    signs: [
      ['another text to sign', (prepared) => Object.assign(prepared, { signs: [{ at: '/signature', message: '00' }] })],
    ],
    'event.v': [['another version', ({ event }) => Object.assign(event, { v: 4 })]],
    'event.type': [['another type', ({ event }) => Object.assign(event, { type: 'a "quoted" type' })]],
    'event.issuer': [['another issuer', ({ event }) => Object.assign(event, { issuer: ben.did })]],
    'event.pub': [['another key', ({ event }) => Object.assign(event, { pub: '00'.repeat(32) })]],
    'event.nonce': [
      ['a nonce of the past', ({ event }) => Object.assign(event, { nonce: 0 })],
      ['a nonce in a text', ({ event }) => Object.assign(event, { nonce: '1' })],
    ],
    'event.prev': [
      ['an event before the first', ({ event }) => Object.assign(event, { prev: 'ab'.repeat(32) })],
      ['none before the second', ({ event }) => Object.assign(event, { nonce: 2 })],
    ],
    'event.ts': [
      ['a time of yesterday', ({ event }) => Object.assign(event, { ts: event.ts - 86_400_000 })],
      ['a time of tomorrow', ({ event }) => Object.assign(event, { ts: event.ts + 86_400_000 })],
    ],
    'event.until': [
      ['no end', ({ event }) => delete event.until],
      ['a late end', ({ event }) => Object.assign(event, { until: event.ts + 86_400_000 })],
    ],
    'event.most': [
      ['another bound', ({ event }) => Object.assign(event, { most: 50 })],
      ['no bound', ({ event }) => delete event.most],
    ],
    'event.for': [['whom it is for', ({ event }) => Object.assign(event, { for: ben.did })]],
  };
  for (const [path, all] of Object.entries(lies)) {
    for (const [name, change] of all) {
      it(`with ${name} gets no signature: ${path}`, async () => {
        lie = preparing(change);
        await signsNone(pay(clientOf(), 5, { most: 5 }), path);
        lie = undefined;
        await pay(clientOf(), 5, { most: 5 });
        expect(await has(ben)).to.equal(5);
      });
    }
  }

  it('that speaks for another home or network gets no signature', async () => {
    const client = clientOf();
    await pay(client);
    lie = insisting(({ event }) => Object.assign(event, { home: ben.did }));
    await signsNone(pay(client), 'event.home', 1);
    lie = insisting(({ event }) => Object.assign(event, { network: 'mainnet' }));
    await signsNone(pay(client), 'event.network', 1);
    lie = undefined;
    const before = signatures;
    // Though the same client has met the node before it was told the home.
    for (const other of [clientOf({ home: ben.did }), client.as({ key, home: ben.did })])
      expect((await failure(pay(other))).refusal).to.equal('UNAUTHORIZED');
    expect(signatures).to.equal(before);
    const blind: KeyCredentials = { key, home: ben.did };
    lie = (path, body) =>
      body?.prepare
        ? fetch(node().url + path, {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'Content-Type': 'application/json' },
          })
        : undefined;
    for (const other of [clientOf(blind), client.as(blind)]) await signsNone(pay(other), 'event.home');
  });

  it('that shows a cheaper outcome cannot take more than the bound', async () => {
    const client = clientOf();
    lie = preparing((_, whole) => Object.assign(whole.outcome, { taken: 1 }));
    const body = { to: ben.did, amount: 50 };
    lie = (path, asked, answer) =>
      asked?.prepare
        ? answer().then(async () => {
            const { most: _, ...free } = asked;
            const whole = await fetch(node().url + path, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify(free),
            });
            const { prepared } = (await whole.json()) as Body;
            return json({ prepared: { ...prepared, event: { ...prepared.event, most: 4 } }, outcome: { taken: 1 } });
          })
        : undefined;
    const error = await failure(client.wallets.transfer(body, { most: 4 }));
    expect(error).to.be.instanceOf(ApiError);
    expect([error.refusal, await has(key)]).to.deep.equal(['CONFLICT', 100]);
  });

  it('with another time than the text says gets no signature', async () => {
    const after = new Date(node().world.now() + 86_400_000).toISOString();
    const hold = (rule: object) => {
      const escrow = { beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'time', after, ...rule }] };
      return clientOf().escrows.create(escrow as never);
    };
    lie = preparing(({ payload }) => Object.assign(payload.input.releaseRules[0], { after: Date.parse(after) + 1 }));
    await signsNone(hold({}), 'payload.input.releaseRules');
    lie = preparing(({ payload }) => Object.assign(payload.input.releaseRules[0], { id: 5 }));
    await signsNone(hold({ id: '5' }), 'payload.input.releaseRules');
  });

  it('that names an event before which is not its own gets no signature', async () => {
    const client = clientOf();
    await pay(client);
    await ben.pays(node().did, 1);
    const others = (await ben.wallet()).prev;
    lie = insisting(({ event }) => Object.assign(event, { prev: others }));
    await signsNone(pay(client), 'event.prev', 1);
    // A program that starts anew does not know its last event.
    await signsNone(pay(clientOf()), 'event.prev');
    lie = insisting(({ event }) => Object.assign(event, { nonce: 1, prev: null }));
    await signsNone(pay(client), 'event.nonce', 1);
    lie = insisting(({ event }) => Object.assign(event, { nonce: 7 }));
    await signsNone(pay(client), 'event.prev', 1);
    lie = undefined;
    await pay(clientOf());
  });

  it('that names another event of the same key and nonce gets no signature', async () => {
    const client = clientOf();
    const forged = await otherOf(client);
    await pay(client);
    lie = (path, body, answer) => {
      if (path.endsWith(forged.hash)) return Promise.resolve(json({ event: forged }));
      return insisting(({ event }) => Object.assign(event, { prev: forged.hash }))(path, body, answer);
    };
    await signsNone(pay(client), 'event.prev', 1);
  });

  /** An event that is signed and never sent. */
  async function otherOf(client: Client): Promise<Body> {
    let event: Body;
    lie = (path, body) => {
      if (!path.endsWith('/events')) return undefined;
      ({ event } = body);
      return Promise.resolve(json({ code: 'CONFLICT' }, 409));
    };
    await failure(pay(client, 7));
    lie = undefined;
    return event!;
  }

  it('that chooses an arbiter, ids or terms gets no signature', async () => {
    const definition = catalogue.definitions.contract!;
    const { example } = definition.form === 'machine' ? definition.create : expect.fail('no machine');
    const terms = { ...(example as Body), provider: ben.did };
    const client = clientOf();
    const draft = () => client.contracts.create(terms);
    lie = preparing(({ payload }) => Object.assign(payload.input, { networkArbiter: ben.did }));
    await signsNone(draft(), 'payload.input.networkArbiter');
    lie = preparing(({ payload }) => Object.assign(payload.input, { salt: '' }));
    await signsNone(draft(), 'payload.input.salt');
    lie = preparing(({ payload }) => Object.assign(payload, { id: 'esc-1' }));
    await signsNone(draft(), 'payload.id');
    lie = preparing(({ payload }) => Object.assign(payload.input.payment, { totalAmount: 1 }));
    await signsNone(draft(), 'payload.input.payment');
    lie = undefined;
    const { contractId, termsHash } = await draft();
    const sign = () => client.contracts.sign(contractId, { termsHash });
    for (const message of ['00', Buffer.from(`svc:event:v3:{}`).toString('hex')]) {
      lie = preparing((prepared) => Object.assign(prepared.signs[0], { message }));
      await signsNone(sign(), 'signs');
    }
    lie = preparing((prepared) => Object.assign(prepared.signs[0], { at: '/terms' }));
    await signsNone(sign(), 'signs');
    lie = preparing((prepared) => delete prepared.signs);
    await signsNone(sign(), 'signs');
    lie = undefined;
    expect((await sign()).signatures).to.have.lengthOf(1);
  });

  it('that says refused, and has committed it, cannot have it signed a second time', async () => {
    const client = clientOf();
    await pay(client, 1);
    lie = (path, _, answer) => (path.endsWith('/events') ? answer().then(() => refused(3)) : undefined);
    const error = await failure(pay(client));
    expect(error).to.be.instanceOf(UnexpectedPayload);
    expect(error.paths).to.deep.equal(['event.prev']);
    expect(signatures).to.equal(2);
    expect(await has(ben)).to.equal(6);
  });

  it('that says accepted, and has not committed it, is found out by the next write', async () => {
    const client = clientOf();
    await pay(client, 1);
    lie = (path, { event }) =>
      path.endsWith('/events')
        ? Promise.resolve(json({ eventHash: event.hash, amount: 5, status: 'pending' }))
        : undefined;
    await pay(client);
    lie = undefined;
    await signsNone(pay(client), 'event.nonce', 1);
    expect(await has(ben)).to.equal(1);
  });

  it('that refuses what was built, and commits it instead of what it has prepared, is found out', async () => {
    for (const isNoticed of ['by the reply', 'by the next write']) {
      const client = clientOf();
      await pay(client, 1);
      const before = await has(ben);
      const built: Body[] = [];
      lie = (path, body, answer) => {
        if (!path.endsWith('/events')) return undefined;
        if (built.push(body) === 1) return Promise.resolve(refused());
        if (isNoticed === 'by the next write')
          return submitted(built[0]).then(() => json({ eventHash: body.event.hash, amount: 5 }));
        return submitted(built[0]).then(answer);
      };
      const paid = pay(client);
      if (isNoticed === 'by the reply') expect((await failure(paid)).paths).to.deep.equal(['event.prev']);
      else await paid;
      expect(built[1].event.nonce).to.equal(built[0].event.nonce);
      lie = undefined;
      await signsNone(pay(client), 'event.prev', 1);
      expect(await has(ben)).to.equal(before + 5);
    }
  });

  it('that refuses one of several in flight, and commits it, has none signed a second time', async () => {
    for (const isLate of [false, true]) {
      const client = clientOf();
      await pay(client, 1);
      const before = await has(ben);
      let others: Promise<unknown>;
      lie = (path, body, answer) => {
        if (!path.endsWith('/events') || body.payload.input.amount !== 5) return undefined;
        // Its refusal comes after the others are accepted, or before.
        return answer().then(async () => {
          if (isLate) await others;
          return refused();
        });
      };
      const lied = pay(client, 5).then(
        () => expect.fail('it was accepted'),
        (error: unknown) => error,
      );
      others = Promise.allSettled([pay(client, 6), pay(client, 7)]);
      expect(await lied, String(await lied)).to.be.instanceOf(SigningError);
      await others;
      if (isLate) expect(await has(ben)).to.equal(before + 5 + 6 + 7);
      else expect(await has(ben)).to.be.at.most(before + 5 + 6 + 7);
      if (isLate) expect(kept.map(({ payload }) => payload.input.amount)).to.deep.equal([5]);
      kept = [];
    }
  });

  it('that refuses one of a batch, and commits it, has none signed a second time', async () => {
    const client = clientOf();
    await pay(client, 1);
    lie = (path, _, answer) =>
      path.endsWith('/batch')
        ? answer().then(async (response) => {
            const { items } = (await response.json()) as Body;
            const body = await refused().json();
            return json({ items: [{ status: 409, body }, ...items.slice(1)] });
          })
        : undefined;
    await client.batch([5, 6, 7].map((amount) => (each) => pay(each, amount)));
    expect(await has(ben)).to.be.at.most(1 + 5 + 6 + 7);
  });

  it('whose answers have another form gets no signature, and an error that says so', async () => {
    const client = clientOf();
    const { contractId, termsHash } = await client.contracts.create({
      ...(catalogue.definitions.contract as Body).create.example,
      provider: ben.did,
    });
    const sign = (each: Client) => each.contracts.sign(contractId, { termsHash });
    const withRules = (each: Client) =>
      each.escrows.create({ beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }] }, { most: 5 });
    for (const attempt of [(each: Client) => pay(each, 5, { most: 5 }), sign, withRules]) {
      let right: Body;
      lie = (_, body, answer) =>
        body?.prepare
          ? answer().then(async (response) => {
              right = (await response.json()) as Body;
              return json(right);
            })
          : body &&
            Promise.resolve(json({ error: { code: 'CONFLICT', message: '' }, code: 'CONFLICT', detail: 'no' }, 409));
      await failure(attempt(clientOf()));
      for (const place of placesIn(right!)) {
        for (const value of [null, 5, 'x', true, [], [null], {}, undefined]) {
          lie = (_, body) => {
            if (body?.prepare) return Promise.resolve(json(withAt(right, place, value) ?? null));
            return (
              body &&
              Promise.resolve(json({ error: { code: 'CONFLICT', message: '' }, code: 'CONFLICT', detail: 'no' }, 409))
            );
          };
          const note = `${place.join('.')}: ${JSON.stringify(value)}`;
          const before = signatures;
          const error = await failure(attempt(clientOf()));
          // What may be missing is not missed: the node refuses it.
          if (error instanceof ApiError) continue;
          expect(error, `${note}: ${error.stack}`).to.be.instanceOf(UnexpectedPayload);
          expect(signatures, note).to.equal(before);
        }
      }
    }
  });

  it('that hides what it has committed behind the event of another program is found out', async () => {
    const client = clientOf();
    await pay(client, 1);
    lie = (path, _, answer) => (path.endsWith('/events') ? answer().then(() => refused(3)) : undefined);
    const built = failure(pay(client));
    lie = (path, body, answer) => {
      if (path.endsWith('/events')) return answer().then(() => refused(3));
      if (!body?.prepare) return undefined;
      lie = undefined;
      // The other program builds on what this one believes refused.
      return pay(clientOf(), 1).then(answer);
    };
    expect((await built).paths).to.deep.equal(['event.prev']);
    expect(await has(ben)).to.equal(7);
  });

  const submitted = (write: Body): Promise<Response> =>
    fetch(`${node().url}/api/v1/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(write),
    });

  it('that names another home when it refuses moves no payment, and nothing that it has a signature for', async () => {
    const client = clientOf({ homes: 'any' });
    const asked: string[] = [];
    const elsewhere = () =>
      json({ error: { code: 'VALIDATION', message: '' }, detail: 'no', code: 'UNPROCESSABLE', home: ben.did }, 422);
    const isMoved = () => asked.splice(0).some((path) => path.includes('/homes/'));
    lie = (path, body, answer) => {
      asked.push(path);
      return path.endsWith('/events') && body ? answer().then(elsewhere) : undefined;
    };
    const { signedHash } = await failure(pay(client, 7));
    expect(signedHash).to.match(/^[0-9a-f]{64}$/);
    expect(await has(ben)).to.equal(7);
    expect(isMoved()).to.equal(false);
    lie = undefined;
    const rules = { beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }] } as const;
    const other = clientOf({ homes: 'any' });
    const { escrowId } = await other.escrows.create(rules);
    lie = (path, body, answer) => {
      asked.push(path);
      return path.endsWith('/events') && body ? answer().then(elsewhere) : undefined;
    };
    expect(await failure(other.escrows.cancel(escrowId))).to.have.property('signedHash');
    expect(isMoved()).to.equal(false);
    lie = (path, body) => {
      asked.push(path);
      return body?.prepare ? Promise.resolve(elsewhere()) : undefined;
    };
    const before = signatures;
    await failure(other.escrows.cancel(escrowId));
    expect([isMoved(), signatures]).to.deep.equal([true, before]);
    // Of a new client the first payment is prepared, and nothing was signed.
    expect((await failure(pay(clientOf({ homes: 'any' }), 7))).signedHash).to.equal(undefined);
    expect(isMoved()).to.equal(false);
  });

  it('that refuses an event which it has, under newer ones, has it kept', async () => {
    const client = clientOf();
    await pay(client, 1);
    lie = (path, body, answer) =>
      path.endsWith('/events') && body
        ? answer().then(() => {
            throw new TypeError('broken');
          })
        : undefined;
    const { write } = await failure(pay(client, 7));
    lie = undefined;
    await pay(client, 2);
    lie = (path, body) => (path.endsWith('/events') && body ? Promise.resolve(refused(4)) : undefined);
    const again = await failure(client.events.submit(write));
    expect(again.write.event.hash).to.equal(write.event.hash);
    expect(new Set(kept.map(({ event }) => event.hash))).to.deep.equal(new Set([write.event.hash]));
    lie = undefined;
    expect(await client.events.submit(write)).to.include({ amount: 7 });
    expect(await has(ben)).to.equal(10);
  });

  it('is no reason to lose a reply because the outbox fails, nor to sign what was given up', async () => {
    const failing = { put: async () => {}, drop: () => Promise.reject(new TypeError('disk full')) };
    expect(await pay(clientOf({ outbox: failing }), 3)).to.include({ amount: 3 });
    const client = clientOf();
    await pay(client, 1);
    const gone = new AbortController();
    gone.abort(new TypeError('given up'));
    expect((await failure(pay(client, 9, { signal: gone.signal }))).message).to.equal('given up');
    expect(kept).to.deep.equal([]);
    expect(await has(ben)).to.equal(4);
  });

  it('that is slow is not waited for by a write that is given up', async () => {
    const client = clientOf();
    await pay(client, 1);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isSent = () => {};
    const sent = new Promise<void>((resolve) => {
      isSent = resolve;
    });
    const holding = (is: (path: string, body: Body) => boolean): void => {
      lie = (path, body, answer) => {
        if (!is(path, body)) return undefined;
        isSent();
        return held.then(answer);
      };
    };
    const gone = new AbortController();
    const reason = new TypeError('given up');
    // One prepares, and has the turn; the second waits for its turn, and the third behind it.
    holding((_, body) => body?.prepare);
    const signing = client.contracts.create({
      ...(catalogue.definitions.contract as Body).create.example,
      provider: ben.did,
    });
    await sent;
    const before = signatures;
    const waiting = failure(pay(client, 9, { signal: gone.signal }));
    const behind = pay(client, 2);
    gone.abort(reason);
    expect(await waiting).to.equal(reason);
    expect(signatures).to.equal(before);
    release();
    await Promise.all([signing, behind]);
    expect(await has(ben)).to.equal(3);
    // As many are in flight as may be.
    const all = new Promise<void>((resolve) => {
      let count = 0;
      lie = (path, body, answer) => {
        if (!path.endsWith('/events') || !body) return undefined;
        if (++count === 16) resolve();
        return full.then(answer);
      };
    });
    let drain = () => {};
    const full = new Promise<void>((resolve) => {
      drain = resolve;
    });
    const many = Array.from({ length: 16 }, () => pay(client, 1));
    await all;
    const more = new AbortController();
    const last = failure(pay(client, 9, { signal: more.signal }));
    // Nothing else is before it: it has its turn, and waits for a place.
    await new Promise(setImmediate);
    more.abort(reason);
    expect(await last).to.equal(reason);
    drain();
    await Promise.all(many);
    expect(await has(ben)).to.equal(19);
    expect(kept).to.deep.equal([]);
  });

  it('that answers with another event is found out, and the write is kept', async () => {
    const client = clientOf();
    const first = await pay(client, 1);
    lie = (path, _, answer) => (path.endsWith('/events') ? answer().then(() => json(first)) : undefined);
    const { message, write } = await failure(pay(client));
    expect(message).to.match(/another event/);
    expect(kept).to.deep.equal([write]);
    lie = undefined;
    expect(await client.events.submit<Body>(write)).to.include({ eventHash: write.event.hash, amount: 5 });
    expect(await has(ben)).to.equal(6);
  });

  it('that commits late takes nothing twice', async () => {
    const client = clientOf();
    let held: Body;
    lie = (path, body) => {
      if (!path.endsWith('/events')) return undefined;
      held = body;
      return Promise.reject(new Error('broken off'));
    };
    const { write } = await failure(pay(client));
    expect(kept).to.deep.equal([write]);
    expect(write).to.deep.equal(held!);
    lie = undefined;
    // Another one of the same nonce: at most one of them can be in the journal.
    await pay(client, 3);
    expectProblem(await node().client.post('/api/v1/events', held!), 'CONFLICT');
    expect(await has(ben)).to.equal(3);
  });

  it('that breaks off after its commit gets the same event again, and pays once', async () => {
    const client = clientOf();
    let sent = 0;
    lie = (path, _, answer) =>
      path.endsWith('/events') && sent++ < 2 ? answer().then(() => Promise.reject(new Error('broken off'))) : undefined;
    await pay(client);
    expect([sent, signatures, kept.length, await has(ben)]).to.deep.equal([3, 1, 0, 5]);
  });
});
