/**
 * Writes the files that are derived from the code: docs/generated, the types of the API, the layouts of the charts.
 * With `--check` it writes nothing and fails if a file is out of date.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { version } from '../../src/core/version.js';
import { composedApiOf, openApiOf } from '../../src/http/openapi/openapi.js';
import { templateOf } from '../../src/http/server/paths.js';
import type { Route } from '../../src/http/server/route.js';
import { aliasesPage } from './alias-page.js';
import { type BodyLock, bodiesNow, flawsOf, lockFile, lockText } from './body-lock.js';
import { eventPage, readEventExamples } from './events/event-page.js';
import { journalVectors } from './journal-vectors.js';
import { machineFiles } from './machine-files.js';
import { layoutsModule, machineLayouts } from './machine-layouts.js';
import { machinePages } from './machine-pages.js';
import { operationsText } from './operations.js';
import { configurationPage, errorsPage } from './reference-pages.js';
import { everyRoute, network } from './routes.js';
import { samplesText } from './samples.js';
import { signedActions, signedActionsInPython } from './signed-actions.js';
import { wireTypes } from './wire-types.js';

const folder = join('docs', 'generated');
const layoutsFile = join('src', 'http', 'charts', 'layouts.ts');
const samplesFile = join('docs', 'generated', 'samples.json');
const actionsFile = join('packages', 'client', 'src', 'signing', 'actions.ts');
const pythonActionsFile = join('clients', 'python', 'svc_node_client', 'signed_actions.py');
const wireFile = join('packages', 'client', 'src', 'wire.ts');

const readOr = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // it does not exist yet
  }
};

const locked = JSON.parse(readOr(lockFile) ?? '{}') as BodyLock;
const bodies = bodiesNow();

async function wanted(): Promise<Map<string, string>> {
  const layouts = await machineLayouts();
  const frame = { version, network };
  const openApi = openApiOf(everyRoute(), frame);
  const pages = {
    ...machinePages(),
    ...machineFiles(layouts),
    'aliases.md': aliasesPage(everyRoute()),
    'errors.md': errorsPage(),
    'events.md': eventPage(placesOf(everyRoute()), readEventExamples()),
    'configuration.md': configurationPage(),
    'journal-vectors.json': journalVectors(),
    'operations.json': operationsText(openApi),
    'openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
  };
  const files = Object.entries(pages).map(([file, text]) => [join(folder, file), text] as const);
  return new Map([
    ...files,
    [layoutsFile, layoutsModule(layouts)],
    [samplesFile, samplesText(openApi)],
    [actionsFile, signedActions(everyRoute())],
    [pythonActionsFile, signedActionsInPython(everyRoute())],
    [wireFile, wireTypes(composedApiOf(everyRoute(), frame))],
    [lockFile, lockText(locked, bodies)],
  ]);
}

const placesOf = (routes: readonly Route[]): ReadonlyMap<string, string> =>
  new Map(routes.map(({ name, method, path }) => [name, `${method} ${templateOf(path)}`]));

/** Files of an earlier run that are no longer generated. */
function stale(files: ReadonlyMap<string, string>): string[] {
  const found =
    readOr(join(folder, 'openapi.json')) === undefined
      ? []
      : readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative('.', join(entry.parentPath, entry.name)))
    .filter((file) => !files.has(file));
}

const { values: asked } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const files = await wanted();
const differing = [...files].filter(([file, text]) => readOr(file) !== text).map(([file]) => file);
const leftOver = stale(files);
// `generate` never writes these: raise the version, or delete the version's whole block if the meaning is the same.
for (const flaw of flawsOf(locked, bodies)) {
  process.stderr.write(
    `${flaw}: raise the revision, or, where the meaning is the same, delete that version from ${lockFile} and run npm run generate\n`,
  );
  process.exitCode = 1;
}
if (asked.check) {
  for (const file of differing) process.stderr.write(`${file} is not what npm run generate writes\n`);
  for (const file of leftOver) process.stderr.write(`${file} is left over: nothing generates it\n`);
  if (differing.length + leftOver.length > 0) process.exitCode = 1;
  else process.stdout.write(`${files.size} generated files are up to date\n`);
} else {
  for (const file of differing) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, files.get(file)!);
  }
  for (const file of leftOver) rmSync(file);
  process.stdout.write(`${differing.length} of ${files.size} files written, ${leftOver.length} removed\n`);
}
