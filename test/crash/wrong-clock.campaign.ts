/** Real processes whose wall clock is moved by libfaketime, which leaves the boot-time clock alone. */
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { svcNode } from '../cli/support/command.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { Person } from '../node/support/person.js';
import { scratch, tidy } from '../support/scratch.js';
import { ben } from '../world/people.js';
import { auditOf, NodeProcess } from './support/process.js';

const passphrase = 'correct horse battery staple';

/** Where Debian and its kin put it. */
function fakeTime(): string | undefined {
  if (!existsSync('/usr/lib')) return undefined;
  const places = readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime/libfaketime.so.1'));
  return places.find((place) => existsSync(place));
}

const library = fakeTime();

/** A data directory, and the offset of the clock of every process on it. */
class Machine {
  readonly dir = scratch();
  readonly #file = join(this.dir, '..', `${this.dir.split('/').at(-1)}.faketime`);
  node!: NodeProcess;

  constructor() {
    this.set('+0');
  }

  /** Sets the clock at once: `+400d`, `-11m`. */
  set(offset: string): void {
    writeFileSync(`${this.#file}.new`, `${offset}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }

  async start(): Promise<void> {
    const variables = [
      'FAKETIME_NO_CACHE=1',
      'FAKETIME_DONT_FAKE_MONOTONIC=1',
      `FAKETIME_TIMESTAMP_FILE=${this.#file}`,
    ];
    this.node = await NodeProcess.start(this.dir, ['env', `LD_PRELOAD=${library}`, ...variables]);
  }

  async restart(): Promise<void> {
    expect((await this.node.stop()).code).to.equal(0);
    await this.start();
  }

  async person(): Promise<Person> {
    const { did, address } = expectStatus(await this.node.client.post('/api/v1/identities', { passphrase }), 201);
    return new Person(this.node.client, did, address, passphrase, this.dir);
  }

  async ready(): Promise<{ readonly status: string; readonly reasons: readonly string[] }> {
    return (await this.node.client.get('/readyz')).body;
  }

  clock(...words: readonly string[]) {
    return svcNode(['clock', ...words, '--data', this.dir]);
  }

  /** The node's process with its present client. */
  through(who: Person): Person {
    return who.through(this.node.client);
  }
}

const held = ({ status, body }: Reply, why: RegExp): void => {
  expect([status, body.code]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
  expect(body.detail).to.match(why);
};

describe('a process whose clock is wrong', () => {
  let machine: Machine;
  let ada: Person;

  before(function () {
    if (library !== undefined) return;
    process.stdout.write('    skipped, nothing is proved here: no libfaketime\n');
    this.skip();
  });
  beforeEach(async () => {
    machine = new Machine();
    await machine.start();
    ada = await machine.person();
    expectStatus(await machine.node.client.post('/api/v1/faucet', { did: ada.did }));
  });
  afterEach(async () => {
    await machine.node.kill();
  });
  after(tidy);

  const escrow = async (expiresAt: number) => {
    const body = { beneficiary: ben, amount: 1, releaseRules: [{ type: 'manual' }], autoFund: true };
    return machine.through(ada).write('/api/v1/escrows', { ...body, expiresAt });
  };

  for (const [offset, what] of [
    ['+11m', '11 minutes ahead'],
    ['-11m', '11 minutes back'],
    ['+400d', '400 days ahead'],
    ['-400d', '400 days back'],
  ] as const) {
    it(`writes nothing after a jump by ${offset}, nor after a restart, until it is right again`, async () => {
      const [{ escrowId }, eve] = [expectStatus(await escrow(Date.now() + 30 * dayMs), 201), await machine.person()];
      const why = new RegExp(`this machine’s clock has jumped ${what}: nothing is written`);
      machine.set(offset);
      held(await eve.write(`/api/v1/escrows/${escrowId}/actions/expire`), why);
      held(await ada.write('/api/v1/transfers', { to: eve.did, amount: 1 }), why);
      expect((await machine.ready()).reasons.join()).to.match(why);
      const { permittedActions } = expectStatus(await machine.node.client.get(`/api/v1/escrows/${escrowId}`));
      expect(permittedActions).to.have.property('depositor');
      expect(permittedActions).to.not.have.property('anyone');
      const { actions } = expectStatus(await machine.node.client.get(`/api/v1/machines/escrow/${escrowId}/permitted`));
      const { roles } = actions.find(({ action }: { action: string }) => action === 'expire');
      expect(roles.map(({ role, permitted }: Body) => [role, permitted])).to.deep.include(['anyone', false]);
      await machine.restart();
      held(await machine.through(eve).write(`/api/v1/escrows/${escrowId}/actions/expire`), why);
      machine.set('+0');
      ada.nonce = 2;
      await machine.through(ada).pays(eve.did, 1);
      const { status, reasons } = await machine.ready();
      expect([status, reasons.join()]).to.match(/degraded,deadlines wait for another \d+ minutes/);
      await machine.node.stop();
      expect(await auditOf(machine.dir)).to.include({ ok: true });
    });
  }

  it('is asked to decide: the operator says that the clock is right', async () => {
    machine.set('+2h');
    const eve = ada.did;
    const reply = await ada.write('/api/v1/transfers', { to: eve, amount: 1 });
    held(reply, /jumped 2 hours ahead.*svc-node clock accept/);
    const accepted = await machine.clock('accept');
    expect([accepted.code, accepted.stdout + accepted.stderr]).to.match(/^0,The clock is right: the node writes again/);
    const { timestamp } = await ada.pays((await machine.person()).did, 1);
    expect(timestamp).to.be.within(Date.now() + 7_000_000, Date.now() + 7_400_000);
  });

  it('has a remedy for a journal that is ahead: what the runbook says, step by step', async () => {
    expect((await machine.node.stop()).code).to.equal(0);
    // A machine that boots with a wrong clock: nothing is known of the time before.
    const other = new Machine();
    other.set('+400d');
    await other.start();
    machine = other;
    ada = await machine.person();
    expectStatus(await machine.node.client.post('/api/v1/faucet', { did: ada.did }));
    machine.set('+0');
    held(await escrow(Date.now() + 30 * dayMs), /jumped 400 days back/);
    const early = await machine.clock('accept');
    expect([early.code, early.stderr]).to.match(
      /^1,.*400 days behind this node’s newest entry.*svc-node clock correct/s,
    );
    await machine.restart();
    held(await escrow(Date.now() + 30 * dayMs), /400 days behind this node’s newest entry/);
    const done = await machine.clock('correct', '--reason', 'started with a wrong clock', '--operator', 'Ada');
    expect([done.code, done.stdout + done.stderr]).to.match(/^0,Entry \d+ corrects the time: it is 20/);
    ada.nonce = 1;
    const { escrowId } = expectStatus(await escrow(Date.now() + 30 * dayMs), 201);
    const eve = await machine.person();
    expectStatus(await eve.write(`/api/v1/escrows/${escrowId}/actions/expire`), 409);
    const again = await machine.clock('correct', '--reason', 'twice', '--operator', 'Ada');
    expect([again.code, again.stderr]).to.match(/^1,.*nothing to correct/s);
    await machine.node.stop();
    expect(await auditOf(machine.dir)).to.include({ ok: true });
  });
});
