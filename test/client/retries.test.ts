import { expect } from 'chai';
import { ApiError, type Client } from '../../packages/client/src/index.js';
import { type Answer, ada, failureOf, ok, problem, Script } from './script.js';

const lost = () => new TypeError('fetch failed');
const away = () => problem(503, 'SERVICE_UNAVAILABLE', {}, { 'Retry-After': '2' });
const read = (client: Client) => client.node.status();
const write = (client: Client) => client.as(ada).wallets.transfer({ to: 'svc1ben', amount: 5 }, { nonce: 1 });
const keyless = (client: Client) =>
  client.as(ada).wallets.transfer({ to: 'svc1ben', amount: 5 }, { nonce: 1, idempotencyKey: false });

/** Makes a request against these answers. Returns how many requests were sent, and the result. */
async function play(request: (client: Client) => Promise<unknown>, answers: Answer[]): Promise<[number, string]> {
  const script = new Script(answers);
  const end = await request(script.client).then(
    () => 'ok',
    (error: Error) => (error instanceof ApiError ? String(error.status) : error.name),
  );
  return [script.asked.length, end];
}

describe('client: retries', () => {
  it('reads are sent again after a lost connection, 429, 500 and 503', async () => {
    for (const failure of [lost(), problem(429, 'RATE_LIMITED'), problem(500, 'INTERNAL_ERROR'), away()]) {
      expect(await play(read, [failure, ok({})])).to.deep.equal([2, 'ok']);
    }
  });

  it('reads give up after the third retry', async () => {
    expect(await play(read, [away(), away(), away(), away()])).to.deep.equal([4, '503']);
  });

  it('what the caller has to change is not sent again', async () => {
    expect(await play(read, [problem(404, 'NOT_FOUND')])).to.deep.equal([1, '404']);
    expect(await play(write, [problem(409, 'ESCROW_INVALID_STATE')])).to.deep.equal([1, '409']);
    expect(await play(write, [problem(400, 'INVALID_REQUEST')])).to.deep.equal([1, '400']);
  });

  it('writes are sent again after a lost connection and 503, the same to the letter', async () => {
    const script = new Script([lost(), away(), ok({ eventHash: 'h' })]);
    await write(script.client);
    const [first, ...others] = script.asked;
    expect(others).to.have.length(2);
    for (const other of others) expect(other).to.deep.equal(first);
    expect(first?.headers['Idempotency-Key']).to.equal('key-1');
  });

  it('writes are sent again while the first is still under way', async () => {
    const underWay = problem(409, 'CONFLICT', {}, { 'Retry-After': '1' });
    expect(await play(write, [lost(), underWay, ok({})])).to.deep.equal([3, 'ok']);
  });

  it('writes without Idempotency-Key are not, unless nothing can have happened', async () => {
    expect(await play(keyless, [lost()])).to.deep.equal([1, 'UnreachableError']);
    expect(await play(keyless, [away()])).to.deep.equal([1, '503']);
    expect(await play(keyless, [problem(429, 'RATE_LIMITED'), ok({})])).to.deep.equal([2, 'ok']);
  });

  it('a write whose event may stand is not', async () => {
    expect(await play(write, [problem(500, 'INTERNAL_ERROR', { committed: true })])).to.deep.equal([1, '500']);
  });

  it('wait longer each time, and as long as the server asks', async () => {
    const script = new Script([lost(), lost(), away(), ok({})]);
    await read(script.client);
    expect(script.waits).to.deep.equal([150, 300, 2_100]);
  });

  it('give up where the server asks for more than a minute', async () => {
    const later = problem(429, 'RATE_LIMITED', {}, { 'Retry-After': '86400' });
    expect(await play((client) => client.faucet.claim('svc1ben'), [later])).to.deep.equal([1, '429']);
  });

  it('end with the caller’s signal', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const script = new Script([
      () => {
        abort.abort(reason);
        throw lost();
      },
    ]);
    expect(await failureOf(script.client.node.status({ signal: abort.signal }))).to.equal(reason);
    expect(script.asked).to.have.length(1);
  });
});
