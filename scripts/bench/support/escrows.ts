/**
 * A data directory with many resources, created once a run; all resources and their history belong to one depositor.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realEnvironment } from '../../../src/core/environment.js';
import { signerOf } from '../../../src/keys/signing.js';
import { options } from './options.js';
import { Founder, type Person, scratch } from './people.js';
import { say } from './report.js';

export interface Escrows {
  readonly dir: string;
  /** Has one line of history for each resource. */
  readonly depositor: Person;
  readonly people: readonly Person[];
  /** A DID that the node does not know. */
  readonly stranger: string;
}

const others = 64;
let made: Promise<Escrows> | undefined;

export function escrows(): Promise<Escrows> {
  made ??= make();
  return made;
}

async function make(): Promise<Escrows> {
  const dir = options.escrowsDir ?? (await scratch());
  const note = join(dir, 'bench-escrows.json');
  if (!existsSync(note)) writeFileSync(note, JSON.stringify(await fill(dir)));
  return { ...(JSON.parse(readFileSync(note, 'utf8')) as Omit<Escrows, 'dir'>), dir };
}

async function fill(dir: string): Promise<Omit<Escrows, 'dir'>> {
  const from = realEnvironment.monotonic();
  const founder = await Founder.open(dir);
  const [depositor, ...people] = await founder.people(1 + others, 1_000_000_000);
  await founder.escrows(depositor!, people[0]!.did, options.resources);
  await founder.close();
  const seconds = (realEnvironment.monotonic() - from) / 1_000;
  say(`\n${options.resources} escrows made through the actors in ${seconds.toFixed(0)} s`);
  return { depositor: depositor!, people, stranger: signerOf(realEnvironment.random(32)).did };
}
