import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { violationOfText } from '../core/json-text.js';
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
  return parseJson(text, (wrong) => new CommandFailed(`${file} ${wrong}`));
}

/** Refuses what the node would, had JSON.parse not hidden it. @param fault makes the error from the end of a sentence */
export function parseJson(text: string, fault: (wrong: string) => Error): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fault('is not JSON');
  }
  const refused = violationOfText(text);
  if (refused) throw fault(`is refused: ${refused.detail}`);
  return value;
}
