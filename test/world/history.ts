/** A short journal with every sort of entry, and means to falsify what a store returns of it. */

import { dayMs } from '../../src/core/bounds.js';
import { canonical, sha256Hex } from '../../src/core/canonical.js';
import { eventMessage } from '../../src/core/codecs/event-message.js';
import { chainHashOf, type EntryCore, type NumberedEntry, noHash } from '../../src/store/entry.js';
import type { MemoryEntryRow } from '../../src/store/memory/tables.js';
import { accepted, Bench } from './bench.js';
import { withPayouts } from './payout.js';
import { ada, ben, cyd, didOf, signerOfDid } from './people.js';

/**
 * Mint, transfer with fee and memo, every action of an escrow, freeze, fees, identity, a workflow, an idempotent write.
 * @param listener gets each entry as it was built
 */
export async function life(listener: (entry: NumberedEntry) => void = () => {}): Promise<Bench> {
  const bench = await Bench.open({ catalogue: withPayouts }, { ada: 1_000 });
  bench.actors.committer.listen(listener);
  const escrow = async (who: string, id: string, action: string, body: object) => {
    await bench.world.advance(1_000);
    const resourcePrev = bench.store.tables.snapshot('escrow', id)?.lastHash ?? null;
    accepted(await bench.ask(who, 'escrow', id, action, body as never, { resourcePrev }));
  };
  accepted(await bench.transfer('ada', 'ben', 30, { key: 'k' }, { fee: 5, memo: 'thanks' }));
  accepted(await bench.operate('account', cyd, 'collect', { to: cyd, amount: 2 }));
  const create = { beneficiary: ben, arbiter: cyd, amount: 100, releaseRules: [{ type: 'manual' }] };
  await escrow('ada', 'esc-1', 'create', create);
  await escrow('ada', 'esc-1', 'fund', { amount: 100 });
  await escrow('cyd', 'esc-1', 'release', { amount: 60, reason: 'half done' });
  await escrow('ben', 'esc-1', 'refund', { amount: 40, reason: 'the rest is not' });
  await escrow('ada', 'esc-2', 'create', { ...create, autoFund: true, expiresAt: bench.world.now() + dayMs });
  await escrow('ada', 'esc-3', 'create', create);
  await bench.world.advance(dayMs);
  accepted(await bench.operate('escrow', 'esc-2', 'expire'));
  await escrow('ada', 'esc-3', 'cancel', {});
  accepted(await bench.operate('account', ben, 'freeze'));
  const credential = { type: ['VerifiableCredential', 'CapabilityCredential'], issuer: ada };
  accepted(await bench.ask('ada', 'identity', ada, 'register', { credential }));
  const start = { escrowId: 'esc-4', beneficiary: didOf('dan'), amount: 10, autoFund: true };
  accepted(await bench.ask('ada', 'payout', 'payout-1', 'start', start));
  accepted(await bench.ask('cyd', 'payout', 'payout-1', 'drive', { action: 'release', amount: 4 }));
  return bench;
}

export const coreOf = (row: MemoryEntryRow): EntryCore => JSON.parse(row.coreText) as EntryCore;

/** Replaces a row by one with this text, and keeps its hashes. */
export function overwrite(bench: Bench, seq: number, change: Partial<MemoryEntryRow>): void {
  const { journal } = bench.store.tables;
  journal[seq - 1] = { ...journal[seq - 1]!, ...change };
}

/** Changes an entry and recomputes all hashes after it, which needs no keys. */
export function forge(bench: Bench, seq: number, core: unknown): void {
  const coreText = canonical(core);
  overwrite(bench, seq, { coreText, entryHash: sha256Hex(coreText) });
  rechain(bench);
}

/** The core with another event, signed by its real issuer: what a dishonest signer can do. */
export function resigned(core: EntryCore, change: Partial<EntryCore['event']>): EntryCore {
  const { hash: _, sig: __, ...before } = core.event;
  const body = { ...before, ...change };
  const text = canonical(body);
  const sig = signerOfDid(body.issuer).sign(eventMessage(text));
  return { ...core, event: { ...body, hash: sha256Hex(text), sig } };
}

/** Recomputes the chain of the rows as they are. */
export function rechain(bench: Bench): void {
  const { journal } = bench.store.tables;
  let prevEntry = noHash;
  journal.forEach((row, index) => {
    const chainHash = chainHashOf(index + 1, prevEntry, row.entryHash);
    journal[index] = { ...row, prevEntry, chainHash };
    prevEntry = chainHash;
  });
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every single change of a JSON value: yields the path and a changed copy. */
export function* changes(value: Json, path = ''): Generator<{ path: string; changed: Json }> {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      for (const { path: at, changed } of changes(element, `${path}[${index}]`)) {
        yield { path: at, changed: value.with(index, changed) };
      }
    }
    if (value.length > 0) yield { path: `${path}, one dropped`, changed: value.slice(1) };
    if (value.length > 1) yield { path: `${path}, reversed`, changed: value.toReversed() };
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      for (const { path: at, changed } of changes(member, `${path}.${key}`)) {
        yield { path: at, changed: { ...value, [key]: changed } };
      }
      const { [key]: _, ...rest } = value;
      yield { path: `${path}.${key} dropped`, changed: rest };
    }
    yield { path: `${path}, one added`, changed: { ...value, zzz: 1 } };
  } else yield { path, changed: other(value) };
}

function other(value: null | boolean | number | string): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 'something';
  const last = value.at(-1);
  return value === '' ? 'x' : value.slice(0, -1) + (last === 'a' ? 'b' : 'a');
}
