/**
 * What the functions of a definition do is part of what it decides, and is in no chart. This lock records beside each
 * version a hash of the source of each guard, effect and change of context, with everything that they call. A function
 * that changes while its version stays is a flaw: entries of that version would replay otherwise.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { canonical, sha256Hex } from '../../src/core/canonical.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { changeNamed } from '../../src/machines/kernel/machine-functions.js';
import type { AnyResource } from '../../src/machines/kernel/resource.js';
import { allVersionsOf, definitionVersion } from '../../src/machines/kernel/versioning.js';

/** By the name of the function, the hash of what it does. */
export type Bodies = { readonly [name: string]: string };
export type BodyLock = { readonly [version: string]: Bodies };

export const lockFile = join('src', 'machines', 'bodies.lock.json');

/** The compiled sources: what runs, without types, and by the statement. */
const compiled = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src');

interface Module {
  readonly text: string;
  /** Statements by each name that they declare. */
  readonly declared: ReadonlyMap<string, string>;
  /** Names in other modules of ours, by the local name. */
  readonly imported: ReadonlyMap<string, { readonly module: string; readonly name: string }>;
}

const plain = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A statement begins where a line begins with neither a space nor a closing bracket. */
const statementsOf = (text: string): string[] => text.replace(/\/\*[\s\S]*?\*\//g, '').split(/\n(?=[^\s)\]}])/);

function moduleAt(file: string): Module {
  const text = readFileSync(file, 'utf8');
  const declared = new Map<string, string>();
  const imported = new Map<string, { module: string; name: string }>();
  for (const statement of statementsOf(text)) {
    const from = /^import ([\s\S]*?) from '(\.[^']*)'/.exec(statement);
    for (const [, name = '', local = name] of (from?.[1] ?? '').matchAll(/(\w+)(?: as (\w+))?/g)) {
      imported.set(local, { module: join(dirname(file), from![2]!), name: from![1]!.startsWith('*') ? '*' : name });
    }
    const [, name] = /^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)/.exec(statement) ?? [];
    if (name) declared.set(name, plain(statement));
  }
  return { text: plain(text), declared, imported };
}

class Sources {
  readonly #modules = new Map<string, Module>();

  constructor() {
    const files = readdirSync(join(compiled, 'machines'), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((each) => each.endsWith('.js'))) this.#at(join(compiled, 'machines', file));
  }

  /** Of a function and of all that it calls within the machines, whatever the order. */
  hashOf(body: unknown): string {
    if (typeof body !== 'function') return sha256Hex(canonical(body ?? null)).slice(0, 16);
    const text = plain(Function.prototype.toString.call(body));
    const found = new Set([text]);
    for (const module of this.#modules.values()) if (module.text.includes(text)) this.#follow(text, module, found);
    return sha256Hex([...found].sort().join('\n')).slice(0, 16);
  }

  #follow(text: string, module: Module, found: Set<string>): void {
    for (const name of new Set(text.match(/(?<![.\w$])[A-Za-z_$][\w$]*/g))) {
      const other = module.imported.get(name);
      // What lies below the machines is no definition's own.
      if (other && !other.module.includes(`${join('src', 'machines')}`)) continue;
      const home = other ? this.#at(other.module) : module;
      const statement = home.declared.get(other?.name ?? name);
      if (statement === undefined || found.has(statement) || isWhole(statement)) continue;
      found.add(statement);
      this.#follow(statement, home, found);
    }
  }

  #at(file: string): Module {
    const module = this.#modules.get(file) ?? moduleAt(file);
    this.#modules.set(file, module);
    return module;
  }
}

/** A machine, a definition, or transitions of one: the chart shows these, and their assignments have lines of their own. */
const isWhole = (statement: string): boolean =>
  /\b(setup|createMachine|defineResource|succeeding|assign)\(/.test(statement);

/** Each function that decides: guards, effects, changes of the context, and how one is made. */
function functionsOf(definition: AnyResource): [name: string, body: unknown][] {
  const { machine, effects, create, roles, nested = {} } = definition;
  return [
    ...Object.entries(machine.implementations.guards as object).map(([name, body]): [string, unknown] => [
      `guard ${name}`,
      body,
    ]),
    ...Object.entries(effects).map(([name, body]): [string, unknown] => [`effect ${name}`, body]),
    ...Object.entries(roles).map(([name, body]): [string, unknown] => [`role ${name}`, body]),
    ['create check', create.check],
    ['create context', create.context],
    ...changesOf(machine),
    ...Object.entries(nested).flatMap(([name, inner]) =>
      changesOf(inner).map(([of, body]): [string, unknown] => [`${name}: ${of}`, body]),
    ),
  ];
}

/** By its name; one without a name after its transition. */
function changesOf(machine: AnyStateMachine): [name: string, body: unknown][] {
  const used = transitionsOf(machine).flatMap(([place, actions]) =>
    actions.map((action, index): [string, unknown] => {
      const { type } = action as { readonly type?: string };
      const named = type === undefined ? undefined : changeNamed(machine, type);
      return named ? [`change ${type}`, named] : [`change ${place}.${index}`, assignmentIn(action)];
    }),
  );
  return [...new Map(used.filter(([, body]) => body !== undefined))];
}

/** The actions of each transition, by its place. */
function transitionsOf(machine: AnyStateMachine): [place: string, actions: readonly unknown[]][] {
  const nodesIn = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesIn)];
  return nodesIn(machine.root).flatMap((node) =>
    [...node.transitions].flatMap(([event, candidates]) =>
      candidates.map(({ actions }, index): [string, readonly unknown[]] => [
        `${node.path.join('.')} ${event} ${index}`,
        actions,
      ]),
    ),
  );
}

const assignmentIn = (action: unknown): unknown => (action as { readonly assignment?: unknown }).assignment;

/** As the code is now, of every version that the program knows. */
export function bodiesNow(definitions: readonly AnyResource[] = machinesOf(catalogue)): BodyLock {
  const sources = new Sources();
  const all = definitions.flatMap((each) => allVersionsOf(each) as readonly AnyResource[]);
  return Object.fromEntries(
    all.map((definition) => [
      definitionVersion(definition),
      Object.fromEntries(functionsOf(definition).map(([name, body]) => [name, sources.hashOf(body)])),
    ]),
  );
}

/** Functions that are not what the lock says, though their version is: each as a sentence. */
export const flawsOf = (locked: BodyLock, now: BodyLock): string[] =>
  Object.entries(now).flatMap(([version, bodies]) => {
    const before = locked[version];
    if (!before) return [];
    const names = [...new Set([...Object.keys(before), ...Object.keys(bodies)])];
    return names
      .filter((name) => before[name] !== bodies[name])
      .map((name) => `${version}: ${name} has changed, and the version has not`);
  });

/** What must stand in the lock: new versions are added, known ones stay as they were locked. */
export const lockText = (locked: BodyLock, now: BodyLock): string => {
  const lines = Object.entries(now).map(([version, bodies]) => [version, locked[version] ?? bodies] as const);
  return `${JSON.stringify(Object.fromEntries(lines), null, 2)}\n`;
};
