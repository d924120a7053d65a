/** The text beside an edge, line by line; the layout reserves space for it, the drawing fills it. */
import type { TransitionView } from './chart-view.js';

export interface LabelLine {
  readonly text: string;
  readonly sort: 'action' | 'roles' | 'guard';
  /** Id of the transition that the line describes. */
  readonly transition: string;
}

/** Font sizes, in pixels. */
export const type = {
  action: { size: 13, leading: 18, advance: 8 },
  roles: { size: 11, leading: 14, advance: 6.3 },
  guard: { size: 11, leading: 14, advance: 6.3 },
  state: { size: 14, advance: 8.3 },
} as const;

const longestLine = 34;

/** The action's name, then who may do it and what must hold. */
export const linesOf = (transitions: readonly TransitionView[]): LabelLine[] =>
  transitions.flatMap(({ id, event, roles, guards }) => [
    { text: event, sort: 'action' as const, transition: id },
    ...wrapped(roles.join(', ')).map((text) => ({ text, sort: 'roles' as const, transition: id })),
    ...guards.map(({ name }) => ({ text: `[${name}]`, sort: 'guard' as const, transition: id })),
  ]);

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > longestLine) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Space between two transitions in one label, in pixels. */
const between = 5;

/** Distance from the line above, in pixels. */
export const leadingOf = ({ sort }: LabelLine, index: number): number =>
  type[sort].leading + (sort === 'action' && index > 0 ? between : 0);

export const sizeOf = (lines: readonly LabelLine[]): { readonly width: number; readonly height: number } => ({
  width: Math.ceil(Math.max(0, ...lines.map(({ text, sort }) => text.length * type[sort].advance)) + 8),
  height: lines.reduce((sum, line, index) => sum + leadingOf(line, index), 4),
});
