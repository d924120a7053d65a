/** Every action of every kind of the catalogue, with a fixed clock and seeded randomness. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../src/core/canonical.js';
import { leavesIn } from '../../src/core/leaf.js';
import { assert } from '../../src/core/refusal.js';
import { docHashOf, emptyIdentity } from '../../src/machines/identity/identity.js';
import { accepted, Bench, network } from '../world/bench.js';
import { ada, ben, cyd, dan, didOf, signer } from '../world/people.js';
import { contracts } from './contracts.js';
import { infoOrders } from './info-orders.js';
import { leases } from './leases.js';
import { listings } from './listings.js';
import { tasks } from './tasks.js';
import { dayMs } from '../../src/core/bounds.js';

const preimage = Buffer.from('open sesame').toString('hex');
const hash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex');

export async function wholeLife(): Promise<Bench> {
  const bench = await Bench.open({}, { ada: 10_000, ben: 500 });
  for (const part of [ledger, identities, escrows, listings, leases, infoOrders, contracts, tasks, erasure, moderation])
    await part(bench);
  return corrected(bench);
}

async function escrow(bench: Bench, who: string, id: string, action: string, body: object): Promise<void> {
  await bench.world.advance(1_000);
  const resourcePrev = bench.store.tables.snapshot('escrow', id)?.lastHash ?? null;
  accepted(await bench.ask(who, 'escrow', id, action, body as JsonObject, { resourcePrev }));
}

async function ledger(bench: Bench): Promise<void> {
  accepted(await bench.transfer('ada', 'ben', 30, { key: 'k' }, { fee: 5, memo: 'thanks' }));
  accepted(await bench.operate('account', cyd, 'collect', { to: cyd, amount: 2 }));
  accepted(await bench.operate('account', cyd, 'deposit', { amount: 40, ref: 1 }));
  const to = '0x52908400098527886E0F7030069857D2E4169EE7';
  accepted(await bench.ask('cyd', 'account', cyd, 'withdraw', { amount: 7, fee: 1, to }));
  accepted(await bench.operate('account', dan, 'freeze'));
  accepted(await bench.operate('account', dan, 'unfreeze'));
}

async function identities(bench: Bench): Promise<void> {
  const prevDocHash = docHashOf(ada, emptyIdentity.document);
  const document = { displayName: 'Ada', platformLinks: [{ platform: 'web', url: 'https://example.org' }] };
  accepted(await bench.ask('ada', 'identity', ada, 'update', { document, prevDocHash }));
  const credential = { type: ['VerifiableCredential', 'CapabilityCredential'], issuer: ada, credentialSubject: { id: ada } };
  accepted(await bench.ask('ada', 'identity', ada, 'register', { credential }));
}

/** Evidence with the signatures that rules of type `signature` require. */
function signatures(bench: Bench, id: string, amount: number): object {
  const { lastHash } = bench.store.tables.snapshot('escrow', id)!;
  const signature = signer('dan').sign(`svc:escrow-release:v2:${network}:${didOf(bench.node)}:${id}:${lastHash}:${amount}`);
  return { signatures: [{ did: dan, signature }] };
}

async function escrows(bench: Bench): Promise<void> {
  const plain = { beneficiary: ben, arbiter: cyd, amount: 100, releaseRules: [{ type: 'manual' }] };
  await escrow(bench, 'ada', 'esc-1', 'create', plain);
  await escrow(bench, 'ada', 'esc-1', 'fund', { amount: 100 });
  await escrow(bench, 'cyd', 'esc-1', 'release', { amount: 60, reason: 'half done' });
  await escrow(bench, 'ben', 'esc-1', 'refund', { amount: 40, reason: 'the rest is not' });
  const time = bench.world.now();
  const rules = [
    { id: 'later', type: 'time', after: time + 60_000 },
    { id: 'secret', type: 'hash', hash },
    { id: 'signed', type: 'signature', signers: [dan], threshold: 1 },
    { id: 'seen', type: 'inspection', requiresEvidence: true, requiresReason: true },
  ];
  await escrow(bench, 'ada', 'esc-2', 'create', { ...plain, releaseRules: rules, autoFund: true, expiresAt: time + dayMs });
  await escrow(bench, 'ben', 'esc-2', 'release', { amount: 10, ruleId: 'secret', evidence: { preimage } });
  await escrow(bench, 'ben', 'esc-2', 'release', { amount: 10, ruleId: 'signed', evidence: signatures(bench, 'esc-2', 10) });
  await escrow(bench, 'cyd', 'esc-2', 'release', { amount: 10, rule: 'inspection', evidence: { photo: 'x' }, reason: 'fine' });
  await bench.world.advance(60_000);
  await escrow(bench, 'ben', 'esc-2', 'release', { amount: 10, ruleId: 'later' });
  const refundable = { ...plain, refundRules: [{ type: 'time', after: bench.world.now() + 5_000 }], autoFund: true };
  await escrow(bench, 'ada', 'esc-3', 'create', refundable);
  await bench.world.advance(5_000);
  await escrow(bench, 'ada', 'esc-3', 'refund', { amount: 100, reason: 'too late' });
  await escrow(bench, 'ada', 'esc-4', 'create', plain);
  await escrow(bench, 'ada', 'esc-4', 'cancel', {});
  await escrow(bench, 'ada', 'esc-5', 'create', plain);
  await bench.world.advance(31 * dayMs);
  accepted(await bench.operate('escrow', 'esc-2', 'expire'));
  accepted(await bench.operate('escrow', 'esc-5', 'lapse'));
}

const named = { operator: 'cyd' };

async function erasure(bench: Bench): Promise<void> {
  const { entry } = accepted(await bench.transfer('ada', 'ben', 1, {}, { memo: 'not for the journal' }));
  const [memo] = leavesIn(entry.payload.input);
  assert(memo, 'a memo is a leaf');
  const asked = { reason: 'asked for by Ada', resource: { kind: 'account', id: ada } };
  accepted(await bench.operate('leaf', memo, 'redact', { ...named, ...asked }));
}

async function moderation(bench: Bench): Promise<void> {
  const id = 'lst-1';
  accepted(await bench.operate('moderation', id, 'hide', { ...named, owners: [ada], reason: 'sells stolen data' }));
  accepted(await bench.operate('moderation', id, 'show', { ...named, reason: 'was a mistake' }));
}

/** Corrects a clock that was an hour ahead. Only the next process can: this one has seen the jump. */
async function corrected(before: Bench): Promise<Bench> {
  before.world.setWall(-3_600_000);
  const bench = await before.restart();
  const correction = { ...named, reason: 'it was an hour ahead' };
  accepted(await bench.operate('node', didOf(bench.node), 'correct-clock', correction));
  accepted(await bench.transfer('ada', 'ben', 1));
  return bench;
}
