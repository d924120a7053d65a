/** Chooses a kind, and a resource of it. */
import { useRef } from 'preact/hooks';
import type { MachineSummary } from '../../api/types.ts';
import { href } from '../../shell/route.ts';

interface PickerProps {
  readonly machines: readonly MachineSummary[];
  readonly kind: string;
  readonly id: string | undefined;
  onPick(kind: string, id: string | undefined): void;
}

export function Picker({ machines, kind, id, onPick }: PickerProps) {
  const field = useRef<HTMLInputElement>(null);
  const pick = (event: SubmitEvent) => {
    event.preventDefault();
    onPick(kind, field.current?.value.trim() || undefined);
  };
  return (
    <div class="picker">
      <ul class="kinds" aria-label="Kinds">
        {machines.map((machine) => (
          <li key={machine.kind}>
            <a href={href('charts', [machine.kind])} aria-current={machine.kind === kind ? 'true' : undefined}>
              {machine.title}
            </a>
          </li>
        ))}
      </ul>
      <form onSubmit={pick} aria-label="Resource">
        <label>
          <span class="unseen">Id of a resource of this kind</span>
          <input
            ref={field}
            class="mono"
            defaultValue={id ?? ''}
            placeholder="Id of a resource of this kind"
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <button type="submit">Show</button>
      </form>
    </div>
  );
}
