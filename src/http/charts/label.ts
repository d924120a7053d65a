/** The texts of a transition's label, and the space that they need: the layout reserves it, drawings fill it. */
import type { MachineLayout } from '../../../packages/client/src/wire.js';
import type { Box, LabelBox } from './layout.js';

type MachineLabel = MachineLayout['edges'][number]['labels'][number];

/** The data of a transition's label. */
export interface LabelSource {
  readonly event: string;
  readonly roles: readonly string[];
  readonly guards: readonly unknown[];
}

/** Font sizes and distances between lines, in pixels. Nothing is smaller than 12, so that a drawing may shrink to 11. */
export const type = {
  state: { size: 14, leading: 20 },
  action: { size: 13, leading: 18 },
  roles: { size: 12, leading: 15 },
  chip: { size: 12, height: 17, leading: 20, padding: 5 },
} as const;

/**
 * `high`: on a line to the right, everything in one column; `flat`: on a line downwards, the chip to the right of the
 * action; `inside`: in the list of a state, everything left-aligned.
 */
export type LabelForm = 'high' | 'flat' | 'inside';

const longestLine = { high: 14, flat: 22, inside: 16 } as const;
/** The most lines of roles. The number of further roles is shown as `+2`; the transition's description has them all. */
const mostLines = 2;

/** `networkArbiter` becomes `network arbiter`. */
const spaced = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The roles that may perform the action, in at most two lines. */
function roleLines(roles: readonly string[], form: LabelForm): string[] {
  const lines: string[] = [];
  for (const [index, role] of roles.entries()) {
    const word = `${spaced(role)}${index < roles.length - 1 ? ',' : ''}`;
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < longestLine[form])
      lines[lines.length - 1] = `${last} ${word}`;
    else if (lines.length < mostLines) lines.push(word);
    else return [...lines.slice(0, -1), `${last} +${roles.length - index}`];
  }
  return lines;
}

const chipOf = ({ guards }: LabelSource): string | undefined =>
  guards.length === 0 ? undefined : `${guards.length} condition${guards.length === 1 ? '' : 's'}`;

const gap = 6;
const padding = { x: 3, y: 4 } as const;
/** Space of the badge with the step numbers: above a label, or in a state to the right of its action. */
export const badge = { above: 15, beside: 44, least: 58 } as const;

interface Measured {
  readonly chip: string | undefined;
  readonly roles: readonly string[];
  readonly action: number;
  readonly chipWidth: number;
  readonly chipIsBeside: boolean;
}

function measured(transition: LabelSource, form: LabelForm): Measured {
  const chip = chipOf(transition);
  return {
    chip,
    roles: roleLines(transition.roles, form),
    action: textWidth(transition.event, type.action.size, true),
    chipWidth: chip === undefined ? 0 : Math.ceil(textWidth(chip, type.chip.size) + 2 * type.chip.padding),
    chipIsBeside: chip !== undefined && form === 'flat',
  };
}

export function labelSize(transition: LabelSource, form: LabelForm): { width: number; height: number } {
  const { chip, roles, action, chipWidth, chipIsBeside } = measured(transition, form);
  const head = action + (chipIsBeside ? gap + chipWidth : 0) + (form === 'inside' ? badge.beside : 0);
  const lines = roles.map((line) => textWidth(line, type.roles.size));
  const column = chip === undefined || chipIsBeside ? 0 : type.chip.leading;
  return {
    width: Math.ceil(Math.max(badge.least, head, chipWidth, ...lines) + (form === 'inside' ? 0 : 2 * padding.x)),
    height: type.action.leading + roles.length * type.roles.leading + column + 2 * padding.y,
  };
}

const rounded = (value: number): number => Math.round(value * 2) / 2;

/** The position of each text inside the label's box. */
export function labelParts(transition: LabelSource, box: Box, form: LabelForm): Omit<MachineLabel, keyof LabelBox> {
  const { chip, roles, action, chipWidth, chipIsBeside } = measured(transition, form);
  const isInside = form === 'inside';
  const middle = box.x + box.width / 2;
  const head = action + (chipIsBeside ? gap + chipWidth : 0);
  const start = isInside ? box.x : middle - head / 2;
  const top = box.y + padding.y;
  const below = top + type.action.leading + roles.length * type.roles.leading;
  const chipAt = chipIsBeside
    ? { x: start + action + gap, y: top }
    : { x: isInside ? box.x : middle - chipWidth / 2, y: below + 2 };
  return {
    action: { text: transition.event, x: rounded(isInside ? start : start + action / 2), y: rounded(top + 13) },
    roles: roles.map((text, index) => ({
      text,
      x: rounded(isInside ? box.x : middle),
      y: rounded(top + type.action.leading + type.roles.leading * index + 11),
    })),
    ...(chip === undefined
      ? {}
      : {
          chip: { text: chip, x: rounded(chipAt.x), y: rounded(chipAt.y), width: chipWidth, height: type.chip.height },
        }),
    badge: isInside
      ? { x: rounded(box.x + box.width), y: rounded(top + type.chip.height / 2) }
      : { x: rounded(middle), y: rounded(box.y - 5) },
  };
}

/** Each character's share of the font size in DejaVu Sans, the widest of the fonts that the style lists. */
const advances: readonly (readonly [characters: RegExp, share: number])[] = [
  [/[ijl.,:'|! ]/, 0.32],
  [/[tfr()-]/, 0.41],
  [/[mwMW@]/, 0.95],
  [/[A-Z]/, 0.7],
];
const usualAdvance = 0.62;
const boldness = 1.12;

/** Estimates the width of a text without a font. */
export function textWidth(text: string, size: number, isBold = false): number {
  const shares = [...text].map((each) => advances.find(([characters]) => characters.test(each))?.[1] ?? usualAdvance);
  return shares.reduce((sum, share) => sum + share, 0) * size * (isBold ? boldness : 1);
}
