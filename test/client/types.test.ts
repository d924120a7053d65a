import { expect } from 'chai';
import type { Client, Escrow } from '../../packages/client/src/index.js';

/** Never called. The test is that it compiles, and that the marked lines would not. */
async function typed({ escrows, markets }: Client): Promise<unknown> {
  const created = await escrows.create({ beneficiary: 'x', amount: 1, releaseRules: [{ type: 'manual' }] });
  const view: Escrow & { readonly eventHash: string } = created;
  const { escrow, memo, escrowId } = await escrows.fund(view, { amount: 1 }, { idempotencyKey: 'x' });
  const transfer: [Escrow, string | null, string] = [escrow, memo, escrowId];
  const { title, erased } = await markets.info.get('x');
  const erasable: [string | null, readonly string[] | undefined] = [title, erased];
  // @ts-expect-error: a text may be erased
  title.length;
  const { escrow: expired, amount: returned }: { escrow: Escrow; amount: number } = await escrows.expire('x');
  const listed: readonly Escrow[] = (await escrows.list({ role: 'arbiter', status: 'funded' })).escrows;
  // @ts-expect-error: a release rule is needed
  await escrows.create({ beneficiary: 'x', amount: 1 });
  // @ts-expect-error: only workflows set `purpose`
  await escrows.create({ beneficiary: 'x', amount: 1, releaseRules: [], purpose: { kind: 'order', id: 'x' } });
  // @ts-expect-error: the amount is needed
  await escrows.fund('x');
  // @ts-expect-error: amounts are numbers
  await escrows.release('x', { amount: '1' });
  // @ts-expect-error: only the clock lets escrows lapse
  await escrows.lapse('x');
  // @ts-expect-error: escrows have no such role
  await escrows.list({ role: 'owner' });
  return [transfer, expired, returned, listed, erasable];
}

describe('client: types', () => {
  it('follow the definitions', () => {
    expect(typed).to.be.a('function');
  });
});
