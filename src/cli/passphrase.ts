/**
 * Reads a passphrase from a file, the environment or a prompt without echo. Never from an argument, which every user of
 * the machine can read in the process list.
 */
import { on } from 'node:events';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Config } from '../node/config/config.js';
import { CommandFailed, UsageFault } from './failure.js';
import { printable } from './output.js';
import type { CommonOptions } from './settings.js';

/** Options of a command that reads a passphrase. */
export interface PassphraseOptions extends CommonOptions {
  readonly passphraseFile?: string;
}

export interface PassphraseRequest {
  /** Text of the prompt, such as 'Passphrase'. */
  readonly prompt: string;
  /** File named on the command line; `-` is standard input. */
  readonly file?: string | undefined;
  /** Name of that option, for the error message; by default `--passphrase-file`. */
  readonly option?: string;
  /** Configuration with SVC_PASSPHRASE; absent when that is another passphrase than the requested one. */
  readonly config?: Config;
  /** A new passphrase is typed twice. */
  readonly isNew?: boolean;
}

export async function readPassphrase({
  prompt,
  file,
  option = '--passphrase-file',
  config,
  isNew = false,
}: PassphraseRequest): Promise<string> {
  if (file !== undefined) return firstLine(file);
  if (config?.passphrase !== undefined) return config.passphrase;
  if (!process.stdin.isTTY) {
    const variable = config ? ', set SVC_PASSPHRASE or SVC_PASSPHRASE_FILE' : '';
    throw new UsageFault([`A passphrase is needed: give ${option} FILE${variable}, or run this at a terminal.`]);
  }
  const [typed = '', again] = await ask(isNew ? [`${prompt}: `, `${prompt}, again: `] : [`${prompt}: `]);
  if (isNew && again !== typed) throw new CommandFailed('the two passphrases differ');
  return typed;
}

export const readNewPassphrase = (file: string | undefined, config: Config): Promise<string> =>
  readPassphrase({ prompt: 'Passphrase of the new key (at least 12 characters)', file, config, isNew: true });

function firstLine(file: string): string {
  const [line = ''] = readFileSync(file === '-' ? 0 : file, 'utf8').split(/\r?\n/, 1);
  if (line === '') throw new CommandFailed(`${file}: its first line is empty, and should be the passphrase`);
  return line;
}

/** Reads lines from the terminal without echo. Prompts go to standard error, so that standard output holds results only. */
async function ask(prompts: readonly string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // The prompt comes after echo is off, so that nothing typed early becomes visible.
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  const ended = new Promise<never>((_, reject) => {
    reader.on('SIGINT', () => reject(new CommandFailed('interrupted')));
    // Ctrl-D, or the terminal was closed.
    reader.on('close', () => reject(new CommandFailed('no passphrase was entered')));
  });
  ended.catch(() => {}); // closing rejects it when it is no longer awaited
  const lines = on(reader, 'line')[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const prompt of prompts) {
      process.stderr.write(printable(prompt, process.stderr));
      const { value } = await Promise.race([lines.next(), ended]);
      answers.push((value as [string])[0]);
      process.stderr.write('\n');
    }
    return answers;
  } finally {
    reader.close();
    if (answers.length < prompts.length) process.stderr.write('\n');
  }
}
