/** Where the Tokens of an escrow are, as a bar and as an equation: 30 = released 27 + refunded 3 + remaining 0. */
import { count, tokens } from '../../../format/format.ts';
import type { Balance } from './money.ts';

interface MoneyBarProps {
  readonly amount: number;
  readonly at: Balance;
}

type Part = readonly [name: string, value: number, className: string];

/** The part that is neither locked nor paid out: never reserved, or given back. */
function partsOf(amount: number, { reserved, locked, released, refunded }: Balance): readonly Part[] {
  const taken = reserved + locked + released + refunded;
  if (taken === 0) return [['not locked', amount, 'none']];
  return [
    ['released', released, 'released'],
    ['refunded', refunded, 'refunded'],
    reserved > 0 ? ['reserved', reserved, 'reserved'] : ['remaining', locked, 'remaining'],
  ];
}

export function MoneyBar({ amount, at }: MoneyBarProps) {
  const parts = partsOf(amount, at);
  const whole = Math.max(
    1,
    parts.reduce((sum, [, value]) => sum + value, 0),
  );
  return (
    <div class="money">
      <div class="money-bar" aria-hidden="true">
        {parts.map(([name, value, className]) =>
          value === 0 ? null : <span key={name} class={`part-${className}`} style={{ flexGrow: value / whole }} />,
        )}
      </div>
      <p class="money-sum">
        <strong>{tokens(amount)}</strong> ={' '}
        {parts.map(([name, value, className], index) => (
          <span key={name}>
            {index > 0 && ' + '}
            <span class="money-part">
              <span class={`swatch part-${className}`} aria-hidden="true" />
              {name} <strong class="number">{count(value)}</strong>
            </span>
          </span>
        ))}
      </p>
    </div>
  );
}
