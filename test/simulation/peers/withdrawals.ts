/** What operators withdraw at other homes. A command whose answer has not come is repeated with its key, and pays once. */
import { isRefusal } from '../../../src/core/refusal.js';
import type { AskedPayout } from '../../../src/peers/trade/trade-options.js';
import type { Draws } from './draws.js';
import { accountOf } from './genesis.js';
import { type Home, purse, vault } from './home.js';
import type { Operations } from './operations.js';
import type { Scheduler } from './scheduler.js';

export interface WithdrawalsOptions {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly operations: Operations;
  readonly count: (what: string) => void;
}

interface Command {
  readonly home: Home;
  readonly at: Home;
  readonly payout: AskedPayout;
  readonly debit: ReturnType<Operations['call']>;
  attempts: number;
  isAnswered: boolean;
}

export class Withdrawals {
  #commands: Command[] = [];
  #made = 0;

  constructor(private readonly options: WithdrawalsOptions) {}

  /** The operator of the home withdraws what it holds at the other one, and may repeat the command later. */
  act(home: Home, at: Home): void {
    const { draws, scheduler } = this.options;
    if (!home.isOpen) return;
    const command = this.#new(home, at);
    this.#ask(command);
    if (draws.chance(0.5)) scheduler.after(draws.between(0, 4_000), () => this.#repeat(command));
  }

  /** The home may have lost what it knew of its commands, so they are not repeated. */
  setBack(home: Home): void {
    this.#commands = this.#commands.filter((command) => command.home !== home);
  }

  #new(home: Home, at: Home): Command {
    const { draws, operations } = this.options;
    const [amount, to] = [draws.between(1, 12), draws.chance(0.15) ? vault : purse];
    const payout = { amount, to, idempotencyKey: `withdrawal-${++this.#made}` };
    const debit = operations.call(at.name, accountOf(home.name), { do: 'debit', amount });
    const command = { home, at, payout, debit, attempts: 0, isAnswered: false };
    this.#commands.push(command);
    return command;
  }

  #repeat(command: Command): void {
    if (!command.home.isOpen || !this.#commands.includes(command)) return;
    this.options.count('withdrawal repeated');
    this.#ask(command);
  }

  #ask(command: Command): void {
    const { scheduler, operations, count } = this.options;
    const { home, at, payout, debit } = command;
    scheduler.log(() => `${home.name} withdraws at ${at.name}: ${JSON.stringify(payout)}`);
    command.attempts++;
    void home.withdraw(at.did, payout)?.then((ended) => {
      if (isRefusal(ended)) {
        count(`withdrawal refused before it is sent: ${ended.code}`);
        // Its entry may be on disk nevertheless, or another attempt may write it.
        if (ended.code === 'SERVICE_UNAVAILABLE' || command.attempts > 1) return;
        operations.drop(debit);
        this.#commands = this.#commands.filter((each) => each !== command);
        return;
      }
      this.#read(command);
      // The other home may have accepted what was given up, or may do so still.
      if (command.isAnswered || !/^(accepted|refused)$/.test(ended.state)) return;
      command.isAnswered = true;
      operations.answered(debit, { code: ended.code });
    });
  }

  /** What the other home says that this one has left. */
  #read({ home, at }: Command): void {
    const { operations } = this.options;
    const balance = at.balanceOf(home.name);
    if (!balance) return;
    const read = operations.call(at.name, accountOf(home.name), { do: 'read' });
    void balance.then((found) => operations.returned(read, found));
  }
}
