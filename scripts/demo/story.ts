/** The main story, step by step; every result is compared with what is expected. */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Client, type Entry, type Escrow } from '../../packages/client/src/index.js';
import { claim, Person, refused } from './people.js';
import { violationOf } from './proof.js';
import { check, short, shortName, step, tell } from './stage.js';

export interface Cast {
  readonly ada: Person;
  readonly ben: Person;
}

const expiresInMs = 2_500;

/** @param head number of the newest entry before the story began */
export async function play(client: Client, head: number): Promise<Cast> {
  step('Two people, and Tokens from the faucet');
  const ada = await Person.join(client, 'Ada');
  const ben = await Person.join(client, 'Ben');
  await Promise.all([ada.claims(), ben.claims(ben.address)]);
  await ada.has(claim);
  await ben.has(claim);
  await transfers(ada, ben);
  await partialRelease(ada, ben);
  await hashRule(ada, ben);
  await refundAndExpiry(ada, ben);
  await capability(ada);
  await journal(client, { ada, ben }, head);
  return { ada, ben };
}

async function transfers(ada: Person, ben: Person): Promise<void> {
  step('A transfer each way, with memo and fee');
  const there = await ada.client.wallets.transfer({ to: ben.did, amount: 30, fee: 1, memo: 'for the translation' });
  check(
    'Ada pays Ben 30, fee 1',
    pick(there, 'from', 'to', 'amount', 'fee', 'memo', 'nonce'),
    {
      from: ada.did,
      to: ben.did,
      amount: 30,
      fee: 1,
      memo: 'for the translation',
      nonce: 2,
    },
    { as: '“for the translation”', aside: `event ${short(there.eventHash)}` },
  );
  const back = await ben.client.wallets.transfer({ to: ada.address, amount: 5, fee: 1, memo: 'too much' });
  check(
    'Ben pays Ada 5, fee 1, by address',
    pick(back, 'to', 'amount', 'fee', 'memo'),
    {
      to: ada.did,
      amount: 5,
      fee: 1,
      memo: 'too much',
    },
    { as: '“too much”', aside: `event ${short(back.eventHash)}` },
  );
  const tooMuch = ben.client.wallets.transfer({ to: ada.did, amount: 125 });
  await refused('Ben pays more than he has', tooMuch, 402, 'INSUFFICIENT_BALANCE');
  await ada.has(74);
  await ben.has(124);
}

async function partialRelease(ada: Person, ben: Person): Promise<void> {
  step('An escrow: created, funded, released in two parts');
  const { escrows } = ada.client;
  const created = await escrows.create({ beneficiary: ben.did, amount: 40, releaseRules: [{ type: 'manual' }] });
  checkEscrow('Ada promises Ben 40', created, { status: 'created', funded: 0 });
  await ada.has(34, 40);
  await refused('she releases before funding', escrows.release(created, { amount: 40 }), 409, 'ESCROW_INVALID_STATE');
  const funded = await escrows.fund(created, { amount: 40 });
  checkEscrow('she funds it', funded.escrow, { status: 'funded', remaining: 40 });
  await ada.has(34, 0, 40);
  const part = await escrows.release(funded.escrow, { amount: 15, reason: 'first half' });
  checkEscrow('she releases 15', part.escrow, { status: 'funded', remaining: 25 });
  const stale = escrows.release(funded.escrow, { amount: 25 });
  await refused('she acts on the version before that', stale, 409, 'CONFLICT');
  const rest = await escrows.release(part.escrow, { amount: 25, reason: 'the rest' });
  checkEscrow('she releases the rest', rest.escrow, { status: 'released', released: 40, remaining: 0 });
  await ada.has(34);
  await ben.has(164);
}

async function hashRule(ada: Person, ben: Person): Promise<void> {
  step('An escrow that a secret opens');
  const secret = randomBytes(32);
  const hash = createHash('sha256').update(secret).digest('hex');
  const releaseRules = [{ type: 'hash', hash }];
  const locked = await ada.client.escrows.create({ beneficiary: ben.did, amount: 10, releaseRules, autoFund: true });
  checkEscrow('Ada funds 10 for whoever knows the secret', locked, { status: 'funded', remaining: 10 });
  const claimWith = (preimage: Buffer) =>
    ben.client.escrows.release(locked, { amount: 10, evidence: { preimage: preimage.toString('hex') } });
  await refused('Ben guesses', claimWith(randomBytes(32)), 409, 'ESCROW_RULE_NOT_MET');
  checkEscrow('Ben shows the secret', (await claimWith(secret)).escrow, { status: 'released', released: 10 });
  await ada.has(24);
  await ben.has(174);
}

async function refundAndExpiry(ada: Person, ben: Person): Promise<void> {
  step('An escrow that is refunded, and one that expires');
  const { escrows } = ben.client;
  const manual = { beneficiary: ada.did, releaseRules: [{ type: 'manual' }], autoFund: true };
  const third = await escrows.create({ ...manual, amount: 20 });
  const refund = await escrows.refund(third, { amount: 20, reason: 'changed his mind' });
  checkEscrow('Ben takes 20 back', refund.escrow, { status: 'refunded', refunded: 20 });
  // The deadline counts from the node's clock, which may differ from the local one.
  const fourth = await escrows.create({ ...manual, amount: 5, expiresAt: refund.timestamp + expiresInMs });
  checkEscrow('Ben funds 5 for a short while', fourth, { status: 'funded', remaining: 5 });
  await refused('it is not over yet', escrows.expire(fourth.id), 409, 'ESCROW_INVALID_STATE');
  await ben.has(169, 0, 5);
  await pause(expiresInMs);
  await expireUnlessTheClockDid(ada.client, fourth.id);
  const { resourcePrev: _, ...expired } = await escrows.get(fourth.id);
  checkEscrow('its time is over', expired, { status: 'expired', refunded: 5, remaining: 0 });
  await ben.has(174);
}

/**
 * Anyone may expire an escrow after its deadline, and soon the node's clock does it as well. If both coincide, this
 * request is refused just before the clock's entry is durable and visible.
 */
async function expireUnlessTheClockDid(client: Client, id: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    if ((await client.escrows.get(id)).status !== 'funded') return;
    try {
      await client.escrows.expire(id);
    } catch (error) {
      if (!(error instanceof ApiError && error.refusal === 'ESCROW_INVALID_STATE')) throw error;
      await pause(50);
    }
  }
}

async function capability(ada: Person): Promise<void> {
  step('A capability credential');
  const registered = await ada.client.identities.registerCapability(ada.did, {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiableCredential', 'CapabilityCredential'],
    issuer: ada.did,
    credentialSubject: { id: ada.did, capability: 'translation', languages: ['de', 'en'] },
  });
  const { credential } = registered;
  check('Ada registers it; the node proves it with her key', credential?.proof.cryptosuite, 'eddsa-jcs-2022', {
    aside: `event ${short(registered.eventHash)}`,
  });
  const { capabilities } = await ada.client.identities.capabilities(ada.did);
  check('everybody reads the same', capabilities, [credential], { as: '1 capability' });
}

async function journal(client: Client, { ada, ben }: Cast, head: number): Promise<void> {
  step('The journal has it all');
  const names = new Map([
    [ada.did, 'Ada'],
    [ben.did, 'Ben'],
  ]);
  const events: Entry[] = [];
  for await (const entry of client.events.all({ after: head })) if (names.has(entry.event.issuer)) events.push(entry);
  for (const { seq, event } of events) {
    tell(`${String(seq).padStart(6)}  ${names.get(event.issuer)} #${event.nonce}`, event.type, short(event.hash));
  }
  const typesOf = (did: string) => events.filter(({ event }) => event.issuer === did).map(({ event }) => event.type);
  const escrow = (...acts: string[]) => acts.map((act) => `escrow.${act}`);
  const adas = ['identity.updated', 'transfer.sent', ...escrow('created', 'funded', 'released', 'released', 'created')];
  const bens = ['identity.updated', 'transfer.sent', ...escrow('released', 'created', 'refunded', 'created')];
  // The clock may have been faster than Ada.
  const expired = typesOf(ada.did).includes('escrow.expired') ? ['escrow.expired'] : [];
  check('Ada signed these, in order', typesOf(ada.did), [...adas, ...expired, 'capability.registered'], {
    as: `${adas.length + expired.length + 1} events`,
  });
  check('Ben signed these, in order', typesOf(ben.did), bens, { as: `${bens.length} events` });
  const first = await client.events.get(events[0]!.event.hash);
  check('her first event, read by its hash, verifies here', violationOf(first), undefined, {
    as: 'Ed25519 ✓',
    aside: `by ${shortName(first.event.issuer)}`,
  });
  const forged = { ...first, event: { ...first.event, nonce: 3 } };
  check('and would not with another nonce', violationOf(forged), 'its hash is not that of its body');
}

function checkEscrow(what: string, escrow: Partial<Escrow> & { readonly id: string }, expected: Partial<Escrow>): void {
  const names = Object.keys(expected) as (keyof Escrow)[];
  check(what, pick(escrow, ...names), expected, { as: String(escrow.status), aside: asideOf(escrow) });
}

const asideOf = ({ id, resourcePrev }: Partial<Escrow>): string =>
  `${shortName(id ?? '')}${resourcePrev ? `, version ${short(resourcePrev)}` : ''}`;

const pick = <T extends object>(from: T, ...names: (keyof T)[]): Partial<T> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<T>;
