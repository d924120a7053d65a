/**
 * Schemathesis (PyPI) generates requests from the OpenAPI document, valid and invalid, with three sets of credentials.
 * `.ci/run` installs it; without it these tests are skipped with the reason.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { isLong } from '../support/long.js';
import { tidy } from '../support/scratch.js';
import { keep } from './support/fixtures.js';
import { Target } from './support/target.js';

const program = process.env.SVC_TEST_SCHEMATHESIS ?? 'schemathesis';
const seed = Number(process.env.SVC_TEST_SEED ?? 20_261_123);
/** Least number of generated requests over the three sets. */
const leastCases = isLong ? 60_000 : 650;
const effort = isLong
  ? ['--phases', 'examples,coverage,fuzzing', '--max-examples', '40']
  : ['--phases', 'coverage,fuzzing', '--max-examples', '1'];
/** In the short form each set gets another eighteenth of the operations. */
const shares = isLong ? 1 : 18;

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

interface Credentials {
  readonly name: string;
  readonly headers: (target: Target) => Promise<readonly string[]>;
  /** Whether it generates invalid keys, as the security schemes ask for. */
  readonly madeUpKeys?: true;
  readonly checks?: readonly string[];
}

const credentials: readonly Credentials[] = [
  { name: 'made-up keys from loopback', headers: async () => [], madeUpKeys: true },
  { name: 'nothing, from loopback', headers: async () => [] },
  {
    name: 'an admin key, as a remote caller',
    headers: async (target) => [`X-Api-Key: ${await target.boundlessKey()}`, 'Host: node.example'],
    checks: ['ignored_auth'],
  },
];

interface Outcome {
  readonly cases: number;
  readonly failures: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: the report of another program has no types
type Json = any;

function failuresIn(folder: string): { readonly cases: number; readonly failures: readonly string[] } {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  const lines = readFileSync(join(folder, file!), 'utf8').trimEnd().split('\n');
  const failures: string[] = [];
  let cases = 0;
  for (const line of lines) {
    const recorder = (JSON.parse(line) as Json).ScenarioFinished?.recorder;
    if (!recorder) continue;
    cases += Object.keys(recorder.interactions ?? {}).length;
    for (const [id, results] of Object.entries<Json[]>(recorder.checks ?? {})) {
      for (const { name, status, failure_info: info } of results) {
        if (status === 'failure') failures.push(failureText(recorder, { id, name, info }));
      }
    }
  }
  return { cases, failures };
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

async function shareOf(target: Target, share: number): Promise<string[]> {
  const { paths } = expectStatus(await target.client.get('/openapi.json'));
  const ids = Object.values<Json>(paths).flatMap((methods) =>
    Object.values<Json>(methods).map((each) => each.operationId),
  );
  const chosen = ids.filter((id, index) => id !== endless && (index + seed) % shares === share % shares);
  return chosen.flatMap((id) => ['--include-operation-id', id]);
}

async function attack(target: Target, share: number): Promise<Outcome> {
  const { headers, madeUpKeys, checks: more = [] } = credentials[share]!;
  const folder = join(target.dir, '..', `${target.dir}-schemathesis`);
  mkdirSync(folder, { recursive: true });
  const settings = join(folder, 'schemathesis.toml');
  writeFileSync(settings, `[generation]\nwith-security-parameters = ${madeUpKeys === true}\n`);
  const lines = await headers(target);
  const words = [
    ...['--config-file', settings, 'run', `${target.url}/openapi.json`, ...effort, ...(await shareOf(target, share))],
    ...['--seed', String(seed), '--workers', '1', '--suppress-health-check', 'all', '--no-color'],
    ...['--checks', [...checks, ...more].join(','), '--continue-on-failure'],
    ...['--report', 'ndjson', '--report-dir', folder, ...lines.flatMap((line) => ['-H', line])],
  ];
  return new Promise((resolve, reject) => {
    execFile(program, words, { cwd: folder, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      // Exit code 1 means that it found failures, which its report lists.
      if (error && error.code !== 1) reject(new SchemathesisFailed(`${stdout.slice(-2_000)}${stderr.slice(-2_000)}`));
      else resolve(failuresIn(folder));
    });
  });
}

class SchemathesisFailed extends Error {
  override name = 'SchemathesisFailed';
}

describe(`Schemathesis, seed ${seed}`, function () {
  this.timeout(isLong ? 3_600_000 : 300_000);
  let cases = 0;

  before(function () {
    if (!isInstalled()) this.skip();
  });
  after(tidy);

  for (const [share, { name }] of credentials.entries()) {
    it(`finds nothing with ${name}`, async () => {
      const target = await Target.start();
      target.watch();
      const outcome = await attack(target, share);
      cases += outcome.cases;
      const serverErrors = outcome.failures.filter((failure) => failure.includes('not_a_server_error')).length;
      await target.report({ name, cases: outcome.cases, serverErrors });
      expect(outcome.failures).to.deep.equal([]);
      await target.stop();
    });
  }

  it(`made at least ${leastCases} requests`, () => {
    expect(cases).to.be.at.least(leastCases);
  });
});
