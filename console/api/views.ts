/**
 * Views of resources that a line of a list names. They are read one after another, the newest first, and few wait: a busy feed
 * names more than it shows.
 */
import { signal } from '@preact/signals';
import { readKey } from './key.ts';
import { path, read } from './read.ts';
import type { JsonObject } from './types.ts';
import { type Machines, machinesPath } from './use-machines.ts';

const mostWaiting = 20;
const mostKept = 500;

/** Undefined for those that could not be read. */
const known = signal<ReadonlyMap<string, JsonObject | undefined>>(new Map());
let waiting: readonly string[] = [];
let isReading = false;
/** Times that the views were forgotten. */
let forgotten = 0;
let bases: Promise<ReadonlyMap<string, string | undefined>> | undefined;

/** After an operator has hidden, shown or erased something, or with another key, the views are others. */
export function forgetViews(): void {
  forgotten += 1;
  known.value = new Map();
}
readKey.subscribe(forgetViews);

const basesOfKinds = async () => {
  const { machines } = await read<Machines>(machinesPath);
  return new Map(machines.map(({ kind, links }) => [kind, links.resources]));
};

async function viewAt(name: string): Promise<JsonObject | undefined> {
  const at = name.indexOf('/');
  bases ??= basesOfKinds().catch((error: unknown) => {
    bases = undefined;
    throw error;
  });
  const base = (await bases).get(name.slice(0, at));
  return base === undefined ? undefined : read<JsonObject>(base + path`/${name.slice(at + 1)}`);
}

async function readWaiting(): Promise<void> {
  isReading = true;
  for (let name = waiting.at(-1); name !== undefined; name = waiting.at(-1)) {
    const before = forgotten;
    // Without a view the line has the id.
    const view = await viewAt(name).catch(() => undefined);
    if (before !== forgotten) continue; // it is read again
    waiting = waiting.filter((each) => each !== name);
    known.value = new Map([...[...known.value].slice(1 - mostKept), [name, view]]);
  }
  isReading = false;
}

/** The view of a resource, once it is read. A component that calls this is rendered again when it arrives. */
export function viewNamed(kind: string, id: string): JsonObject | undefined {
  const name = `${kind}/${id}`;
  if (!known.value.has(name) && !waiting.includes(name)) {
    waiting = [...waiting, name].slice(-mostWaiting);
    if (!isReading) void readWaiting();
  }
  return known.value.get(name);
}
