/** One text field that leads to an address. */
import { useEffect, useRef } from 'preact/hooks';
import { go } from '../shell/route.ts';

interface FindProps {
  readonly label: string;
  readonly placeholder?: string;
  /** Initial text. */
  readonly value?: string;
  /** The page’s address for the entered text. */
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
