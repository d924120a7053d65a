/**
 * Where a passphrase comes from: a file, the environment, or a prompt that shows nothing. Never an argument, which
 * every user of the machine could read in the list of processes.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Config } from '../config.js';
import { CommandFailed, UsageFault } from './failure.js';

export interface Wanted {
  /** What the prompt asks for: 'Passphrase'. */
  readonly prompt: string;
  /** Of the command line; `-` is standard input. */
  readonly file?: string | undefined;
  /** The name of that option, for the sentence that says what is missing. */
  readonly option: string;
  /** SVC_PASSPHRASE or the first line of SVC_PASSPHRASE_FILE; absent where it is no answer to this question. */
  readonly config?: Config;
  /** One that is being chosen is typed twice. */
  readonly isNew?: boolean;
}

export async function readPassphrase({ prompt, file, option, config, isNew = false }: Wanted): Promise<string> {
  if (file !== undefined) return firstLine(file);
  if (config?.passphrase !== undefined) return config.passphrase;
  if (!process.stdin.isTTY) {
    const variable = config ? ', set SVC_PASSPHRASE or SVC_PASSPHRASE_FILE' : '';
    throw new UsageFault([`A passphrase is needed: give ${option} FILE${variable}, or run this at a terminal.`]);
  }
  const typed = await ask(`${prompt}: `);
  if (isNew && (await ask(`${prompt}, again: `)) !== typed) throw new CommandFailed('the two passphrases differ');
  return typed;
}

function firstLine(file: string): string {
  const [line = ''] = readFileSync(file === '-' ? 0 : file, 'utf8').split(/\r?\n/, 1);
  if (line === '') throw new CommandFailed(`${file}: its first line is empty, and should be the passphrase`);
  return line;
}

/** Reads a line from the terminal without showing it; the prompt goes to standard error, results stay alone. */
function ask(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    reader.on('SIGINT', () => reject(new CommandFailed('interrupted')));
    // Ctrl-D, or a terminal that went away.
    reader.on('close', () => reject(new CommandFailed('no passphrase was typed')));
    reader.once('line', resolve);
  }).finally(() => {
    reader.close();
    process.stderr.write('\n');
  }) as Promise<string>;
}
