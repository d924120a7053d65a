/** Transfers of the node beside those of PostgreSQL, which does the least that double entry needs, with and without HTTP. */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { Child } from './support/child.js';
import { cpuOf, Outcome, rateOf, startLoad, startNode } from './support/contest.js';
import { options } from './support/options.js';
import { founded, scratch } from './support/people.js';
import type { PostgresQuestion, Server } from './support/postgres-server.js';
import { type Figure, micros, say, table, times } from './support/report.js';
import type { Measured } from './support/tally.js';

const installed = '/usr/lib/postgresql';

/** Directory of Debian's programs, which root installs if they are absent. */
function programs(): string | undefined {
  if (!existsSync(installed) && userInfo().uid === 0)
    execFileSync('apt-get', ['install', '-y', '-q', 'postgresql'], { stdio: 'ignore' });
  const [version] = existsSync(installed) ? readdirSync(installed) : [];
  return version && join(installed, version, 'bin');
}

/** PostgreSQL refuses to run as root. */
function ownerOf(dir: string): { readonly uid?: number; readonly gid?: number } {
  if (userInfo().uid !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres']))) as [number, number];
  chownSync(dir, uid, gid);
  return { uid, gid };
}

export async function postgres(): Promise<void> {
  const bin = programs();
  if (bin === undefined) return say('postgres: skipped, because PostgreSQL is not installed');
  const { dir, people } = await founded();
  const own = await scratch();
  const [data, owner] = [join(own, 'data'), ownerOf(own)];
  mkdirSync(data, { mode: 0o700 });
  ownerOf(data);
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust'], {
    ...owner,
    cwd: own,
    stdio: 'ignore',
  });
  const settings = ['listen_addresses=', `unix_socket_directories=${own}`, 'max_connections=200'];
  const database = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
    ...{ ...owner, cwd: own, stdio: 'ignore' },
  });
  const kill = () => database.kill('SIGINT');
  process.once('exit', kill);
  const dids = people.map(({ did }) => did);
  try {
    const [node, server, load] = [await startNode(dir), new Child<PostgresQuestion>('postgres-server'), startLoad()];
    const { url, backends } = await untilOpen(server, own, dids);
    const others = [database.pid!, ...childrenOf(database.pid!, backends)];
    const runs: { readonly [name: string]: (seconds: number) => Promise<Measured> } = {
      transfer: (seconds) =>
        load.ask({ ask: 'load', site: { url: node.url, pid: node.pid, people }, plan: { do: 'transfers' }, seconds }),
      'PostgreSQL behind HTTP': (seconds) =>
        load.ask({ ask: 'load', site: { url, pid: server.pid, others, people }, plan: { do: 'transfers' }, seconds }),
      PostgreSQL: (seconds) => server.ask({ ask: 'drive', dids, seconds, counted: others }),
    };
    const outcomes = Object.keys(runs).map((name) => [name, new Outcome()] as const);
    for (let round = -1; round < options.rounds; round++)
      for (const [name, outcome] of outcomes) {
        const measured = await runs[name]!(round < 0 ? options.warmUpSeconds : options.seconds);
        if (round >= 0) outcome.rounds.push(measured);
      }
    const bytes = await server.ask<number>({ ask: 'size' });
    await Promise.all([node.child.stop(), server.stop(), load.stop()]);
    const [[, transfers], ...rest] = outcomes as [(typeof outcomes)[number], ...typeof outcomes];
    table('Transfers, durable, of 64 clients', [
      ...outcomes.flatMap(([name, outcome]) => outcome.figures(name)),
      ...rest.flatMap(([name, outcome]): Figure[] => [
        { what: `transfer: rate, of ${name}`, measured: times(transfers.ratio(outcome, rateOf)) },
        { what: `transfer: CPU, of ${name}`, measured: times(transfers.ratio(outcome, cpuOf)) },
      ]),
      {
        what: 'PostgreSQL direct: CPU of the client',
        measured: micros(outcomes[2]![1].median(({ ownMicros }) => ownMicros)),
      },
      { what: 'PostgreSQL: bytes of tables and indexes a transfer', measured: bytes.toFixed(0) },
    ]);
  } finally {
    process.off('exit', kill);
    const ended = new Promise((resolve) => database.once('exit', resolve));
    if (database.exitCode === null && kill()) await ended;
  }
}

/** The server's other processes: checkpoints, log of writes, statistics. Vacuums come and go, and are not counted. */
function childrenOf(parent: number, backends: readonly number[]): readonly number[] {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
  const isChild = (pid: number) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      return false; // it has ended
    }
  };
  return [...new Set([...pids.filter(isChild), ...backends])];
}

async function untilOpen(server: Child<PostgresQuestion>, socketDir: string, dids: readonly string[]): Promise<Server> {
  while (!readdirSync(socketDir).some((name) => name.startsWith('.s.PGSQL') && !name.endsWith('.lock')))
    await pause(world, 50);
  return server.ask<Server>({ ask: 'open', socketDir, dids });
}
