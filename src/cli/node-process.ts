/** The process of a node: configuration → node → banner → until a signal, or a fault, ends it. */
import process from 'node:process';
import { pino } from 'pino';
import { bounds, type Config } from '../config.js';
import { createLog, type Log } from '../http/log.js';
import { openNode } from '../node.js';
import type { RunningNode } from '../node-ground.js';
import { holdProcess, pause, realWorld } from '../world.js';
import { banner, startedJson } from './banner.js';
import { CommandFailed, exitCodes } from './failure.js';
import { print, printJson } from './output.js';
import { settingsOf } from './settings.js';
import type { StartOptions } from './start.js';
import { stopSignal } from './stop-signal.js';

/** After a fault, answers that are under way (503) still get out. */
const lastWordsMs = 250;

export async function start({ host, port, logLevel, newIdentity = false, ...common }: StartOptions): Promise<void> {
  const config = settingsOf(common, { SVC_HOST: host, SVC_PORT: port, SVC_LOG_LEVEL: logLevel });
  // Standard output is for the banner, or the one line of JSON.
  const log = createLog({ level: config.logLevel, destination: pino.destination(2) });
  endOnFaults(log);
  const stopped = stopSignal();
  // Node ends a process that waits for nothing but timers of ours, also between a signal and the end of what it asks for.
  const letGo = holdProcess();
  try {
    const node = await open(config, log, newIdentity);
    if (common.json) printJson(startedJson(config, node));
    else print(banner(config, node));
    const signal = await stopped;
    log.info({ signal }, 'stopping');
    await closeInTime(node);
  } finally {
    letGo();
  }
}

async function open(config: Config, log: Log, newIdentity: boolean): Promise<RunningNode> {
  try {
    return await openNode({
      config,
      world: realWorld,
      log,
      newIdentity,
      onFault: (fault) => endWith(log, fault, 'the store failed'),
    });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    const why = syscall === 'listen' || syscall === 'getaddrinfo' ? whyNotListening(config)[code ?? ''] : undefined;
    throw why === undefined ? error : new CommandFailed(why, { cause: error });
  }
}

const whyNotListening = ({ host, port }: Config): { readonly [code: string]: string } => ({
  EADDRINUSE: `port ${port} of ${host} is in use by another program: choose another with --port (0 takes a free one)`,
  EACCES: `port ${port} of ${host} needs more privileges: choose one above 1023 with --port`,
  EADDRNOTAVAIL: `${host} is no address of this machine: choose another with --host`,
  ENOTFOUND: `${host} is no address of this machine: choose another with --host`,
});

async function closeInTime(node: RunningNode): Promise<void> {
  const late = Symbol('late');
  const outcome = await Promise.race([node.close(), pause(realWorld, bounds.shutdownMs).then(() => late)]);
  if (outcome === late) {
    throw new CommandFailed(
      `the node did not close within ${bounds.shutdownMs / 1000} s; nothing acknowledged is lost`,
    );
  }
}

function endOnFaults(log: Log): void {
  process.on('uncaughtException', (error) => endWith(log, error, 'an exception was caught by nobody'));
  process.on('unhandledRejection', (reason) => endWith(log, reason, 'a rejection was handled by nobody'));
}

/** Nothing that goes on after such a fault can be trusted; a supervisor starts the node again. */
function endWith(log: Log, fault: unknown, what: string): void {
  process.exitCode = exitCodes.fault;
  log.fatal({ err: fault }, what);
  realWorld.after(lastWordsMs, () => process.exit(exitCodes.fault));
}
