/** The faults of a history, and their frequency. */
import type { TradeLimit } from '../../../src/peers/trade/limits.js';
import { own } from './disk.js';
import type { Draws } from './draws.js';
import type { Home } from './home.js';
import type { Link, Network } from './network.js';
import { steps } from './steps.js';

/** A history as faults see it. */
export interface Troubled {
  readonly draws: Draws;
  readonly network: Network;
  readonly homes: readonly Home[];
  log(line: string): void;
  /** Whether disks lose nothing that was durable in this history. */
  readonly isLossless: boolean;
  write(home: Home): boolean;
  rush(at: Home): void;
  /** A resident of the first home earns and spends Tokens at the other one. */
  earnAndSpend(home: Home, at: Home): void;
  /** The operator of the home limits its trade with the other one. */
  limit(home: Home, other: Home, limit: TradeLimit): void;
  /** The operator of a home withdraws what it holds at the other one. */
  withdraw(home: Home, at: Home): void;
  /** The operator of a home gives up an open request to another one that is away. @returns the home */
  giveUp(): Home | undefined;
  /** The two can no longer rely on each other for a start. */
  separated(one: Home, other: Home): void;
}

const weights = {
  write: 50,
  burst: 16,
  rush: 8,
  earnAndSpend: 6,
  cut: 6,
  cutBoth: 5,
  partition: 5,
  heal: 12,
  unreliable: 6,
  slow: 4,
  breakConnections: 5,
  busy: 4,
  kill: 5,
  dieSoon: 8,
  dieAtStep: 14,
  limit: 4,
  giveUp: 14,
  withdraw: 7,
  diskFault: 2,
  setClock: 3,
  backup: 3,
  restore: 4,
  loseOwnTail: 4,
  loseReplicaTail: 2,
} as const;
export type Trouble = keyof typeof weights;
const lossless = { ...weights, restore: 0, loseOwnTail: 0, loseReplicaTail: 0 };

/** The longest delay. */
const slowMs = 1_500;
const mostSkewMs = 5_000;

/** So few answers that requests wait, and so few Tokens beyond those at the start that some are refused. */
export const drawLimit = (draws: Draws): TradeLimit => ({
  mostAtRisk: draws.pick([null, null, 60, 70, 90]),
  answersPerSecond: draws.pick([0.5, 1, 500]),
});

const causes: { readonly [T in Trouble]: (history: Troubled, home: Home, other: Home) => void } = {
  write: (history, home) => void history.write(home),
  burst(history, home) {
    for (let left = history.draws.between(2, 8); left > 0; left--) history.write(home);
  },
  rush: (history, home) => history.rush(home),
  earnAndSpend: (history, home, other) => history.earnAndSpend(home, other),
  cut: (history, home, other) => change(history, home, other, { isCut: true }),
  cutBoth(history, home, other) {
    change(history, home, other, { isCut: true });
    change(history, other, home, { isCut: true });
  },
  partition(history) {
    const side = new Set(history.homes.filter(() => history.draws.chance(0.5)));
    for (const one of history.homes) {
      for (const other of history.homes) {
        if (one !== other && side.has(one) !== side.has(other)) change(history, one, other, { isCut: true });
      }
    }
  },
  heal(history, home, other) {
    if (history.draws.chance(0.3)) history.network.heal();
    reconnect(history, home, other);
  },
  unreliable(history, home, other) {
    change(history, home, other, { lossy: history.draws.below(5) / 10, duplicating: history.draws.below(5) / 10 });
  },
  slow: (history, home, other) => change(history, home, other, { delayMs: history.draws.between(50, slowMs) }),
  breakConnections(history, home, other) {
    history.separated(home, other);
    history.network.break(home.name, other.name);
  },
  busy(history, home) {
    home.busyUntil = history.network.scheduler.now + history.draws.between(100, 2_000);
  },
  kill: (_, home) => home.process?.die('killed'),
  dieSoon({ draws }, home) {
    home.process?.dieAt({ left: draws.pick([0, 1, 2, 3, 5, 10, 30]), isBefore: draws.chance(0.5) });
  },
  dieAtStep({ draws }, home) {
    home.process?.dieAt({
      left: 0,
      isBefore: draws.chance(0.5),
      step: draws.pick([...steps, 'homeward', 'homeward'] as const),
    });
  },
  limit: (history, home, other) => history.limit(home, other, drawLimit(history.draws)),
  giveUp(history) {
    const { draws } = history;
    const home = history.giveUp();
    const step = draws.pick(['give-up', 'note', 'note', undefined] as const);
    if (step) home?.process?.dieAt({ left: 0, isBefore: draws.chance(0.5), step });
  },
  withdraw(history, home, other) {
    const { draws } = history;
    const deadly = draws.pick([home, other, other]);
    // At one of the first reads and writes of the withdrawal, or at a step of it.
    if (draws.chance(0.2)) home.process?.dieAt({ left: draws.below(12), isBefore: draws.chance(0.5) });
    else if (draws.chance(0.5)) {
      const step = deadly === home ? draws.pick(['withdraw', 'close'] as const) : 'pay out';
      deadly.process?.dieAt({ left: 0, isBefore: draws.chance(0.5), step });
    }
    history.withdraw(home, other);
  },
  diskFault({ draws }, home) {
    home.disk.fault = draws.pick(['fail', 'lose']);
  },
  setClock({ draws }, home) {
    home.skewMs = draws.between(-mostSkewMs, mostSkewMs);
  },
  backup(_, home) {
    home.backup = home.disk.backup();
  },
  restore(history, home) {
    const { backup } = home;
    if (backup) setBack(history, home, 'an older backup is restored', () => home.disk.restore(backup));
  },
  loseOwnTail(history, home) {
    const lost = history.draws.between(1, 4);
    setBack(history, home, `the last ${lost} writes are lost`, () => home.disk.loseTail(own, lost));
  },
  loseReplicaTail(history, home, other) {
    const lost = history.draws.between(1, 4);
    setBack(history, home, `the last ${lost} writes of a replica are lost`, () => home.disk.loseTail(other.did, lost));
  },
};

/** Causes a fault, or repairs one. @returns which */
export function causeTrouble(history: Troubled): Trouble {
  const trouble = history.draws.weighted(history.isLossless ? lossless : weights);
  const home = history.draws.pick(history.homes);
  const other = history.draws.pick(history.homes.filter((each) => each !== home));
  if (trouble !== 'write' && trouble !== 'burst' && trouble !== 'rush')
    history.log(`${trouble}: ${home.name}, ${other.name}`);
  causes[trouble](history, home, other);
  return trouble;
}

/** Cuts the home off, and takes the newest writes from its disk: alone, it continues with a second journal. */
export function forkAlone(history: Troubled, home: Home, writesLost: number): void {
  for (const other of history.homes) {
    if (other !== home) causes.cutBoth(history, home, other);
  }
  setBack(history, home, `the last ${writesLost} writes are lost`, () => home.disk.loseTail(own, writesLost));
}

/** Connects the two homes. */
export function reconnect(history: Troubled, one: Home, other: Home): void {
  for (const [from, to] of [[one, other] as const, [other, one] as const]) {
    change(history, from, to, { isCut: false, lossy: 0, duplicating: 0, delayMs: 8 });
  }
}

function change(history: Troubled, from: Home, to: Home, link: Partial<Link>): void {
  Object.assign(history.network.link(from.name, to.name), link);
  history.separated(from, to);
}

function setBack(history: Troubled, home: Home, what: string, set: () => Promise<void>): void {
  home.afterDeath = async () => {
    history.log(`${home.name}: ${what}`);
    await set();
  };
  home.process?.die('the machine is gone');
}
