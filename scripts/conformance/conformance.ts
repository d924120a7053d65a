/**
 * `npm run conformance -- --url URL [--key KEY]`: runs the whole conformance walk against a running node of devnet or
 * testnet and prints a report. Exit code 0: all passed; 1: a request failed; 2: the walk could not run.
 */
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { htmlReport } from './html.js';
import { junitReport } from './junit.js';
import { OutsideDriver } from './outside.js';
import { plainReport } from './plain.js';
import { conformance, definitionsNamed } from './running.js';
import { Stuck, Wire } from './wire.js';

const usage = `usage: npm run conformance -- --url http://127.0.0.1:9528 [--key svck_…] [--kind escrow …]
       [--junit FILE] [--html FILE] [--json]

The key (also SVC_NODE_KEY) needs write scope from the node's own machine, else admin: the walk makes identities.
From its own machine a devnet or testnet node needs none. --kind may be given several times; without it, every kind is
walked. --json prints the report as JSON, with every request.`;

const options = {
  url: { type: 'string' },
  key: { type: 'string' },
  kind: { type: 'string', multiple: true },
  junit: { type: 'string' },
  html: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function asked() {
  try {
    return parseArgs({ options, args: process.argv.slice(2) }).values;
  } catch (error) {
    throw new Stuck(`${(error as Error).message}\n${usage}`);
  }
}

/** The URL without a trailing slash. */
function urlOf(given: string | undefined): string {
  if (given === undefined) throw new Stuck(`--url is missing\n${usage}`);
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) throw new Stuck(`${given} is no http(s) URL`);
  return given.replace(/\/+$/, '');
}

async function main(): Promise<void> {
  const { url, key = process.env.SVC_NODE_KEY, kind, junit, html, json, help } = asked();
  if (help) return void process.stdout.write(`${usage}\n`);
  const root = urlOf(url);
  definitionsNamed(kind);
  const driver = await OutsideDriver.open(new Wire(root, key));
  const report = await conformance(driver, {
    kinds: kind,
    onKind: (each) => {
      process.stderr.write(`${each.kind}: ${each.passed} passed, ${each.failed} failed\n`);
    },
  });
  if (junit !== undefined) await writeFile(junit, junitReport(report));
  if (html !== undefined) await writeFile(html, htmlReport(report));
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : plainReport(report));
  process.exitCode = report.failed > 0 ? 1 : 0;
}

try {
  await main();
} catch (error) {
  const isFile = (error as NodeJS.ErrnoException).syscall !== undefined;
  if (!(error instanceof Stuck) && !isFile) throw error;
  process.stderr.write(`The walk could not be made: ${(error as Error).message}\n`);
  process.exitCode = 2;
}
