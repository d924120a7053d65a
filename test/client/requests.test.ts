import { expect } from 'chai';
import { ApiError, UnreachableError } from '../../packages/client/src/index.js';
import { ada, failureOf, ok, problem, Script, url } from './script.js';

describe('client: a request', () => {
  it('goes to the path with its parameters encoded, with the key as a header', async () => {
    const script = new Script([ok({ escrows: [], total: 0 })], { key: 'svck_x', url: `${url}/` });
    await script.client.escrows.list({ did: 'did:svc:z/ä', limit: 5 });
    const [asked] = script.asked;
    expect(asked?.path).to.equal('/api/v1/escrows?did=did%3Asvc%3Az%2F%C3%A4&limit=5');
    expect(asked?.headers['X-Api-Key']).to.equal('svck_x');
  });

  it('goes to the same path with a URL that ends in the path of the API, as a node prints it', async () => {
    for (const end of ['/api/v1', '/api/v1/', '//']) {
      const script = new Script([ok({ escrows: [], total: 0 })], { url: `${url}${end}` });
      await script.client.escrows.list();
      expect(script.asked[0]?.path).to.equal('/api/v1/escrows');
    }
  });

  it('encodes what stands in a path', async () => {
    const script = new Script([ok({})]);
    await script.client.identities.get('did:svc:z../x');
    expect(script.asked[0]?.path).to.equal('/api/v1/identities/did%3Asvc%3Az..%2Fx');
  });

  it('names the home of a view that has one, so that nothing of this node with the same id is meant', async () => {
    const script = new Script([ok({ nextNonce: 7 }), ok({}), ok({})]);
    const { escrows } = script.client.as(ada);
    await escrows.cancel({ id: 'esc-1', resourcePrev: 'a', home: 'did:svc:z6MkBen' });
    expect(script.asked.at(-1)?.path).to.equal('/api/v1/escrows/esc-1~did%3Asvc%3Az6MkBen/actions/cancel');
    await escrows.cancel({ id: 'esc-1', resourcePrev: 'a' });
    expect(script.asked.at(-1)?.path).to.equal('/api/v1/escrows/esc-1/actions/cancel');
  });

  it('carries signer, nonce and an Idempotency-Key when it writes', async () => {
    const script = new Script([ok({ nextNonce: 7 }), ok({})]);
    await script.client.as(ada).wallets.transfer({ to: 'svc1ben', amount: 5 });
    expect(script.asked[0]?.path).to.equal('/api/v1/wallets/did%3Asvc%3Az6MkAda');
    expect(script.asked[1]?.body).to.deep.equal({ ...ada, to: 'svc1ben', amount: 5, nonce: 7 });
    expect(script.asked[1]?.headers['Idempotency-Key']).to.equal('key-1');
  });

  it('asks for the passphrase at each write where a function holds it', async () => {
    let asked = 0;
    const passphrase = async () => `secret ${++asked}`;
    const script = new Script([ok({ nextNonce: 1 }), ok({}), ok({})]);
    const client = script.client.as({ did: ada.did, passphrase });
    await client.wallets.transfer({ to: 'svc1ben', amount: 5 });
    await client.wallets.transfer({ to: 'svc1ben', amount: 5 });
    expect(script.asked.slice(1).map(({ body }) => body.passphrase)).to.deep.equal(['secret 1', 'secret 2']);
  });

  it('states `prev`, `ts` and `nonce` where the caller does, and then reads no wallet', async () => {
    const script = new Script([ok({})]);
    const options = { nonce: 3, prev: null, ts: 1_700_000_000_000, idempotencyKey: false } as const;
    await script.client.as(ada).wallets.transfer({ to: 'svc1ben', amount: 5 }, options);
    expect(script.asked[0]?.body).to.include({ nonce: 3, prev: null, ts: 1_700_000_000_000 });
    expect(script.asked[0]?.headers).to.not.have.property('Idempotency-Key');
  });

  it('states the version that is meant when it acts on a view, and none on a bare id', async () => {
    const script = new Script([ok({}), ok({})]);
    const view = { id: 'esc-1', resourcePrev: 'a'.repeat(64) };
    await script.client.as(ada).escrows.release(view, { amount: 1 }, { nonce: 1 });
    await script.client.as(ada).escrows.release('esc-1', { amount: 1 }, { nonce: 2 });
    expect(script.asked[0]?.path).to.equal('/api/v1/escrows/esc-1/actions/release');
    expect(script.asked.map(({ body }) => body.resourcePrev)).to.deep.equal(['a'.repeat(64), undefined]);
  });

  it('ends as the caller’s signal says', async () => {
    const script = new Script([]);
    const reason = new Error('enough');
    expect(await failureOf(script.client.node.status({ signal: AbortSignal.abort(reason) }))).to.equal(reason);
  });

  it('ends after its time', async () => {
    const slow = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const script = new Script([], { fetch: slow, readTimeoutMs: 5 });
    expect(await failureOf(script.client.node.status())).to.be.instanceOf(UnreachableError);
  });
});

describe('client: errors', () => {
  it('carry status, the constant of the type, the code of the refusal, the detail and the document', async () => {
    const errors = [{ field: 'amount', message: 'is required' }];
    const script = new Script([problem(400, 'INVALID_REQUEST', { errors })]);
    const error = (await failureOf(script.client.faucet.claim('svc1ben'))) as ApiError;
    expect(error).to.be.instanceOf(ApiError);
    expect(error).to.include({ status: 400, code: 'VALIDATION', refusal: 'INVALID_REQUEST' });
    expect(error.message).to.equal('no: INVALID_REQUEST');
    expect(error.problem).to.deep.include({ requestId: 'r', errors });
  });

  it('have a finer code than the status', async () => {
    const script = new Script([problem(402, 'INSUFFICIENT_BALANCE')]);
    const error = await failureOf(script.client.faucet.claim('svc1ben'));
    expect(error).to.include({ status: 402, code: 'VALIDATION', refusal: 'INSUFFICIENT_BALANCE' });
  });

  it('are derived from the status where no node answered', async () => {
    const script = new Script([new Response('<h1>Not here</h1>', { status: 404 })]);
    const error = await failureOf(script.client.node.status());
    expect(error).to.include({ status: 404, code: 'NOT_FOUND', refusal: undefined, problem: undefined });
  });

  it('name what was not answered, and by which key to find out', async () => {
    const script = new Script(Array.from({ length: 4 }, () => new TypeError('fetch failed')));
    const transfer = script.client.as(ada).wallets.transfer({ to: 'svc1ben', amount: 5 }, { nonce: 9 });
    const error = (await failureOf(transfer)) as UnreachableError;
    expect(error).to.be.instanceOf(UnreachableError);
    expect(error).to.include({ idempotencyKey: 'key-1', nonce: 9 });
    expect(error.message).to.contain('/api/v1/transfers').and.contain('fetch failed');
  });
});
