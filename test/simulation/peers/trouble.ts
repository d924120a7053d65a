/** The faults of a history, and their frequency. */
import type { Draws } from './draws.js';
import type { Home } from './home.js';
import type { Link, Network } from './network.js';

/** A history as faults see it. */
export interface Troubled {
  readonly draws: Draws;
  readonly network: Network;
  readonly homes: readonly Home[];
  log(line: string): void;
  /** Whether disks lose nothing that was durable in this history. */
  readonly isLossless: boolean;
  /** Whether residents act at other homes. */
  readonly hasVisits: boolean;
  write(home: Home): void;
  /** The two can no longer rely on each other for a start. */
  separated(one: Home, other: Home): void;
}

const weights = {
  write: 50,
  burst: 16,
  cut: 6,
  cutBoth: 5,
  partition: 5,
  heal: 12,
  unreliable: 6,
  slow: 4,
  breakConnections: 5,
  kill: 5,
  dieSoon: 12,
  diskFault: 2,
  cardFault: 2,
  loseCards: 2,
  setClock: 3,
  backup: 3,
  restore: 2,
  loseTail: 2,
  forkAlone: 10,
  loseActs: 0,
} as const;
export type Trouble = keyof typeof weights;
const lossless = { ...weights, restore: 0, loseTail: 0, forkAlone: 0 };

/** The longest delay. */
const slowMs = 1_500;
const mostSkewMs = 5_000;

const causes: { readonly [T in Trouble]: (history: Troubled, home: Home, other: Home) => void } = {
  write: (history, home) => history.write(home),
  burst(history, home) {
    for (let left = history.draws.between(2, 8); left > 0; left--) history.write(home);
  },
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
  kill: (_, home) => home.process?.die('killed'),
  dieSoon({ draws }, home) {
    home.process?.dieAt({ left: draws.pick([0, 1, 2, 3, 5, 10, 30]), isBefore: draws.chance(0.5) });
  },
  diskFault({ draws }, home) {
    home.disk.fault = draws.pick(['fail', 'lose']);
  },
  cardFault(_, home) {
    home.cards.fails = true;
  },
  loseCards(_, home) {
    home.cards.tables = undefined;
  },
  setClock({ draws }, home) {
    home.skewMs = draws.between(-mostSkewMs, mostSkewMs);
  },
  backup(_, home) {
    home.backup = home.disk.length;
  },
  restore(history, home) {
    const { backup } = home;
    if (backup !== undefined) setBack(history, home, 'an older backup is restored', () => home.disk.cut(backup));
  },
  loseTail(history, home) {
    loseTail(history, home, history.draws.between(1, 4));
  },
  /** Alone, it continues with a second journal. */
  forkAlone(history, home) {
    for (const other of history.homes) if (other !== home) causes.cutBoth(history, home, other);
    loseTail(history, home, history.draws.between(1, 8));
  },
  loseActs: (history, home) =>
    setBack(history, home, 'it is restored from mirrors', () =>
      home.disk.forget(['acts', 'open-acts', 'onward', 'onward-read']),
    ),
};

/** Causes a fault, or repairs one. @returns which */
export function causeTrouble(history: Troubled): Trouble {
  const usual = history.isLossless ? lossless : weights;
  const trouble = history.draws.weighted(history.hasVisits ? { ...usual, loseActs: 4 } : usual);
  const home = history.draws.pick(history.homes);
  const other = history.draws.pick(history.homes.filter((each) => each !== home));
  if (trouble !== 'write' && trouble !== 'burst') history.log(`${trouble}: ${home.name}, ${other.name}`);
  causes[trouble](history, home, other);
  return trouble;
}

/** Connects the two homes. */
function reconnect(history: Troubled, one: Home, other: Home): void {
  for (const [from, to] of [[one, other] as const, [other, one] as const]) {
    change(history, from, to, { isCut: false, lossy: 0, duplicating: 0, delayMs: 8 });
  }
}

function change(history: Troubled, from: Home, to: Home, link: Partial<Link>): void {
  Object.assign(history.network.link(from.name, to.name), link);
  history.separated(from, to);
}

function loseTail(history: Troubled, home: Home, lost: number): void {
  setBack(history, home, `the last ${lost} writes are lost`, () => home.disk.cut(home.disk.length - lost));
}

function setBack(history: Troubled, home: Home, what: string, set: () => Promise<void>): void {
  home.afterDeath = async () => {
    history.log(`${home.name}: ${what}`);
    await set();
  };
  home.process?.die('the machine is gone');
}
