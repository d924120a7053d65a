import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { CommandFailed } from './failure.js';

/** All of standard input, as text. */
export async function fromInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** @param file `-`: standard input */
export async function readJson(file: string): Promise<unknown> {
  const text = file === '-' ? await fromInput() : await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailed(`${file} is not JSON`);
  }
}
