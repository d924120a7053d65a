/** What the tabs of the operator's page share. */
import type { Reading } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { AdminFailure } from '../../parts/admin-failure.tsx';
import { Loading } from '../../parts/reading.tsx';
import { Time } from '../../parts/text.tsx';

/** The data, or why it could not be read; a wrong key can be changed. */
export function WithKey<T>({
  reading,
  children,
}: {
  reading: Reading<T>;
  children: (data: T) => preact.ComponentChildren;
}) {
  if (reading.problem) return <AdminFailure problem={reading.problem} onRetry={reading.reload} />;
  return reading.data === undefined ? <Loading /> : children(reading.data);
}

export const maybe = (at: number | null, never: string) =>
  at === null ? <span class="faint">{never}</span> : <Time at={at} />;

export const Times = ({ of }: { of: readonly (readonly [name: string, time: preact.ComponentChildren])[] }) => (
  <ul class="parties">
    {of.map(([name, time]) => (
      <li key={name}>
        <span class="faint">{name}</span> {time}
      </li>
    ))}
  </ul>
);

export const Rest = ({ shown, total }: { shown: number; total: number }) =>
  total > shown ? <p class="faint">{`The first ${count(shown)} of ${count(total)}; the API has the rest.`}</p> : null;
