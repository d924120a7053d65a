/** The process of a node: configuration → node → banner → until a signal, or a fault, ends it. */
import { url as inspectorUrl } from 'node:inspector';
import process from 'node:process';
import { bounds } from '../core/bounds.js';
import { holdProcess, pause, realEnvironment } from '../core/environment.js';
import { createLog, type Log } from '../core/log.js';
import type { RunningThread } from '../core/threads.js';
import type { Config } from '../node/config/config.js';
import type { NodeOptions, RunningNode } from '../node/dependencies.js';
import { openNode } from '../node/node.js';
import { Watchdog } from '../node/watchdog/watchdog.js';
import { banner, startedJson, waitingFor } from './banner.js';
import { CommandFailed, exitCodes } from './failure.js';
import { logDestination } from './log-text.js';
import { print, printJson } from './output.js';
import { type CommonOptions, loadSettings } from './settings.js';
import { stopSignal } from './stop-signal.js';

/** Time to send replies in progress (503) after a fault. */
const lastWordsMs = 250;
const passphraseInEnvironment =
  'SVC_PASSPHRASE stays readable in /proc/PID/environ, for root and every process of this user: SVC_PASSPHRASE_FILE is safer';
/** Time for a thread to end. */
const threadEndMs = 2_000;

export interface StartOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: string;
  readonly logLevel?: string;
  readonly newIdentity?: boolean;
}

export async function start({ host, port, logLevel, newIdentity = false, ...common }: StartOptions): Promise<void> {
  const isInEnvironment = process.env.SVC_PASSPHRASE !== undefined;
  const config = loadSettings(common, { SVC_HOST: host, SVC_PORT: port, SVC_LOG_LEVEL: logLevel });
  const log = createLog({ level: config.logLevel, destination: logDestination() });
  endOnFaults(log);
  const stopped = stopSignal();
  // The environment's timers do not keep a process alive, so Node.js could exit before the node has closed.
  const letGo = holdProcess();
  const watchdog = new Watchdog({ world: realEnvironment, onSilent: (thread) => endSilent(log, thread) });
  try {
    const opening = open(config, log, { newIdentity, isQuiet: common.json === true, silent: () => watchdog.silent });
    const node = await Promise.race([opening, stopped.then(() => pause(realEnvironment, bounds.startStopMs))]);
    if (!node) {
      opening.catch(() => {}); // the caller has stopped waiting
      log.info({}, 'stopped while it was starting');
      return;
    }
    // Not during the start, because a migration may block, and not under a debugger, which pauses threads.
    if (inspectorUrl() === undefined) watchdog.start();
    if (common.json) printJson(startedJson(config, node));
    else print(banner(config, node));
    if (isInEnvironment) log.warn({}, passphraseInEnvironment);
    const signal = await stopped;
    log.info({ signal }, 'stopping');
    watchdog.stop();
    await closeInTime(node);
  } finally {
    letGo();
  }
}

interface NodeProcessOptions extends Pick<NodeOptions, 'newIdentity' | 'silent'> {
  /** Whether standard output is reserved for one line of JSON. */
  readonly isQuiet: boolean;
}

async function open(config: Config, log: Log, { isQuiet, ...own }: NodeProcessOptions): Promise<RunningNode> {
  try {
    return await openNode({
      config,
      world: realEnvironment,
      log,
      ...own,
      onWaiting: (why, url) => {
        if (!isQuiet) print(waitingFor(why, url));
      },
      onFault: (fault) => endWith(log, fault, 'the store failed'),
    });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    const why = syscall === 'listen' || syscall === 'getaddrinfo' ? whyNotListening(config)[code ?? ''] : undefined;
    throw why === undefined ? error : new CommandFailed(why, { cause: error });
  }
}

const whyNotListening = ({ host, port }: Config): { readonly [code: string]: string } => ({
  EADDRINUSE: `port ${port} of ${host} is in use by another program: choose another with --port or SVC_PORT (0 takes a free one)`,
  EACCES: `port ${port} of ${host} needs more privileges: choose one above 1023 with --port or SVC_PORT`,
  EADDRNOTAVAIL: `${host} is not an address of this machine: choose another with --host or SVC_HOST`,
  ENOTFOUND: `${host} is not an address of this machine: choose another with --host or SVC_HOST`,
});

async function closeInTime(node: RunningNode): Promise<void> {
  const late = Symbol('late');
  const outcome = await Promise.race([node.close(), pause(realEnvironment, bounds.shutdownMs).then(() => late)]);
  if (outcome === late) {
    throw new CommandFailed(
      `the node did not close within ${bounds.shutdownMs / 1000} s; nothing acknowledged is lost`,
    );
  }
}

function endOnFaults(log: Log): void {
  process.on('uncaughtException', (error) => endWith(log, error, 'uncaught exception'));
  process.on('unhandledRejection', (reason) => endWith(log, reason, 'unhandled rejection'));
}

/** Ends the process, because its state cannot be trusted after such a fault; a supervisor restarts the node. */
function endWith(log: Log, fault: unknown, what: string): void {
  process.exitCode = exitCodes.fault;
  log.fatal({ err: fault }, what);
  realEnvironment.after(lastWordsMs, () => process.exit(exitCodes.fault));
}

/** Ends the process with its hung thread. Exiting waits for threads, so one that hangs in native code needs a signal. */
async function endSilent(log: Log, { name, isAside, end }: RunningThread): Promise<void> {
  const ended = end().then(() => true);
  const what = `a thread has not answered for ${bounds.threadSilentMs / 1000} s`;
  if (isAside) return log.error({ thread: name }, `${what}: it is stopped, and the node continues`);
  log.fatal({ thread: name }, what);
  await pause(realEnvironment, lastWordsMs);
  if (await Promise.race([ended, pause(realEnvironment, threadEndMs)])) process.exit(exitCodes.fault);
  process.kill(process.pid, 'SIGKILL');
}
