/**
 * Schemathesis (PyPI) generates requests from the OpenAPI document, valid and invalid, in three set-ups. The examples of the
 * document are requests that the node would accept, so that it also tries what lies behind them.
 * `.ci/run` installs it; without it these tests are skipped with the reason.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Route } from '../../src/http/server/route.js';
import { TestDatabase } from '../mongo/support/database.js';
import { missing as mongoIsMissing } from '../mongo/support/server.js';
import { FakeChain } from '../node/support/chain.js';
import { TestNode, type TestNodeOptions } from '../node/support/node.js';
import { isLong } from '../support/long.js';
import { keep } from './support/fixtures.js';
import { type Amend, Gate } from './support/ready.js';

const program = process.env.SVC_TEST_SCHEMATHESIS ?? 'schemathesis';
const seed = Number(process.env.SVC_TEST_SEED ?? 20_261_123);
/** Least number of generated requests over the three sets. */
const leastCases = isLong ? 60_000 : 650;
/** Least number of operations with a 2xx: in the long form in each set-up, otherwise over the three. */
const leastSucceeded = isLong ? 140 : 9;
const effort = ['--phases', 'examples,coverage,fuzzing', '--max-examples', isLong ? '40' : '1'];
/** In the short form each set gets another thirty-sixth of the operations. */
const shares = isLong ? 1 : 36;

/**
 * Left out: the check that every request that fits its schema is accepted (an unknown id is 404), and the check that a missing
 * key is never answered with 429.
 */
const checks = [
  ...['not_a_server_error', 'status_code_conformance', 'content_type_conformance', 'response_headers_conformance'],
  ...['response_schema_conformance', 'unsupported_method', 'allow_header_conformance'],
];

function isInstalled(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

interface SetUp {
  readonly name: string;
  readonly node?: () => Promise<TestNodeOptions>;
  /** What the node is configured with once the requests are prepared. */
  readonly variables?: { readonly [name: string]: string };
  /** What the proxy before the node does to requests, with a key without limits. */
  readonly amend: (key: string) => Amend;
  /** Whether it generates invalid keys, as the security schemes ask for. */
  readonly madeUpKeys?: true;
  /** Whether it sends the key itself, and knows of it. */
  readonly sendsKey?: true;
  readonly checks?: readonly string[];
}

async function boundlessKey(node: TestNode): Promise<string> {
  const limits = { reads: 1_000_000, writes: 1_000_000 };
  return (await node.key({ scope: 'admin', label: 'boundless', limits })).key;
}

/** Three of four requests have the right key, because without one much is refused before it is looked at. */
const mostWithKey =
  (key: string): Amend =>
  (request, number) => {
    if (number % 4 === 0) return;
    request.removeHeader('Authorization');
    request.setHeader('X-Api-Key', key);
  };

/** Each request is from another address, because those without a key have a limit for each address. */
const fromElsewhere: Amend = (request, number) =>
  request.setHeader('X-Forwarded-For', `203.${number >> 16}.${(number >> 8) & 255}.${number & 255}`);

const setUps: readonly SetUp[] = [
  { name: 'made-up keys and a right one, from loopback', amend: mostWithKey, madeUpKeys: true },
  {
    name: `no key and an admin key, from loopback, ${mongoIsMissing ? 'embedded' : 'on MongoDB'}`,
    ...(mongoIsMissing
      ? {}
      : { node: async () => ({ store: async () => (await TestDatabase.fresh('devnet')).open() }) }),
    amend: mostWithKey,
  },
  {
    name: 'an admin key, as a remote caller',
    variables: { SVC_TRUSTED_PROXIES: '127.0.0.1' },
    amend: () => fromElsewhere,
    sendsKey: true,
    checks: ['ignored_auth'],
  },
];

interface Outcome {
  readonly cases: number;
  readonly failures: readonly string[];
  /** Operations with a 2xx, as method and path. */
  readonly succeeded: ReadonlySet<string>;
}

// biome-ignore lint/suspicious/noExplicitAny: the report of another program has no types
type Json = any;

function outcomeIn(folder: string): Outcome {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  const lines = readFileSync(join(folder, file!), 'utf8').trimEnd().split('\n');
  const failures: string[] = [];
  const succeeded = new Set<string>();
  let cases = 0;
  for (const line of lines) {
    const recorder = (JSON.parse(line) as Json).ScenarioFinished?.recorder;
    if (!recorder) continue;
    const interactions = Object.values<Json>(recorder.interactions ?? {});
    cases += interactions.length;
    if (interactions.some(({ response }) => response?.status_code < 300)) succeeded.add(recorder.label);
    for (const [id, results] of Object.entries<Json[]>(recorder.checks ?? {})) {
      for (const { name, status, failure_info: info } of results) {
        if (status === 'failure') failures.push(failureText(recorder, { id, name, info }));
      }
    }
  }
  return { cases, failures, succeeded };
}

/** Saves the request as a fixture. @returns the failure in one line */
function failureText(recorder: Json, { id, name, info }: { id: string; name: string; info: Json }): string {
  const { request, response } = recorder.interactions[id];
  const { method, uri, headers, body } = request;
  const found = `${name}: ${info?.failure?.title ?? ''} ${info?.failure?.message ?? ''}`.trim().slice(0, 300);
  const path = uri.slice(new URL(uri).origin.length);
  const sent = Object.entries<string[]>(headers ?? {}).filter(([header]) => /^content-type$/i.test(header));
  const file = keep({
    found,
    method,
    path,
    headers: Object.fromEntries(sent.map(([header, values]) => [header, [values].flat().join(', ')])),
    ...(body ? { body: Buffer.from(body.$base64, 'base64').toString() } : {}),
  });
  return `${method} ${path.slice(0, 200)} → ${response?.status_code}: ${found} (${file})`;
}

/** Its response has no end, so every case would wait for a time-out. */
const endless = 'streamEvents';

const shareOf = (node: TestNode, share: number): string[] =>
  node.running.routes
    .map(({ name }) => name)
    .filter((name, index) => name !== endless && (index + seed) % shares === share % shares);

async function attack(node: TestNode, share: number): Promise<Outcome> {
  const { variables, amend, madeUpKeys, sendsKey, checks: more = [] } = setUps[share]!;
  const key = await boundlessKey(node);
  const folder = join(node.dir, '..', `${node.dir}-schemathesis`);
  mkdirSync(folder, { recursive: true });
  const settings = join(folder, 'schemathesis.toml');
  writeFileSync(settings, `[generation]\nwith-security-parameters = ${madeUpKeys === true}\n`);
  const operations = shareOf(node, share);
  const gate = await Gate.before(node, operations, amend(key));
  if (variables) await node.restart(variables);
  const words = [
    ...['--config-file', settings, 'run', `${gate.url}/openapi.json`, ...effort],
    ...operations.flatMap((name) => ['--include-operation-id', name]),
    ...['--seed', String(seed), '--workers', '1', '--suppress-health-check', 'all', '--no-color'],
    ...['--checks', [...checks, ...more].join(','), '--continue-on-failure'],
    ...['--report', 'ndjson', '--report-dir', folder, ...(sendsKey ? ['-H', `X-Api-Key: ${key}`] : [])],
  ];
  return new Promise<Outcome>((resolve, reject) => {
    execFile(program, words, { cwd: folder, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      // Exit code 1 means that it found failures, which its report lists.
      if (error && error.code !== 1) reject(new SchemathesisFailed(`${stdout.slice(-2_000)}${stderr.slice(-2_000)}`));
      else resolve(outcomeIn(folder));
    });
  }).finally(() => {
    gate.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

const names = (routes: readonly Route[]): string => `never 2xx: ${routes.map(({ name }) => name).join(', ')}`;

class SchemathesisFailed extends Error {
  override name = 'SchemathesisFailed';
}

describe(`Schemathesis, seed ${seed}`, () => {
  let cases = 0;
  const succeeded = new Set<string>();

  before(function () {
    if (!isInstalled()) this.skip();
  });

  for (const [share, { name, node: options }] of setUps.entries()) {
    it(`finds nothing with ${name}`, async () => {
      const chain = new FakeChain();
      chain.verdict = 'late';
      const parts = { settlement: chain, onChain: chain };
      const node = await TestNode.start({ parts, ...(await options?.()) });
      try {
        const outcome = await attack(node, share);
        cases += outcome.cases;
        for (const operation of outcome.succeeded) succeeded.add(operation);
        const tried = shareOf(node, share);
        const of = `${outcome.succeeded.size} of ${tried.length} operations succeeded`;
        process.stdout.write(`      ${name}: ${outcome.cases} requests; ${of}\n`);
        const without = node.running.routes
          .filter(({ name: operation }) => tried.includes(operation))
          .filter(({ method, path }) => !outcome.succeeded.has(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`));
        if (isLong) expect(outcome.succeeded.size, names(without)).to.be.at.least(leastSucceeded);
        expect(outcome.failures).to.deep.equal([]);
        expect(node.faults).to.deep.equal([]);
        expect((await node.audit()).flaw?.what, 'the audit afterwards').to.equal(undefined);
      } finally {
        await node.discard();
      }
    });
  }

  it(`made at least ${leastCases} requests`, () => {
    expect(cases).to.be.at.least(leastCases);
  });

  it(`had a success with at least ${leastSucceeded} operations`, () => {
    expect(succeeded.size).to.be.at.least(leastSucceeded);
  });
});
