/** The checks that this browser made, with their results. */
import type { Check } from '../proof/check-entry.ts';

export const Verdict = ({ holds, what }: { holds: boolean | undefined; what: string }) =>
  holds === undefined ? (
    <span class="check faint" title={what}>
      <span aria-hidden="true">–</span>
      <span class="unseen">{what}: not checked</span>
    </span>
  ) : (
    <span class={`check ${holds ? 'good' : 'bad'}`} title={what}>
      <span aria-hidden="true">{holds ? '✓' : '✗'}</span>
      <span class="unseen">{`${what}: ${holds ? 'passed' : 'failed'}`}</span>
    </span>
  );

export const Checks = ({ checks }: { checks: readonly Check[] }) => (
  <ul class="check-list">
    {checks.map(({ name, holds, says }) => (
      <li key={name}>
        <Verdict holds={holds} what={name} />
        <span>
          <strong>{name}</strong> <span class="faint">{says}</span>
        </span>
      </li>
    ))}
  </ul>
);
