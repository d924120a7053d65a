import { expect } from 'chai';
import type { Escrow } from '../../packages/client/src/index.js';
import { type Answer, failureOf, ok, problem, Script } from './script.js';

const escrow = (version: string, remaining: number) => ok({ escrowId: 'esc-1', resourcePrev: version, remaining });
const lost = (): Answer[] => [1, 2, 3, 4].map(() => new TypeError('fetch failed'));

/** Runs a loop that acts while something remains. Returns what each step was given, and the result. */
async function walk(script: Script): Promise<{ readonly seen: string[]; readonly end: unknown }> {
  const seen: string[] = [];
  const step = (view: Escrow) => {
    seen.push(`${view.resourcePrev} ${view.remaining}`);
    return view.remaining > 0 ? script.client.webhooks.disable('acts') : undefined;
  };
  const end = await script.client.escrows.transition('esc-1', step).catch((error: unknown) => error);
  return { seen, end };
}

describe('client: a transition', () => {
  it('looks again where the answer to its write was lost, and acts no second time where it was made', async () => {
    const script = new Script([escrow('a', 5), ...lost(), escrow('b', 0)]);
    const { seen, end } = await walk(script);
    expect(seen).to.deep.equal(['a 5', 'b 0']);
    expect(end).to.have.property('done', undefined);
    script.done();
  });

  it('acts again where the lost write was not made', async () => {
    const script = new Script([escrow('a', 5), ...lost(), escrow('a', 5), ok({ id: 'acts' })]);
    const { seen, end } = await walk(script);
    expect(seen).to.deep.equal(['a 5', 'a 5']);
    expect(end).to.have.deep.property('done', { id: 'acts' });
    script.done();
  });

  it('reads again after a 500, whose result is unknown', async () => {
    const script = new Script([escrow('a', 5), problem(500, 'INTERNAL_ERROR'), escrow('b', 0)]);
    expect((await walk(script)).seen).to.deep.equal(['a 5', 'b 0']);
    script.done();
  });

  it('ends at a 500 that says that its event stands', async () => {
    const script = new Script([escrow('a', 5), problem(500, 'INTERNAL_ERROR', { committed: true, eventHash: 'e' })]);
    const { seen, end } = await walk(script);
    expect(seen).to.deep.equal(['a 5']);
    expect(end).to.include({ status: 500 });
    script.done();
  });

  it('ends at what was refused for good', async () => {
    const script = new Script([escrow('a', 5), problem(402, 'INSUFFICIENT_BALANCE')]);
    expect((await walk(script)).end).to.include({ refusal: 'INSUFFICIENT_BALANCE' });
    script.done();
  });

  it('gives up when others are always faster', async () => {
    const rounds = [1, 2, 3, 4, 5, 6].flatMap((n) => [escrow(`v${n}`, 5), problem(409, 'CONFLICT')]);
    const script = new Script(rounds);
    const { seen, end } = await walk(script);
    expect(seen).to.have.length(6);
    expect(end).to.include({ status: 409 });
    expect(script.waits).to.have.length(5);
    script.done();
  });

  it('ends where the resource cannot be read', async () => {
    const script = new Script([problem(404, 'ESCROW_NOT_FOUND')]);
    expect(await failureOf(script.client.escrows.transition('esc-1', () => undefined))).to.include({ status: 404 });
  });
});
