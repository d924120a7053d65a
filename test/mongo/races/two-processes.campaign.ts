/** Two processes race for the same nonces and escrows: one order explains all answers, and the balances add up. */
import { expect } from 'chai';
import { expectStatus } from '../../node/support/answers.js';
import type { Reply } from '../../node/support/client.js';
import type { Person } from '../../node/support/person.js';
import { isLong } from '../../support/long.js';
import { clusterForSuite } from '../support/cluster.js';
import { type Asked, contradiction, type Observed, type Write } from '../support/linear.js';
import { describeMongo } from '../support/server.js';

const operations = isLong ? 10_000 : 400;
const people = 6;
const lanes = 5;
const funds = 100_000;
const escrowAmount = 40;

interface Answer extends Asked {
  readonly did: string;
  readonly nonce: number;
  readonly escrow: string | undefined;
  readonly amount: number;
  readonly reply: Reply;
}

interface Look extends Asked {
  readonly did: string;
  readonly nonce: number;
}

describeMongo('two processes on one database', () => {
  const cluster = clusterForSuite(2);
  const answers: Answer[] = [];
  const looks: Look[] = [];
  const escrows: { readonly id: string; readonly depositor: number }[] = [];
  let crowd: Person[][];
  let asked = 0;

  async function timed<T>(through: number, work: () => Promise<T>): Promise<Asked & { readonly came: T }> {
    const from = performance.now();
    const came = await work();
    return { from, until: performance.now(), through, came };
  }

  async function look(index: number, through: number): Promise<number> {
    const { came, ...when } = await timed(through, () => crowd[index]![through]!.wallet());
    looks.push({ ...when, did: came.did, nonce: came.nonce });
    return came.nextNonce;
  }

  /** Sends an action with a nonce that others may send too. */
  async function act(index: number, through: number, nonce: number): Promise<void> {
    const person = crowd[index]![through]!;
    const own = escrows.filter(({ depositor }) => depositor === index);
    const amount = 1 + Math.floor(Math.random() * 9);
    const escrow = Math.random() < 0.5 ? own[Math.floor(Math.random() * own.length)]?.id : undefined;
    const [path, body] = escrow
      ? [`/api/v1/escrows/${escrow}/actions/release`, { amount }]
      : ['/api/v1/transfers', { to: crowd[(index + 1) % people]![0]!.did, amount }];
    const { came, ...when } = await timed(through, () => person.write(path, { ...body, nonce }));
    answers.push({ ...when, did: person.did, nonce, escrow, amount, reply: came });
  }

  async function lane(through: number): Promise<void> {
    while (asked < operations) {
      asked++;
      const index = Math.floor(Math.random() * people);
      const next = await look(index, through);
      await act(index, through, Math.max(1, next + (Math.random() < 0.1 ? -1 : 0)));
    }
  }

  it(`${operations} times: each DID’s answers fit one order of its nonces`, async () => {
    crowd = await Promise.all(Array.from({ length: people }, () => cluster().person(funds)));
    for (let index = 0; index < people; index++) {
      for (let n = 0; n < operations / 200; n++) {
        const beneficiary = crowd[(index + 1) % people]![0]!.did;
        const terms = { beneficiary, amount: escrowAmount, releaseRules: [{ type: 'manual' }], autoFund: true };
        const { from, until, through, came } = await timed(0, () => crowd[index]![0]!.write('/api/v1/escrows', terms));
        const { escrowId, nonce } = expectStatus(came, 201);
        const { did } = crowd[index]![0]!;
        answers.push({ from, until, through, did, nonce, escrow: undefined, amount: 0, reply: came });
        escrows.push({ id: escrowId, depositor: index });
      }
    }
    await Promise.all(Array.from({ length: 2 * lanes }, (_, n) => lane(n % 2)));
    for (const [person] of crowd) {
      const own = answers.filter(({ did }) => did === person!.did);
      const writes = own.flatMap((each): Write[] => (each.reply.status < 300 ? [{ ...each, place: each.nonce }] : []));
      const refused = own.flatMap((each): Observed[] =>
        each.reply.body.nextNonce === undefined ? [] : [{ ...each, stood: each.reply.body.nextNonce - 1, lateMs: 0 }],
      );
      const seen = looks.flatMap((each): Observed[] =>
        each.did === person!.did ? [{ ...each, stood: each.nonce, lateMs: 1_000 }] : [],
      );
      expect(contradiction(writes, [...refused, ...seen]), person!.did).to.equal(undefined);
      expect(writes.length).to.equal((await person!.wallet()).nonce);
    }
  });

  it('so do the answers about each escrow', async () => {
    for (const { id } of escrows) {
      const entries = await cluster()
        .node(1)
        .store.entries({ after: 0, limit: 1_000, resource: `escrow/${id}` });
      const places = new Map(entries.map(({ core }, index) => [core.event.hash, index]));
      const own = answers.filter(({ escrow }) => escrow === id);
      const accepted = own.filter(({ reply }) => reply.status < 300);
      const writes = accepted.map((each): Write => ({ ...each, place: places.get(each.reply.body.eventHash)! }));
      expect(contradiction(writes, []), id).to.equal(undefined);
      expect(writes, 'each entry but the first was acknowledged').to.have.length(entries.length - 1);
      for (const { reply, amount, until } of own) {
        if (reply.status < 300 || reply.body.nextNonce !== undefined) continue;
        expect(reply.body.code, reply.text).to.be.oneOf(['UNPROCESSABLE', 'ESCROW_INVALID_STATE']);
        // The remainder only shrinks, so at the time of the answer at the latest too little was left.
        const gone = accepted.filter(({ from }) => from < until).reduce((sum, each) => sum + each.amount, 0);
        expect(escrowAmount - gone, `${id}: ${reply.body.detail}`).to.be.below(amount);
      }
    }
  });

  it('there was a race, and nothing else was answered', () => {
    const tally: { [code: string]: number } = {};
    for (const { reply } of answers) {
      const code = reply.status < 300 ? 'accepted' : String(reply.body.code);
      tally[code] = (tally[code] ?? 0) + 1;
    }
    expect(Object.keys(tally)).to.include.members(['accepted', 'CONFLICT']);
    const usual = ['accepted', 'CONFLICT', 'UNPROCESSABLE', 'ESCROW_INVALID_STATE'];
    expect(Object.keys(tally).filter((code) => !usual.includes(code))).to.deep.equal([]);
    expect(tally.accepted, JSON.stringify(tally)).to.be.above(operations / 4);
    expect(tally.CONFLICT, JSON.stringify(tally)).to.be.above(operations / 20);
  });

  it('no Token was made or lost', async () => {
    for (const { store } of cluster().nodes) {
      const { supply, fees, available, reserved, escrowed } = await store.totals();
      expect(available + reserved + escrowed + fees).to.equal(supply);
      expect(supply).to.equal(people * funds);
    }
  });
});
