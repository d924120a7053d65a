/**
 * The MongoDB-protocol server of these tests: the one in SVC_TEST_MONGO_URL, otherwise the Java server of test/mongo-server,
 * built once and started per process. Without either the suites are skipped with the reason.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';

const project = 'test/mongo-server';
const sources = [
  'pom.xml',
  'src/main/java/svc/MongoTestServer.java',
  'src/main/java/svc/Database.java',
  'src/main/java/svc/IndexedCollection.java',
];

const stamp = join(project, 'target', 'built');
const contents = () => sources.map((source) => readFileSync(join(project, source), 'utf8')).join('\n');

/** URL of a real server, if one is given. */
export const givenUrl = process.env.SVC_TEST_MONGO_URL || undefined;

/** Why there is no server to test with; undefined if there is one. */
export const missing: string | undefined = givenUrl ? undefined : whatIsMissing();

function whatIsMissing(): string | undefined {
  const runs = (command: string, flag: string) => spawnSync(command, [flag], { stdio: 'ignore' }).status === 0;
  if (!existsSync(join(project, 'pom.xml'))) return `no ${project} here, and SVC_TEST_MONGO_URL is not set`;
  if (!runs('java', '-version')) return 'no java here, and SVC_TEST_MONGO_URL is not set';
  if (isBuilt()) return undefined;
  if (!runs('mvn', '-version')) return 'no mvn here to build the test server, and SVC_TEST_MONGO_URL is not set';
  return build();
}

function isBuilt(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === contents();
}

/** Two suites may call this at once; the second build then finds everything done. */
function build(): string | undefined {
  const goals = ['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=target/lib'];
  const { status, stdout } = spawnSync('mvn', ['-q', '-B', ...goals], { cwd: project, encoding: 'utf8' });
  if (status !== 0) return `the test server could not be built: ${stdout.slice(0, 500)}`;
  writeFileSync(stamp, contents());
  return undefined;
}

/** The Java server, with its data in its own file. */
export class JavaServer {
  readonly #dir = mkdtempSync(join(tmpdir(), 'svc-mongo-'));
  #child: ChildProcess | undefined;
  port = 0;

  /** @param tier how far Java compiles the server: the optimising compiler (4) takes far longer than a suite */
  constructor(private readonly tier: 1 | 4 = 1) {}

  get url(): string {
    return `mongodb://127.0.0.1:${this.port}/`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Size of its file. */
  get size(): number {
    return statSync(join(this.#dir, 'data')).size;
  }

  /** Starts it, on its previous port if it had one. */
  async start(): Promise<void> {
    const flags = ['-Xmx1g', '-XX:+UseSerialGC', `-XX:TieredStopAtLevel=${this.tier}`];
    const classes = ['-cp', 'target/classes:target/lib/*'];
    const child = spawn(
      'java',
      [...flags, ...classes, 'svc.MongoTestServer', join(this.#dir, 'data'), String(this.port)],
      {
        cwd: project,
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    this.#child = child;
    const [line] = (await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`the test server ended with ${code}`))),
    ])) as [string];
    this.port = Number(line);
    // The child must not keep the tests from ending. It exits when its standard input ends.
    child.unref();
    (child.stdin as unknown as { unref(): void }).unref();
    (child.stdout as unknown as { unref(): void }).unref();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.ref();
    child.kill('SIGKILL');
    await exited;
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

let shared: Promise<string> | undefined;

/** One server for the whole process. Each test uses its own database on it. */
export function serverUrl(): Promise<string> {
  shared ??= givenUrl ? Promise.resolve(givenUrl) : startShared();
  return shared;
}

async function startShared(): Promise<string> {
  const server = new JavaServer();
  await server.start();
  process.on('exit', () => void server.dispose());
  // The server loads its classes for the first client, which takes longer than some tests wait for a connection.
  const first = new MongoClient(server.url);
  await first.db('admin').command({ ping: 1 });
  await first.close();
  return server.url;
}

let databases = 0;

/** The URL with an unused database. */
export async function freshUrl(): Promise<string> {
  const url = await serverUrl();
  const name = `svc-test-${process.pid}-${Date.now().toString(36)}-${++databases}`;
  const [, start, options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/]+)(?:\/[^?]*)?(\?.*)?$/.exec(url)!;
  return `${start}/${name}${options}`;
}

/** `describe`, or a skipped suite whose title contains the reason. */
export function describeMongo(title: string, suite: () => void): void {
  if (missing === undefined) describe(title, suite);
  else describe.skip(`${title} (skipped: ${missing})`, suite);
}
