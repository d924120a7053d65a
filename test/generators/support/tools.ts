/**
 * The tools that generate clients from the OpenAPI document. `npm run test:long` installs them; the short form uses those in
 * the folder `SVC_TEST_GENERATORS` (`.ci/run` makes one). A test whose tool is missing is skipped with the reason.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isLong } from '../../support/long.js';
import { scratch } from '../../support/scratch.js';

const npmPackages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'];
const longNpmPackages = ['@stoplight/spectral-cli@6.16.3'];
const pythonPackages = ['openapi-python-client==0.29.1', 'pydantic', 'urllib3', 'python-dateutil', 'typing-extensions'];
const jarVersion = '7.25.0';
const jarUrl =
  'https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/' +
  `${jarVersion}/openapi-generator-cli-${jarVersion}.jar`;

export interface ProgramEnded {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function run(command: string, args: readonly string[], cwd: string): Promise<ProgramEnded> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  return { code, ...said };
}

/** @returns its output @throws an error with its whole output if it fails */
export async function must(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, cwd);
  if (code !== 0)
    throw new ToolFailed(`${command} ${args.join(' ')}: ${code}\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`);
  return stdout;
}

class ToolFailed extends Error {
  override name = 'ToolFailed';
}

export const isThere = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args.length > 0 ? args : ['--version'], { stdio: 'ignore' }).status === 0;

let folder: string | undefined;

/** The folder of the tools, whether or not they are installed yet. */
function toolsFolder(): string | undefined {
  folder ??= process.env.SVC_TEST_GENERATORS ?? (isLong ? scratch() : undefined);
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  return folder;
}

/** Installs a tool once, in the long form only. @returns the file, or undefined if it is missing */
async function tool(file: string, install: (dir: string) => Promise<unknown>): Promise<string | undefined> {
  const dir = toolsFolder();
  if (dir === undefined) return undefined;
  const path = join(dir, file);
  // Without a registry the tool stays missing, and the tests report it.
  if (!existsSync(path) && isLong) await install(dir).catch(() => {});
  return existsSync(path) ? path : undefined;
}

/** The folder `node_modules` of the npm tools. */
export const npmTools = () =>
  tool(join('node_modules', 'openapi-fetch'), (dir) =>
    must(
      'npm',
      [
        'install',
        '--prefix',
        dir,
        '--no-save',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        ...npmPackages,
        ...longNpmPackages,
      ],
      dir,
    ),
  ).then((path) => path && join(path, '..'));

export const spectral = async () => {
  const modules = await npmTools();
  const path = modules && join(modules, '.bin', 'spectral');
  return path && existsSync(path) ? path : undefined;
};

/** The Python interpreter of an environment with the generator and the dependencies of generated clients. */
export const python = () =>
  tool(join('python', 'bin', 'openapi-python-client'), async (dir) => {
    await must('python3', ['-m', 'venv', 'python'], dir);
    await must(join(dir, 'python', 'bin', 'pip'), ['install', '-q', ...pythonPackages], dir);
  }).then((path) => path && join(path, '..', 'python'));

export const openapiGenerator = async () =>
  isThere('java', '-version')
    ? tool('openapi-generator-cli.jar', async (dir) => {
        const reply = await fetch(jarUrl);
        if (!reply.ok || !reply.body) throw new ToolFailed(`${jarUrl}: ${reply.status}`);
        await pipeline(
          Readable.fromWeb(reply.body as never),
          createWriteStream(join(dir, 'openapi-generator-cli.jar')),
        );
      })
    : undefined;
