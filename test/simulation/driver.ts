/** Carries out each random command twice: by the model, and by the actors. */
import { createHash } from 'node:crypto';
import type { Accepted } from '../../src/actors/command.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { assert, type Refusal } from '../../src/core/refusal.js';
import { Replay } from '../../src/verify/replay.js';
import { Bench, codeOf, network } from '../world/bench.js';
import { didOf, signer } from '../world/people.js';
import { people, type RuleDraft, type SimulatedCommand } from './commands.js';
import { Model, type ModelClaim, type ModelRule } from './model.js';

const hourMs = 3_600_000;
const secret = 'c0ffee';
const secretHash = createHash('sha256').update(Buffer.from(secret, 'hex')).digest('hex');
const roles = ['depositor', 'beneficiary', 'arbiter'];

type Claiming = Extract<SimulatedCommand, { do: 'release' | 'refund' }>;
type Asked = Exclude<SimulatedCommand, { do: 'advance' | 'restart' }>;
type Creating = Extract<SimulatedCommand, { do: 'create' }>;

export class Driver {
  readonly model = new Model();
  #replay: Replay;

  private constructor(private bench: Bench) {
    this.#replay = new Replay(bench.catalogue, network);
  }

  static async open(): Promise<Driver> {
    const driver = new Driver(await Bench.open());
    for (const name of people) {
      driver.model.mint(name, 100);
      await driver.bench.mint(name, 100);
    }
    await driver.check();
    return driver;
  }

  /** @returns the model's result and the actors' result */
  async run(command: SimulatedCommand): Promise<{ expected: string; actual: string }> {
    if (command.do === 'advance') {
      await this.bench.world.advance(command.hours * hourMs);
      return { expected: '', actual: '' };
    }
    if (command.do === 'restart') {
      this.bench = await this.bench.restart();
      return { expected: '', actual: '' };
    }
    const seq = this.bench.store.tables.journal.length;
    // The actors go first, because the request may depend on the model's previous state.
    const asked = this.#byActors(command);
    const expected = this.#byModel(command);
    const actual = codeOf(await asked);
    const grown = this.bench.store.tables.journal.length - seq;
    assert(grown === (actual === 'accepted' ? 1 : 0), `an accepted request is one entry, a refused one none: ${grown}`);
    return { expected, actual };
  }

  /** The person with the role in the escrow; another person if there is no such escrow. */
  #person({ which, who }: { readonly which: number; readonly who: string }): string {
    const escrow = this.model.escrows.get(idOf({ which }));
    if (who === 'depositor' || who === 'beneficiary' || who === 'arbiter') return escrow?.[who] ?? 'eve';
    return who;
  }

  #byModel(command: Asked): string {
    const { model } = this;
    const now = this.bench.world.now();
    switch (command.do) {
      case 'mint':
        return model.mint(command.to, command.amount);
      case 'transfer':
        return model.transfer(command.from, command.to, command.amount, command.fee);
      case 'freeze':
        return model.freeze(command.whom, command.frozen);
      case 'collect':
        return model.collect(command.to, command.amount);
      case 'create': {
        const expiresAt = command.expiresInHours === null ? null : now + command.expiresInHours * hourMs;
        const [release, refund] = [command.release, command.refund].map((rules) => this.#rules(rules));
        const { depositor, beneficiary, arbiter, amount } = command;
        const given = { depositor, beneficiary, arbiter, amount, release: release!, refund: refund!, expiresAt };
        return model.create(idOf(command), now, given, command.autoFund);
      }
      case 'fund':
        return model.fund(idOf(command), now, this.#person(command), this.#fundAmount(command));
      case 'release':
      case 'refund':
        return model[command.do](idOf(command), now, this.#claim(command));
      case 'expire':
        return model.expire(idOf(command), now);
      case 'giveUp':
        return model.giveUp(idOf(command), now, this.#person(command));
    }
  }

  #byActors(command: Asked): Promise<Accepted | Refusal> {
    const { bench } = this;
    switch (command.do) {
      case 'mint':
        return bench.operate('account', didOf(command.to), 'mint', { amount: command.amount });
      case 'transfer':
        return bench.transfer(command.from, command.to, command.amount, {}, command.fee ? { fee: command.fee } : {});
      case 'freeze':
        return bench.operate('account', didOf(command.whom), command.frozen ? 'freeze' : 'unfreeze');
      case 'collect':
        return bench.operate('account', didOf(command.to), 'collect', {
          to: didOf(command.to),
          amount: command.amount,
        });
      case 'create':
        return bench.ask(command.depositor, 'escrow', idOf(command), 'create', this.#createBody(command));
      case 'fund': {
        const body = { amount: this.#fundAmount(command) };
        return bench.ask(this.#person(command), 'escrow', idOf(command), 'fund', body, {
          resourcePrev: this.#prev(command),
        });
      }
      case 'release':
      case 'refund':
        return this.#claiming(command);
      case 'expire':
      case 'giveUp': {
        const action = command.do === 'expire' ? 'expire' : command.who === 'clock' ? 'lapse' : 'cancel';
        if (command.who === 'clock') return bench.operate('escrow', idOf(command), action);
        return bench.ask(this.#person(command), 'escrow', idOf(command), action, {});
      }
    }
  }

  #prev(command: { which: number }): string {
    return this.bench.store.tables.snapshot('escrow', idOf(command))?.lastHash ?? '0'.repeat(64);
  }

  #fundAmount(command: { which: number; exact: boolean }): number {
    return (this.model.escrows.get(idOf(command))?.amount ?? 1) + (command.exact ? 0 : 1);
  }

  /** Ids are r1 and r2. Times are relative to now. */
  #rules(drafts: readonly RuleDraft[]): ModelRule[] {
    return drafts.map(({ afterHours, ...rest }, index) => ({
      ...rest,
      id: `r${index + 1}`,
      ...(afterHours === undefined ? {} : { after: this.bench.world.now() + afterHours * hourMs }),
    }));
  }

  #createBody(command: Creating): JsonObject {
    const toDid = (name: string) => (roles.includes(name) ? name : didOf(name));
    const written = (rules: readonly RuleDraft[]) =>
      this.#rules(rules).map((rule) => ({
        ...rule,
        ...(rule.by ? { by: rule.by.map(toDid) } : {}),
        ...(rule.signers ? { signers: rule.signers.map(didOf) } : {}),
        ...(rule.type === 'hash' ? { hash: secretHash } : {}),
      }));
    return {
      beneficiary: didOf(command.beneficiary),
      ...(command.arbiter ? { arbiter: didOf(command.arbiter) } : {}),
      amount: command.amount,
      releaseRules: written(command.release) as unknown as JsonObject[],
      refundRules: written(command.refund) as unknown as JsonObject[],
      ...(command.expiresInHours === null
        ? {}
        : { expiresAt: this.bench.world.now() + command.expiresInHours * hourMs }),
      autoFund: command.autoFund,
    };
  }

  #amount({ amount, which }: Claiming): number {
    const escrow = this.model.escrows.get(idOf({ which }));
    if (amount !== 'rest') return amount;
    return escrow ? Math.max(1, escrow.amount - escrow.paid - escrow.back) : 1;
  }

  #claim(command: Claiming): ModelClaim {
    const { cites, secret: brings, signers, reason } = command;
    return {
      who: this.#person(command),
      amount: this.#amount(command),
      ...(cites === undefined ? {} : { cites }),
      knowsSecret: brings === 'right',
      // A refund always states resourcePrev.
      signedBy: command.states || command.do === 'refund' ? signers : [],
      bringsEvidence: brings !== 'none' || signers.length > 0,
      reason: reason || command.do === 'refund',
    };
  }

  #claiming(command: Claiming): Promise<Accepted | Refusal> {
    const { cites, secret: brings, signers, reason } = command;
    const who = this.#person(command);
    const prev = this.#prev(command);
    const amount = this.#amount(command);
    const message = `svc:escrow-${command.do}:v2:${network}:${didOf(this.bench.node)}:${idOf(command)}:${prev}:${amount}`;
    const evidence = {
      ...(brings === 'none' ? {} : { preimage: brings === 'right' ? secret : 'bad0' }),
      ...(signers.length === 0
        ? {}
        : { signatures: signers.map((name) => ({ did: didOf(name), signature: signer(name).sign(message) })) }),
    };
    const body = {
      amount,
      ...(cites === undefined ? {} : { ruleId: cites }),
      ...(Object.keys(evidence).length > 0 ? { evidence } : {}),
      ...(reason || command.do === 'refund' ? { reason: 'because' } : {}),
    };
    const stated = command.states || command.do === 'refund' ? { resourcePrev: prev } : {};
    return this.bench.ask(who, 'escrow', idOf(command), command.do, body, stated);
  }

  /** After every command: the new entries verify and replay, balances equal the model's, and no Token is created or lost. */
  async check(): Promise<void> {
    const { bench, model } = this;
    for (const entry of await bench.store.entries({ after: this.#replay.head.seq, limit: 100 })) {
      const flaw = this.#replay.apply(entry);
      assert(flaw === undefined, `entry ${entry.seq}: ${flaw}`);
    }
    for (const [name, purse] of model.purses) {
      const { available, reserved, escrowed, frozen } = await bench.account(name);
      same(`the account of ${name}`, { available, reserved, escrowed, frozen }, purse);
    }
    for (const [id, escrow] of model.escrows) {
      const { state, context } = bench.store.tables.snapshot('escrow', id)!;
      const { released, refunded } = context;
      const nested = escrow.state === 'created' ? `.${escrow.ended ?? 'open'}` : '';
      same(
        id,
        { state, released, refunded },
        { state: `${escrow.state}${nested}`, released: escrow.paid, refunded: escrow.back },
      );
    }
    const { supply, fees, available, reserved, escrowed } = await bench.store.totals();
    same('supply and fees', { supply, fees }, { supply: model.supply, fees: model.fees });
    same('the sum', available + reserved + escrowed + fees, supply);
  }

  async finish(): Promise<void> {
    const report = await this.bench.audit();
    assert(report.ok, `audit: ${report.flaw?.seq} ${report.flaw?.what}`);
    same('faults', this.bench.faults.length, 0);
  }
}

const idOf = ({ which }: { readonly which: number }): string => `esc-${which}`;

function same(what: string, actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  assert(a === b, `${what}: ${a}, and the model says ${b}`);
}
