/** Applies random moves to contracts and model, and compares all results. */
import { expect } from 'chai';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { Model } from './model.js';
import { type Draft, dids, moveOf, receivers, streamStart, type Timed, waiting } from './random-moves.js';
import { evmOf, reasonOf, type Stage } from './stage.js';

export interface Played {
  readonly gas: readonly number[];
  readonly accepted: readonly Move['op'][];
  readonly refused: readonly string[];
}

export async function play(stage: Stage, all: readonly Draft[]): Promise<Played> {
  const model = new Model();
  for (const { ref, to, amount } of waiting) {
    expect(await stage.deposits(evmOf('depositor'), to, amount)).to.equal(ref);
    model.deposits.set(ref, { to, amount });
  }
  const gas: number[] = [];
  const accepted: Move['op'][] = [];
  const refused: string[] = [];
  let batch: Timed[] = [];
  const flush = async () => {
    if (batch.length === 0) return;
    const moves = batch.map(({ move }) => move);
    gas.push((await stage.applies(moves, { times: batch.map(({ time }) => time) })).gasUsed);
    batch = [];
  };
  let time = streamStart;
  for (const each of all) {
    time += each.after;
    const next = moveOf(each, model, time);
    const error = model.take(next.move, time);
    if (error) {
      await flush();
      const reason = await reasonOf(await stage.batch([next.move], { times: [time] }));
      expect(reason.split('(')[0], JSON.stringify(next)).to.equal(error);
      refused.push(error);
    } else {
      batch.push(next);
      accepted.push(next.move.op);
      if (each.cut) await flush();
    }
  }
  await flush();
  await compare(stage, model);
  return { gas, accepted, refused };
}

async function compare(stage: Stage, model: Model): Promise<void> {
  for (const did of dids) {
    const { frozen, ...sums } = await stage.account(did);
    expect(frozen ?? false).to.equal(model.frozen.has(did));
    expect(sums).to.deep.equal({
      available: model.balance(`available/${did}`),
      reserved: model.balance(`reserved/${did}`),
      escrowed: model.balance(`escrowed/${did}`),
    });
  }
  for (const [id, { state, amount, remaining, expiresAt }] of model.escrows) {
    expect(await stage.escrow(id)).to.deep.equal({ state, amount, remaining, expiryMs: expiresAt ?? 0 });
  }
  for (const receiver of receivers) expect(await stage.tokensOf(receiver)).to.equal(model.paid.get(receiver) ?? 0);
  const owed = -model.balance('supply');
  const unclaimed = [...model.deposits.values()].reduce((sum, { amount }) => sum + amount, 0);
  expect(await stage.totals()).to.include({ owed, fees: model.balance('fees'), waiting: unclaimed, heldBack: 0 });
  expect(await stage.tokensOf(stage.contracts.vault)).to.equal(owed + unclaimed);
  const { lastSeq, head } = await stage.cursor();
  expect({ lastSeq, head }).to.deep.equal({ lastSeq: stage.seq, head: `0x${stage.head.toString('hex')}` });
}
