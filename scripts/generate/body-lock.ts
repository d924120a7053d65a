/**
 * The functions of a definition are part of what it decides, but no chart shows their code. This lock records, for
 * each version, a hash of the source of each guard, effect and context change, and, for each revision of a workflow, a
 * hash of its sub-commands; the hash includes all functions that they call, and the arguments of a factory. A function
 * that changes without its version is a violation: entries of that version would replay differently. Comments and the
 * descriptions of schemas are left out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { canonical, sha256Hex } from '../../src/core/canonical.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { chartOf } from '../../src/machines/kernel/chart.js';
import type { AnyDefinition, AnyResource, Catalogue } from '../../src/machines/kernel/definition.js';
import { changeNamed } from '../../src/machines/kernel/machine-functions.js';
import { allVersionsOf, definitionVersion } from '../../src/machines/kernel/versioning.js';
import { capturedBy } from './captured.js';
import { withoutDescriptions } from './descriptions.js';

/** Hashes of functions, by name. */
export type Bodies = { readonly [name: string]: string };
export type BodyLock = { readonly [version: string]: Bodies };

export const lockFile = join('src', 'machines', 'bodies.lock.json');

/** The compiled sources: the code that runs, without types. */
const compiled = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src');

interface Module {
  readonly text: string;
  /** Statements, by each name that they declare. */
  readonly declared: ReadonlyMap<string, string>;
  /** Names imported from other modules of this repository, by local name. */
  readonly imported: ReadonlyMap<string, { readonly module: string; readonly name: string }>;
}

const plain = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Identifiers, without member names: `a` and `b` in `{ ...a, c: b.d }`, and also the key `c`. */
export const namesIn = (text: string): ReadonlySet<string> =>
  new Set(text.match(/(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g));

/** A scalar decides by its struct; its JSON Schema and description only document it. */
const isScalar = (value: object): boolean => 'struct' in value && 'schema' in value;

type AnyFunction = (...args: never[]) => unknown;

const hashOfAll = (texts: ReadonlySet<string>): string =>
  sha256Hex([...texts].map(withoutDescriptions).sort().join('\n')).slice(0, 16);

/** The captured variables that the body uses. */
function usedBy(body: AnyFunction): [name: string, value: unknown][] {
  const names = namesIn(plain(Function.prototype.toString.call(body)));
  return [...capturedBy(body)].filter(([name]) => names.has(name));
}

/** Whether a value is a definition, which is hashed separately and not as a part of what refers to it. */
const isDefinition = (value: unknown): value is AnyDefinition =>
  typeof value === 'object' && value !== null && 'kind' in value && 'form' in value;

/**
 * Whether a value is a table of functions by kind. A list of names is not: it determines what a workflow reads, which
 * is recorded, so one more name is another revision.
 */
const isByKind = (value: unknown): value is object =>
  isRecord(value) && Object.values(value).every((inner) => typeof inner === 'function' || isRecord(inner));

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isDefinition(value);

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

  /** Hash of a function and everything that it calls within the machines, independent of order. */
  hashOf(body: unknown): string {
    if (typeof body !== 'function') return sha256Hex(canonical(body ?? null)).slice(0, 16);
    const found = new Set<string>();
    this.#gather(body as AnyFunction, found);
    return hashOfAll(found);
  }

  /**
   * Hashes of a workflow itself and of each member of what it captured: a workflow may cover one more kind
   * (`endings.auction`) without a change for the others.
   */
  linesOf(workflow: AnyFunction): Bodies {
    const lines: [name: string, found: Set<string>][] = [['sub-commands', this.#written(workflow)]];
    for (const [name, value] of usedBy(workflow)) {
      const members = isByKind(value) ? Object.entries(value) : [['', value] as const];
      for (const [member, inner] of members) {
        const found = new Set<string>();
        this.#gatherValue(name, inner, found, new Set());
        lines.push([member ? `${name}.${member}` : name, found]);
      }
    }
    return Object.fromEntries(lines.map(([name, found]) => [name, hashOfAll(found)]));
  }

  /** Collects its source, and that of everything that it calls by name. */
  #written(body: AnyFunction): Set<string> {
    const text = plain(Function.prototype.toString.call(body));
    const found = new Set([text]);
    for (const module of this.#modules.values()) if (module.text.includes(text)) this.#follow(text, module, found);
    return found;
  }

  #gather(body: AnyFunction, found: Set<string>, seen = new Set<unknown>()): void {
    if (seen.has(body)) return;
    seen.add(body);
    for (const text of this.#written(body)) found.add(text);
    for (const [name, value] of usedBy(body)) this.#gatherValue(name, value, found, seen);
  }

  #gatherValue(name: string, value: unknown, found: Set<string>, seen: Set<unknown>): void {
    if (typeof value === 'function') this.#gather(value as AnyFunction, found, seen);
    else if (isDefinition(value)) found.add(`${name}: ${value.kind}`);
    else if (!isRecord(value)) found.add(`${name}: ${String(value)}`);
    else if (!seen.has(value)) {
      seen.add(value);
      for (const [member, inner] of Object.entries(value)) {
        if (member === 'schema' && isScalar(value)) continue;
        this.#gatherValue(`${name}.${member}`, inner, found, seen);
      }
    }
  }

  #follow(text: string, module: Module, found: Set<string>): void {
    for (const name of namesIn(text)) {
      const other = module.imported.get(name);
      // Modules below the machines belong to no definition.
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

/**
 * A machine, a definition, or transitions of one: the chart shows these, and their assignments are hashed separately.
 */
const isWhole = (statement: string): boolean =>
  /\b(setup|createMachine|defineResource|succeeding|assign)\(/.test(statement);

/** Every function that decides: guards, effects, context changes, and the creation. */
function functionsOf(definition: AnyResource): [name: string, body: unknown][] {
  const { machine, effects, create, roles, nested = {} } = definition;
  // Versions share a setup, so each has guards that only others use.
  const chart = canonical(chartOf(definition));
  const used = Object.entries(machine.implementations.guards as object).filter(([name]) =>
    chart.includes(JSON.stringify(name)),
  );
  return [
    ...used.map(([name, body]): [string, unknown] => [`guard ${name}`, body]),
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

/** Context changes by name; one without a name is named after its transition. */
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

/** The actions of each transition, by its place in the machine. */
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

/** Hashes of the present code, for every version that the program knows. */
export function bodiesNow(
  definitions: readonly AnyResource[] = machinesOf(catalogue),
  workflows: Catalogue['workflows'] = catalogue.workflows,
): BodyLock {
  const sources = new Sources();
  const all = definitions.flatMap((each) => allVersionsOf(each) as readonly AnyResource[]);
  const ofMachines = all.map((definition) => [
    definitionVersion(definition),
    Object.fromEntries(functionsOf(definition).map(([name, body]) => [name, sources.hashOf(body)])),
  ]);
  const ofWorkflows = Object.entries(workflows).flatMap(([action, workflow]) =>
    [workflow, ...(workflow.past ?? [])].map(({ revision, subCommands }) => [
      `${action}+${revision}`,
      sources.linesOf(subCommands),
    ]),
  );
  return Object.fromEntries([...ofMachines, ...ofWorkflows]);
}

/** `<kind>.<action>+<revision>`; a definition's is `<kind>-<revision>-<hash>`. */
const isOfWorkflow = (version: string): boolean => version.includes('+');

/** Functions whose hash differs from the lock although their version is the same: a sentence for each. */
export const flawsOf = (locked: BodyLock, now: BodyLock): string[] =>
  Object.entries(now).flatMap(([version, bodies]) => {
    const before = locked[version];
    if (!before) return [];
    // A workflow may gain a function for a new kind, because earlier entries have no resources of that kind.
    const names = Object.keys(isOfWorkflow(version) ? before : { ...before, ...bodies });
    return names
      .filter((name) => before[name] !== bodies[name])
      .map((name) => `${version}: ${name} has changed, and the version has not`);
  });

/** The text of the lock file: new versions are added, known ones stay as they were locked. */
export const lockText = (locked: BodyLock, now: BodyLock): string => {
  const lines = Object.entries(now).map(([version, bodies]) => {
    const before = locked[version];
    return [version, isOfWorkflow(version) ? { ...bodies, ...before } : (before ?? bodies)] as const;
  });
  return `${JSON.stringify(Object.fromEntries(lines), null, 2)}\n`;
};
