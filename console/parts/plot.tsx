/**
 * A small line chart over time as SVG: one or two lines, a faint grid, and the values under the pointer or chosen with the
 * arrow keys. Its description has the same values as text.
 */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { clock } from '../format/format.ts';

export interface Line {
  readonly name: string;
  /** Null: there is no measurement. */
  readonly values: readonly (number | null)[];
}

interface PlotProps {
  readonly title: string;
  /** Shown in place of the title: it says the newest value of the one line. */
  readonly headline?: ComponentChildren;
  /** Epoch milliseconds, ascending. Each line has one value for each time. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** How a time is written; default: of the day. */
  readonly at?: (time: number) => string;
}

const width = 320;
const height = 96;
const top = 8;
const bottom = 80;

/** The smallest of 1, 2, 5 × 10ⁿ that is not less than the value. */
export function roundedUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

const ofDay = (time: number): string => clock(time, { bare: true });

export function Plot({ title, headline, times, lines, format, at: timeText = ofDay }: PlotProps) {
  const id = useId();
  const [at, setAt] = useState<number | undefined>(undefined);
  const highest = roundedUp(Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const last = times.length - 1;
  const x = (index: number) => (last <= 0 ? width : (index / last) * width);
  const y = (value: number) => bottom - (value / highest) * (bottom - top);
  const shown = at === undefined ? last : Math.min(at, last);
  const isSaid = headline !== undefined && lines.length === 1 && at === undefined;

  const point = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    setAt(Math.round(((event.clientX - box.left) / box.width) * last));
  };
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setAt(Math.min(Math.max(0, shown + by), last));
  };

  return (
    <figure class="plot" aria-labelledby={id}>
      <figcaption id={id}>
        {headline ? <p>{headline}</p> : <span class="plot-title">{title}</span>}
        <span class={isSaid ? 'plot-values said' : 'plot-values'} aria-live="off">
          {lines.map(({ name, values }, index) => (
            <span key={name} class={`line-${index}`}>
              {lines.length > 1 && <span class="plot-key">{name} </span>}
              <output class="number">{said(values[shown], format)}</output>
            </span>
          ))}
          {at !== undefined && times[shown] !== undefined && <span class="faint number">{timeText(times[shown])}</span>}
        </span>
      </figcaption>
      <svg
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are read with the arrow keys
        tabIndex={0}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}, highest ${format(highest)}; arrow keys read the values`}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
        onKeyDown={step}
        onBlur={() => setAt(undefined)}
      >
        {[1, 0.5, 0].map((share) => (
          <line key={share} class="grid" x1={0} x2={width} y1={y(highest * share)} y2={y(highest * share)} />
        ))}
        {lines.map(({ name, values }, index) => (
          <path key={name} class={`line line-${index}`} d={pathOf(values, x, y)} />
        ))}
        {at !== undefined && <line class="cursor" x1={x(shown)} x2={x(shown)} y1={top} y2={bottom} />}
      </svg>
      <p class="plot-scale number" aria-hidden="true">
        <span>{times[0] === undefined ? '' : timeText(times[0])}</span>
        <span>up to {format(highest)}</span>
        <span>{times[last] === undefined ? '' : timeText(times[last])}</span>
      </p>
    </figure>
  );
}

const said = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '–' : format(value);

/** The path is interrupted where there is no value. A value between two gaps becomes a dot. */
function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let text = '';
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const begins = (values[index - 1] ?? null) === null;
    const ends = (values[index + 1] ?? null) === null;
    text += `${begins ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}${begins && ends ? 'h0.01' : ''}`;
  }
  return text;
}
