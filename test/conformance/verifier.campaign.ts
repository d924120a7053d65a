/** The verifier of examples/verifier, written from docs/reference/journal-format.md, on a journal with everything that there is. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { isRefusal } from '../../src/core/refusal.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { moderationKind } from '../../src/machines/moderation/moderation.js';
import { expectStatus } from '../node/support/answers.js';
import { FakeChain } from '../node/support/chain.js';
import type { Body, Client } from '../node/support/client.js';
import { OwnKey, sha256 } from '../node/support/independent.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { derivedExercises, ownExercises } from './exercises.js';

const folder = 'examples/verifier';
const canRun = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

/** Requests of kinds that have no machine. */
const exercised = [
  ...['updateIdentity', 'registerCapability', 'transfer', 'withdraw', 'claimFaucet'],
  ...['freezeAccount', 'unfreezeAccount', 'withdrawFees'],
];

(canRun ? describe : describe.skip)('A verifier of one’s own', () => {
  let node: TestNode;
  let admin: Client;
  let parties: readonly string[];
  let file: string;
  /** Erased texts of public payloads. */
  let erased: ReadonlySet<string>;

  before(async () => {
    const chain = new FakeChain();
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain } });
    node.world.hold();
    const [ada, ben] = [await node.rich(1_000), await node.person()];
    admin = await node.keyed({ scope: 'admin' });
    const own = ownExercises({ node, ada, ben, admin });
    for (const exercise of Object.values(await derivedExercises(node))) await exercise();
    for (const name of exercised) expect((await own[name]!()).status, name).to.be.below(300);
    await releases(ada, ben);
    await lapses(ada, ben);
    await erases();
    for (const [action, owners] of [
      ['hide', { owners: [ben.did] }],
      ['show', {}],
    ] as const)
      await node.operate(moderationKind, ben.did, action, { reason: 'of a test', operator: 'on call', ...owners });
    await correctsClock();
    const { eventHash: event } = await ada.pays(ben.did, 1, { memo: 'after the correction' });
    await ben.pays(ada.did, 1, { onwardOf: { home: node.did, event } });
    const { events, kinds } = await journal();
    expect([...kinds].sort()).to.include.members(Object.keys(catalogue.definitions).filter(isWritten));
    file = join(node.dir, 'entries.jsonl');
    writeFileSync(file, events.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    erased = new Set(events.flatMap(({ leaves = {} }) => Object.values<Body>(leaves).flatMap(erasedIn)));
    expect(erased.size).to.be.at.least(5);
    parties = [ben.did, ...mostOften(events.filter(({ sealed }) => sealed).map(({ event }) => event.issuer))];
  });
  after(() => node?.discard());

  /** Kinds that are written, and not only moved: the ledger’s accounts have no versions, and no chain has deposits here. */
  const isWritten = (kind: string) => kind !== 'account' && kind !== 'deposit';

  async function journal() {
    const events: Body[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: Body = expectStatus(await node.client.get(`/api/v1/events?limit=100&after=${after}`));
      events.push(...page.events);
      after = page.next;
    }
    return { events, kinds: new Set<string>(events.flatMap(({ versions }) => versions.map(({ kind }: Body) => kind))) };
  }

  /** An escrow whose rules are each met once; its beneficiary is the first of the parties whose reading is verified. */
  async function releases(ada: Person, ben: Person): Promise<void> {
    const key = OwnKey.fresh();
    const preimage = 'aa55';
    const releaseRules = [
      { id: 'secret', type: 'hash', hash: sha256(Buffer.from(preimage, 'hex')).toString('hex') },
      { id: 'signed', type: 'signature', signers: [key.did] },
      { id: 'due', type: 'time', after: node.world.now() + 1 },
      { id: 'seen', type: 'inspection', requiresReason: true },
      { type: 'manual' },
    ];
    const body = { beneficiary: ben.did, amount: 50, releaseRules, autoFund: true };
    const escrow = await ada.does('/api/v1/escrows', body);
    node.world.outrun(2);
    const { resourcePrev } = expectStatus(
      await ben.act(escrow, 'release', { ...some('secret'), evidence: { preimage } }),
    );
    const text = `svc:escrow-release:v2:devnet:${node.did}:${escrow.escrowId}:${resourcePrev}:10`;
    const signatures = [{ did: key.did, signature: key.sign(text).toString('base64url') }];
    expectStatus(await ben.act(escrow, 'release', { ...some('signed'), resourcePrev, evidence: { signatures } }));
    expectStatus(await ben.act(escrow, 'release', some('due')));
    expectStatus(await ada.act(escrow, 'release', { ...some('seen'), reason: 'it is there' }));
    expectStatus(await ada.act(escrow, 'release', some('rule-5')));
  }

  /** What the clock alone may do. */
  async function lapses(ada: Person, ben: Person): Promise<void> {
    const { escrowId } = await ada.does('/api/v1/escrows', {
      ...{ beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }] },
      expiresAt: node.world.now() + dayMs,
    });
    node.world.outrun(dayMs + 1);
    await node.operate('escrow', escrowId, 'lapse', {});
  }

  /** One text of each type of event, the confidential ones included. */
  async function erases(): Promise<void> {
    const { events } = await journal();
    const byType = new Map(events.map(({ event }) => [event.type, event.hash]));
    for (const hash of byType.values()) {
      const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?event=${hash}`));
      const [one] = leaves.filter(({ erased }: Body) => !erased);
      if (one) expectStatus(await admin.post(`/api/v1/admin/leaves/${one.leaf}/actions/redact`, { reason: 'a test' }));
    }
  }

  async function correctsClock(): Promise<void> {
    node.world.outrun(-dayMs);
    const { seq } = await node.store.head();
    const [newest] = await node.store.entries({ after: seq - 1, limit: 1 });
    const reason = { reason: 'it was a day ahead', operator: 'a test' };
    const corrected = await node.operate('node', node.did, 'correct-clock', reason);
    if (isRefusal(corrected)) expect.fail(corrected.detail);
    expect(corrected.entry.core.time).to.be.below(newest!.core.time);
  }

  async function runs(script: string, ...args: readonly string[]) {
    const child = spawn('python3', [join(folder, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    const [status] = await once(child, 'close');
    const counts = output.trimEnd().split('\n').at(-1)!;
    return { status, output, counts: counts.startsWith('{') ? (JSON.parse(counts) as { [name: string]: number }) : {} };
  }

  it('takes it as readers without a key see it, with every receipt, state and erased text', async () => {
    const { status, output, counts } = await runs('verifier.py', node.url);
    expect(status, output).to.equal(0);
    for (const what of ['payloads', 'sealed', 'leaves', 'receipts', 'states'])
      expect(counts[what], what).to.be.at.least(80);
    expect(counts).to.include({ entries: (await node.store.head()).seq, erased: erased.size });
  });

  it('takes it as parties read it, with their confidential payloads and states', async () => {
    const keyless = await runs('verifier.py', '--file', file);
    const found: number[] = [];
    for (const did of parties) {
      const { key } = await node.key({ scope: 'read', did });
      const { status, output, counts } = await runs('verifier.py', node.url, '--key', key);
      expect(status, output).to.equal(0);
      expect(counts.sealed).to.be.below(keyless.counts.sealed!);
      if (did === parties[0]) expect(counts['release rules'], 'rules met, of every type').to.be.at.least(5);
      found.push(counts.erased!);
    }
    expect(Math.max(...found), 'erased texts, also confidential ones').to.be.above(erased.size);
  });

  it('takes no journal in which a value of any member is another, nor one that its home has rewritten', async () => {
    const { status, output, counts } = await runs('test_verifier.py', file, node.url);
    expect(status, output).to.equal(0);
    expect(counts.values).to.be.at.least(1_000);
    expect(counts.rewritten).to.be.at.least(20);
  });
});

const erasedIn = (leaf: Body): readonly string[] => (leaf.erased ? [leaf.leaf] : []);

const some = (ruleId: string): Body => ({ amount: 10, ruleId });

/** The two that occur most often. */
function mostOften(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 2)
    .map(([name]) => name);
}
