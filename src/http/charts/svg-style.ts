/** Colours and fonts of a chart that is a file: for light and dark, without CSS variables, which many viewers lack. */
import { type } from './label.js';

interface Palette {
  readonly back: string;
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly action: string;
  /** Fill and border of a state: under way, and by tone. */
  readonly state: readonly [fill: string, border: string];
  readonly good: readonly [fill: string, border: string];
  readonly neutral: readonly [fill: string, border: string];
  readonly trouble: readonly [fill: string, border: string];
  readonly chip: string;
}

/** Every text has a contrast of at least 4.5 with its background. */
const light: Palette = {
  back: '#ffffff',
  text: '#1a1d21',
  faint: '#5a636d',
  line: '#868e96',
  action: '#1a1d21',
  state: ['#f3f6fd', '#5b7fd6'],
  good: ['#e2f3e8', '#176b3a'],
  neutral: ['#f1f2f1', '#868e96'],
  trouble: ['#fbe9e7', '#a8201a'],
  chip: '#f1f2f1',
};
const dark: Palette = {
  back: '#161a1e',
  text: '#e6e8ea',
  faint: '#9aa4ae',
  line: '#68727c',
  action: '#e6e8ea',
  state: ['#1a2130', '#5f83c9'],
  good: ['#14301f', '#6fd39a'],
  neutral: ['#1d2227', '#68727c'],
  trouble: ['#3a1a18', '#ff9b93'],
  chip: '#1d2227',
};

const coloured = ({ back, text, faint, line, action, chip, ...states }: Palette): string => `text { fill: ${text}; }
.back, .label-back { fill: ${back}; }
${(['state', 'good', 'neutral', 'trouble'] as const)
  .map((tone) => `.${tone} > rect { fill: ${states[tone][0]}; stroke: ${states[tone][1]}; }`)
  .join('\n')}
.frame > rect { stroke: ${line}; }
.line { stroke: ${line}; }
.tip, .begin { fill: ${line}; }
.label-action { fill: ${action}; }
.label-roles, .chip text, .machine text { fill: ${faint}; }
.chip rect { fill: ${chip}; stroke: ${line}; }`;

/** The content of the style element: a content security policy can name its hash. */
export const svgStyle = `
svg { color-scheme: light dark; }
text { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; text-anchor: middle; }
.state > rect, .good > rect, .neutral > rect, .trouble > rect { stroke-width: 1.5; }
.title { font-size: ${type.state.size}px; font-weight: 600; }
.left > .title, .frame > .title, .inside .label-action, .inside .label-roles { text-anchor: start; }
.line { fill: none; stroke-width: 1.4; }
.label-action { font-size: ${type.action.size}px; font-weight: 600; }
.label-roles { font-size: ${type.roles.size}px; }
.chip text { font-size: ${type.chip.size}px; }
.chip rect { stroke-width: 0.75; }
${coloured(light)}
@media (prefers-color-scheme: dark) {
${coloured(dark)}
}
.frame > rect, .final > .inner { fill: none; }
.machine > rect { stroke-dasharray: 5 4; }
.final > .inner { stroke-width: 1; }
`;
