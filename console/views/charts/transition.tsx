/** All of one transition, which the drawing has no room for. */
import { useEffect, useRef } from 'preact/hooks';
import type { ChartTransition } from '../../api/types.ts';
import { Facts } from '../../parts/layout.tsx';

/** The guards of a transition, each with its refusal and code. */
export const Guards = ({ guards }: Pick<ChartTransition, 'guards'>) => (
  <>
    {guards.map(({ name, refusal, meaning }) => (
      <div key={name}>
        {meaning}{' '}
        <span class="faint small">
          {name} <code>{refusal}</code>
        </span>
      </div>
    ))}
  </>
);

/** The amount of each move, and its two accounts. */
export const Moves = ({ moves }: Pick<ChartTransition, 'moves'>) => (
  <>
    {moves.map(({ amount, from, to }) => (
      <div key={`${amount} ${from} ${to}`}>
        {amount} <span class="faint small">{`${from} → ${to}`}</span>
      </div>
    ))}
  </>
);

/** Members of the context that the transition changes, and their new values. */
export const Changes = ({ changes }: Pick<ChartTransition, 'changes'>) => (
  <>
    {changes.map(({ member, to }) => (
      <div key={member}>
        <code>{member}</code> <span class="faint small">{to}</span>
      </div>
    ))}
  </>
);

function changesOf({ from, changes }: ChartTransition) {
  if (from === null) return 'all of the context';
  return changes.length > 0 ? <Changes key="changes" changes={changes} /> : 'nothing else';
}

export function Transition({ of, onLeave }: { of: ChartTransition; onLeave: () => void }) {
  const { id, event, from, to, roles, guards, effects, moves, description } = of;
  const view = useRef<HTMLElement>(null);
  // On narrow screens it is below the drawing and may be out of view.
  useEffect(() => view.current?.scrollIntoView({ block: 'nearest' }), [id]);
  return (
    <section ref={view} class="transition" aria-label={`Transition ${event}`} aria-live="polite">
      <div class="panel-head">
        <h3>
          {event} <span class="faint">{`${from ?? 'new'} → ${to}`}</span>
        </h3>
        <button type="button" class="quiet" onClick={onLeave}>
          Close
        </button>
      </div>
      <Facts
        facts={[
          ['Description', description],
          ['Roles', roles.join(', ')],
          [
            guards.length === 1 ? 'Refused if' : 'Refused if any',
            guards.length > 0 ? <Guards key="guards" guards={guards} /> : 'none',
          ],
          ['Effects', effects.length > 0 ? effects.join(', ') : 'none'],
          ['Moves', moves.length > 0 ? <Moves key="moves" moves={moves} /> : 'no Tokens'],
          ['Changes', changesOf(of)],
        ]}
      />
    </section>
  );
}
