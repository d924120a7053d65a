/**
 * Runs a command line in this process, where the program is already loaded: loading takes most of a short command's time. One
 * command at a time, because they share environment and streams.
 */
import process from 'node:process';
import { run } from '../../../src/cli/program.js';
import { type Ended, nowhere } from './command.js';

let last: Promise<unknown> = Promise.resolve();

/** Without standard input. @param env SVC_ variables, and other differences from the tests' environment */
export function runHere(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const ended = last.then(() => alone(words, env));
  last = ended.catch(() => {});
  return ended;
}

async function alone(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const undo = [withEnvironment({ SVC_NODE_PREFERENCES: nowhere, ...env }), asNoTerminal(), withHandlers()];
  const said = { stdout: '', stderr: '' };
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const stream of ['stdout', 'stderr'] as const) {
    process[stream].write = ((text: string) => {
      said[stream] += text;
      return true;
    }) as typeof process.stdout.write;
  }
  try {
    const code = await run(words);
    return { code, signal: null, ...said };
  } finally {
    for (const stream of ['stdout', 'stderr'] as const) process[stream].write = writes[stream];
    for (const each of undo) each();
  }
}

/** @returns a function that restores the environment, including what the command removed */
export function withEnvironment(env: NodeJS.ProcessEnv): () => void {
  const before = { ...process.env };
  const isOwn = (name: string) => name.startsWith('SVC_') || name in env;
  const clear = () => {
    for (const name of Object.keys(process.env)) if (isOwn(name)) delete process.env[name];
  };
  clear();
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
  return () => {
    clear();
    for (const [name, value] of Object.entries(before)) if (isOwn(name)) process.env[name] = value;
  };
}

/** Makes standard input a non-terminal, so that no passphrase is prompted for. */
function asNoTerminal(): () => void {
  const { isTTY } = process.stdin;
  process.stdin.isTTY = false;
  return () => {
    process.stdin.isTTY = isTTY;
  };
}

/** @returns a function that removes the handlers that the command has added to the process and its signals */
function withHandlers(): () => void {
  const names = ['uncaughtException', 'unhandledRejection', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const before = new Set<unknown>(names.flatMap((name) => process.listeners(name as 'SIGTERM')));
  return () => {
    for (const name of names)
      for (const each of process.listeners(name as 'SIGTERM')) if (!before.has(each)) process.off(name, each);
  };
}
