/**
 * Records the history of a release: `npm run record-history`, once, before it is published. Every action of every kind
 * of the catalogue, in a world where nothing is left to chance. The file of a published release is never made again.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { docHashOf, emptyIdentity } from '../../src/machines/identity/identity.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { entryOf } from '../../src/store/entry.js';
import { version } from '../../src/core/version.js';
import { accepted, Bench, network } from '../world/bench.js';
import { ada, ben, cyd, dan, didOf, signer } from '../world/people.js';
import { contracts } from './contracts.js';
import { leases } from './leases.js';
import { infoOrders } from './info-orders.js';
import { listings } from './listings.js';
import { replayed } from './recording.js';
import { tasks } from './tasks.js';

const dayMs = 86_400_000;
const preimage = Buffer.from('open sesame').toString('hex');
const hash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex');

const bench = await Bench.open({}, { ada: 10_000, ben: 500 });

async function escrow(who: string, id: string, action: string, body: object): Promise<void> {
  await bench.world.advance(1_000);
  const resourcePrev = bench.store.tables.snapshot('escrow', id)?.lastHash ?? null;
  accepted(await bench.ask(who, 'escrow', id, action, body as JsonObject, { resourcePrev }));
}

async function ledger(): Promise<void> {
  accepted(await bench.transfer('ada', 'ben', 30, { key: 'k' }, { fee: 5, memo: 'thanks' }));
  accepted(await bench.operate('account', cyd, 'collect', { to: cyd, amount: 2 }));
  accepted(await bench.operate('account', cyd, 'deposit', { amount: 40, ref: 1 }));
  const to = '0x52908400098527886E0F7030069857D2E4169EE7';
  accepted(await bench.ask('cyd', 'account', cyd, 'withdraw', { amount: 7, fee: 1, to }));
  accepted(await bench.operate('account', dan, 'freeze'));
  accepted(await bench.operate('account', dan, 'unfreeze'));
}

async function identities(): Promise<void> {
  const prevDocHash = docHashOf(ada, emptyIdentity.document);
  const document = { displayName: 'Ada', platformLinks: [{ platform: 'web', url: 'https://example.org' }] };
  accepted(await bench.ask('ada', 'identity', ada, 'update', { document, prevDocHash }));
  const credential = { type: ['VerifiableCredential', 'CapabilityCredential'], issuer: ada, credentialSubject: { id: ada } };
  accepted(await bench.ask('ada', 'identity', ada, 'register', { credential }));
}

/** A signature as rules of type `signature` ask for it. */
function signatures(id: string, amount: number): object {
  const { lastHash } = bench.store.tables.snapshot('escrow', id)!;
  const signature = signer('dan').sign(`svc:escrow-release:v2:${network}:${didOf(bench.node)}:${id}:${lastHash}:${amount}`);
  return { signatures: [{ did: dan, signature }] };
}

async function escrows(): Promise<void> {
  const plain = { beneficiary: ben, arbiter: cyd, amount: 100, releaseRules: [{ type: 'manual' }] };
  await escrow('ada', 'esc-1', 'create', plain);
  await escrow('ada', 'esc-1', 'fund', { amount: 100 });
  await escrow('cyd', 'esc-1', 'release', { amount: 60, reason: 'half done' });
  await escrow('ben', 'esc-1', 'refund', { amount: 40, reason: 'the rest is not' });
  const time = bench.world.now();
  const rules = [
    { id: 'later', type: 'time', after: time + 60_000 },
    { id: 'secret', type: 'hash', hash },
    { id: 'signed', type: 'signature', signers: [dan], threshold: 1 },
    { id: 'seen', type: 'inspection', requiresEvidence: true, requiresReason: true },
  ];
  await escrow('ada', 'esc-2', 'create', { ...plain, releaseRules: rules, autoFund: true, expiresAt: time + dayMs });
  await escrow('ben', 'esc-2', 'release', { amount: 10, ruleId: 'secret', evidence: { preimage } });
  await escrow('ben', 'esc-2', 'release', { amount: 10, ruleId: 'signed', evidence: signatures('esc-2', 10) });
  await escrow('cyd', 'esc-2', 'release', { amount: 10, rule: 'inspection', evidence: { photo: 'x' }, reason: 'fine' });
  await bench.world.advance(60_000);
  await escrow('ben', 'esc-2', 'release', { amount: 10, ruleId: 'later' });
  const refundable = { ...plain, refundRules: [{ type: 'time', after: bench.world.now() + 5_000 }], autoFund: true };
  await escrow('ada', 'esc-3', 'create', refundable);
  await bench.world.advance(5_000);
  await escrow('ada', 'esc-3', 'refund', { amount: 100, reason: 'too late' });
  await escrow('ada', 'esc-4', 'create', plain);
  await escrow('ada', 'esc-4', 'cancel', {});
  await escrow('ada', 'esc-5', 'create', plain);
  await bench.world.advance(31 * dayMs);
  accepted(await bench.operate('escrow', 'esc-2', 'expire'));
  accepted(await bench.operate('escrow', 'esc-5', 'lapse'));
}

await ledger();
await identities();
await escrows();
await listings(bench);
await leases(bench);
await infoOrders(bench);
await contracts(bench);
await tasks(bench);

const { journal } = bench.store.tables;
const entries = journal.map(({ coreText, payloadText, entryHash, prevEntry, chainHash }, index) => ({
  seq: index + 1,
  prevEntry,
  chainHash,
  ...entryOf(coreText, payloadText, entryHash),
}));
const lines = [{ version, network, outcome: replayed({ network, entries }) }, ...journal];
const file = `test/histories/${version}.jsonl`;
writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
process.stdout.write(`${file}: ${journal.length} entries\n`);
