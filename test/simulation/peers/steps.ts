/** The steps of trade across homes that a write to a disk carries: points before and after which a process may die. */
import type { Entry } from '../../../src/store/entry.js';

export const steps = [
  ...(['send', 'homeward', 'withdraw', 'answer', 'pay out', 'close', 'give-up', 'note', 'follow'] as const),
] as const;
export type Step = (typeof steps)[number];

const byEvent: { readonly [type: string]: Step } = {
  'remote.sent': 'send',
  'remote.answered': 'answer',
  'remote.completed': 'close',
  'remote.returned': 'close',
  'remote.given-up': 'give-up',
  'remote.answered-late': 'note',
};

/** The step of Tokens that go home or are withdrawn; undefined for any other entry. */
function special(step: Step, { core, payload }: Pick<Entry, 'core' | 'payload'>): Step | undefined {
  if (step === 'answer' && core.moves.some(({ op }) => op === 'withdraw')) return 'pay out';
  if (step !== 'send') return undefined;
  if (payload?.input.owner !== undefined) return 'homeward';
  return payload?.input.action === 'withdraw' && payload.input.kind === 'account' ? 'withdraw' : undefined;
}

/** @param isOwn whether it is the home's own journal, not the copy of another one */
export function stepsOf(
  commits: readonly { readonly entry: Pick<Entry, 'core' | 'payload'> }[],
  isOwn: boolean,
): Step[] {
  const found = new Set<Step>();
  for (const { entry } of commits) {
    const step = byEvent[entry.core.event.type];
    if (!step) continue;
    if (!isOwn) return ['follow'];
    found.add(special(step, entry) ?? step);
  }
  return [...found];
}
