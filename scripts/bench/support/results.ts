/** The results of a run as files: `figures.json`, and `plots.html`, a page without scripts. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { realEnvironment } from '../../../src/core/environment.js';
import { type Chart, charts, type Figure, tables } from './report.js';

const colours = ['#1b6ca8', '#c8501e', '#5a8f29', '#7a4fa3'];
const [width, height, left, bottom] = [640, 260, 56, 34];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const svg = (high: number, ...parts: readonly string[]): string =>
  `<svg viewBox="0 0 ${width} ${high}" width="${width}" role="img">${parts.join('')}</svg>`;
const label = (x: number, y: number, text: string, anchor = 'start'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${escaped(text)}</text>`;
const short = (value: number): string => (value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value)));

/** Lines over a common axis that begins at 0. */
function lineChart({ title, x, y, lines }: Chart): string {
  const points = lines.flatMap(({ values }) => values);
  const most = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis]!), Number.MIN_VALUE) * 1.05);
  const across = (value: number) => left + (value / most[0]!) * (width - left - 8);
  const up = (value: number) => height - bottom - (value / most[1]!) * (height - bottom - 24);
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = up(part * most[1]!);
    const line = `<path d="M${left} ${at}H${width}" stroke="#ddd"/>`;
    return line + label(left - 6, at + 4, short(part * most[1]!), 'end');
  });
  const drawn = lines.map(({ name, values }, index) => {
    const colour = colours[index % colours.length];
    const path = values.map(([atX, atY], n) => `${n === 0 ? 'M' : 'L'}${across(atX)} ${up(atY)}`).join('');
    const dots = values.map(([atX, atY]) => `<circle cx="${across(atX)}" cy="${up(atY)}" r="3" fill="${colour}"/>`);
    const key = `<g fill="${colour}">${label(left + 8 + 145 * index, 14, name)}</g>`;
    return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}${key}`;
  });
  const ticks = [...new Set(points.map(([value]) => value))].map((value) =>
    label(across(value), height - bottom + 16, short(value), 'middle'),
  );
  const chart = svg(height, ...grid, ...drawn, ...ticks, label(width, height - 4, x, 'end'));
  return `<h3>${escaped(title)}, ${escaped(y)}</h3>${chart}`;
}

/** A bar for each figure with a target, which is the vertical line; to the left of it is better, whatever the target is. */
function bars(figures: readonly Figure[]): string {
  const judged = figures.filter(({ value = 0, bound = 0 }) => value > 0 && bound > 0);
  if (judged.length === 0) return '';
  const [row, from, target] = [20, 330, 140];
  const drawn = judged.map(({ what, measured, met, value, bound, isAtLeast }, index) => {
    const ratio = Math.min(isAtLeast ? bound! / value! : value! / bound!, 1.6);
    const y = index * row;
    const bar = `<rect x="${from}" y="${y + 3}" width="${ratio * target}" height="13" fill="${met ? colours[2] : colours[1]}"/>`;
    return label(0, y + 14, what) + bar + label(from + ratio * target + 4, y + 14, measured);
  });
  const end = judged.length * row;
  return svg(end, ...drawn, `<path d="M${from + target} 0V${end}" stroke="#333"/>`);
}

function rows(figures: readonly Figure[]): string {
  const cells = figures.map(
    ({ what, target = '', measured, met }) =>
      `<tr><td>${escaped(what)}<td>${escaped(target)}<td>${escaped(measured)}<td>${met === false ? 'MISS' : ''}`,
  );
  return `<table><tr><th>figure<th>target<th>measured<th>${cells.join('')}</table>`;
}

/** Writes the files into a folder, which is made if need be. */
export function writeResults(dir: string): void {
  const commit = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() ?? '';
  const facts = {
    ...{ machine: `${cpus().length} × ${cpus()[0]?.model.trim()}`, platform: process.platform, node: process.version },
    ...{ commit, at: new Date(realEnvironment.now()).toISOString() },
  };
  const subjects = Object.fromEntries(tables.map(({ title, figures }) => [title, figures]));
  const text = JSON.stringify({ ...facts, subjects, charts }, null, 2);
  const page = [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Benchmarks of svc-node</title>',
    '<style>body{font:14px sans-serif;margin:2em;max-width:60em}text{font:11px sans-serif}td,th{text-align:left;padding:0 1em 0 0}</style>',
    `<h1>Benchmarks of svc-node</h1><p>${escaped(Object.values(facts).join(', '))}</p>`,
    ...charts.map(lineChart),
    '<p>A bar that ends before the line meets its target.</p>',
    ...tables.map(({ title, figures }) => `<h2>${escaped(title)}</h2>${bars(figures)}${rows(figures)}`),
  ];
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'figures.json'), `${text}\n`);
  writeFileSync(join(dir, 'plots.html'), `${page.join('\n')}\n`);
}
