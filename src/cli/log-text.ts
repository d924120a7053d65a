/** The log for people: on a terminal, one readable line per record instead of JSON. */
import process from 'node:process';
import { type DestinationStream, pino } from 'pino';
import { tame } from './output.js';
import { paint, type TextTone } from './terminal.js';

const tones: { readonly [level: string]: TextTone | undefined } = { debug: 'quiet', trace: 'quiet', warn: 'trouble' };
const loud: TextTone = 'trouble';

/** `14:03:21 info  message  name=value …`; a line that is not a record is printed unchanged. */
export function logText(line: string, colour: (text: string, tone: TextTone | undefined) => string): string {
  let record: { readonly [name: string]: unknown };
  try {
    record = JSON.parse(line);
  } catch {
    return tame(line.trimEnd());
  }
  const { level, time, msg, err, ...members } = record;
  const label = pino.levels.labels[Number(level)] ?? String(level);
  const clock = typeof time === 'number' ? new Date(time).toISOString().slice(11, 19) : '';
  const tone = label in tones ? tones[label] : label === 'info' ? undefined : loud;
  const pairs = Object.entries(members).map(([name, value]) => `${name}=${valueText(value)}`);
  const text = [
    colour(clock, 'quiet'),
    colour(label.padEnd(5), tone),
    tame(String(msg ?? '')),
    colour(pairs.join(' '), 'quiet'),
  ];
  return [text.filter((part) => part !== '').join(' '), ...stackLines(err)].join('\n');
}

const valueText = (value: unknown): string =>
  tame(typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : (JSON.stringify(value) ?? ''));

/** The stack of an error, indented; its first line has the message. */
function stackLines(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { stack, message } = error as { readonly stack?: unknown; readonly message?: unknown };
  return String(stack ?? message ?? '')
    .split('\n')
    .map((line) => `    ${tame(line.trim())}`);
}

/** The destination of a start's log, because standard output is for the banner or the one line of JSON. */
export const logDestination = (): DestinationStream =>
  process.stderr.isTTY
    ? {
        write: (line) =>
          void process.stderr.write(`${logText(line, (text, tone) => paint(text, tone, process.stderr))}\n`),
      }
    : pino.destination(2);
