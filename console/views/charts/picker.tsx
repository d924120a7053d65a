/** Chooses a kind. The search box of the page finds a resource by its id. */
import type { MachineSummary } from '../../api/types.ts';
import { href } from '../../shell/route.ts';

interface PickerProps {
  readonly machines: readonly MachineSummary[];
  readonly kind: string;
}

export const Picker = ({ machines, kind }: PickerProps) => (
  <ul class="kinds" aria-label="Kinds">
    {machines.map((machine) => (
      <li key={machine.kind}>
        <a href={href('charts', [machine.kind])} aria-current={machine.kind === kind ? 'true' : undefined}>
          {machine.title}
        </a>
      </li>
    ))}
  </ul>
);
