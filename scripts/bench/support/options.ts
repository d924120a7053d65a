/** The command line options: `npm run bench -- [subject ...] [--seconds n] [--rounds n]`. */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    /** Seconds at the beginning that are not measured: they cost several times as much as the rest. */
    'warm-up': { type: 'string', default: '5' },
    resources: { type: 'string', default: '100000' },
    /** Where data directories are made for the time of the run. @default the system's */
    dir: { type: 'string' },
    /** A data directory with listings from an earlier run, or where this run creates one and leaves it. */
    'listings-dir': { type: 'string' },
    /** The same for escrows. */
    'escrows-dir': { type: 'string' },
    /** The same for the journals of `audit`. */
    'journal-dir': { type: 'string' },
    /** A folder for the results as files (results.ts). */
    out: { type: 'string' },
    /** A folder for V8's CPU profiles of the nodes. */
    'cpu-prof': { type: 'string' },
  },
});

export const subjects: readonly string[] = positionals;

export const options = {
  /** Length of one measurement. */
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  warmUpSeconds: Number(values['warm-up']),
  resources: Number(values.resources),
  dir: values.dir,
  listingsDir: values['listings-dir'],
  escrowsDir: values['escrows-dir'],
  journalDir: values['journal-dir'],
  out: values.out,
  nodeFlags: values['cpu-prof'] ? ['--cpu-prof', `--cpu-prof-dir=${values['cpu-prof']}`] : [],
} as const;
