/**
 * Where a passphrase comes from: a file, the environment, or a prompt that shows nothing. Never an argument, which
 * every user of the machine could read in the list of processes.
 */
import { on } from 'node:events';
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
  const [typed = '', again] = await ask(isNew ? [`${prompt}: `, `${prompt}, again: `] : [`${prompt}: `]);
  if (isNew && again !== typed) throw new CommandFailed('the two passphrases differ');
  return typed;
}

function firstLine(file: string): string {
  const [line = ''] = readFileSync(file === '-' ? 0 : file, 'utf8').split(/\r?\n/, 1);
  if (line === '') throw new CommandFailed(`${file}: its first line is empty, and should be the passphrase`);
  return line;
}

/** Reads lines from the terminal without showing them; prompts go to standard error, results stay alone. */
async function ask(prompts: readonly string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // From here until it is closed the terminal echoes nothing; a prompt before that would invite typing too early.
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  const ended = new Promise<never>((_, reject) => {
    reader.on('SIGINT', () => reject(new CommandFailed('interrupted')));
    // Ctrl-D, or a terminal that went away.
    reader.on('close', () => reject(new CommandFailed('no passphrase was typed')));
  });
  ended.catch(() => {}); // closing below rejects it, when nobody waits any more
  const lines = on(reader, 'line')[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const prompt of prompts) {
      process.stderr.write(prompt);
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
