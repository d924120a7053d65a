/** One field that leads somewhere. */
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../shell/route.ts';

interface FindProps {
  readonly label: string;
  readonly placeholder?: string;
  /** What is shown now. */
  readonly value?: string;
  /** The address that a text leads to. */
  readonly to: (text: string) => string;
}

export function Find({ label, placeholder = '', value = '', to }: FindProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) field.current.value = value;
  }, [value]);
  const leave = (event: SubmitEvent) => {
    event.preventDefault();
    const text = field.current?.value.trim() ?? '';
    if (text !== '') go(to(text));
  };
  return (
    <search>
      <form class="find" onSubmit={leave}>
        <label>
          {label}
          <input ref={field} type="text" placeholder={placeholder} autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Open</button>
      </form>
    </search>
  );
}
