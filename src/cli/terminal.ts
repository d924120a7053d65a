/** Colours of a terminal. Pipes, files and NO_COLOR get plain text. */
import process from 'node:process';
import { styleText } from 'node:util';

export type TextTone = 'good' | 'trouble' | 'quiet' | 'strong';

const styles = { good: 'green', trouble: 'yellow', quiet: 'dim', strong: 'bold' } as const;

interface Coloured {
  readonly isTTY?: boolean;
}

/** https://no-color.org: any value but an empty one turns colours off. */
export function hasColour(stream: Coloured = process.stdout, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

export const paint = (text: string, tone: TextTone | undefined, stream: Coloured = process.stdout): string =>
  tone !== undefined && hasColour(stream) ? styleText(styles[tone], text, { validateStream: false }) : text;

/** With a green `OK` at its beginning. */
export const asOk = (text: string, stream: Coloured = process.stdout): string =>
  text.replace(/^OK/, (word) => paint(word, 'good', stream));

const good = [
  'active',
  'approved',
  'completed',
  'confirmed',
  'delivered',
  'funded',
  'ok',
  'paid',
  'released',
  'settled',
];
const trouble = ['disputed', 'failed', 'failing', 'frozen', 'overdue', 'rejected', 'revoked', 'revoking'];
const quiet = ['cancelled', 'expired', 'lapsed', 'paused', 'refunded', 'removed', 'terminated', 'withdrawn'];

/** The tone of a state: the last word decides, as in `created · lapsed`. */
export function toneOf(state: string): TextTone | undefined {
  const word = state.split(/[ ·.]+/).at(-1) ?? '';
  if (good.includes(word)) return 'good';
  if (trouble.includes(word)) return 'trouble';
  return quiet.includes(word) ? 'quiet' : undefined;
}
