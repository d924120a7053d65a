/**
 * The search box of every page: an entry's number, a hash, a DID, an id or its beginning, a name, or words of a listing. The
 * key `/` focuses it.
 */
import { useEffect, useRef } from 'preact/hooks';
import { Completed } from '../parts/completed.tsx';
import { go, href } from './route.ts';

/** Whether the focus is in an editable element, so that keys are text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function SearchBox({ text }: { text: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Does not replace the text while the user is typing the next search.
    if (field.current && field.current !== document.activeElement) field.current.value = text;
  }, [text]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== '/' || !isPlain || isTyping(event.target) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    const wanted = field.current?.value.trim() ?? '';
    if (wanted === '') return;
    // Leaves the field, so that the key `/` starts the next search.
    field.current?.blur();
    go(href('find', [], { text: wanted }));
  };
  return (
    <search class="search-box">
      <form onSubmit={search}>
        <Completed
          field={field}
          input={{
            ...({
              type: 'search',
              'aria-label': 'Search everything',
              'aria-keyshortcuts': '/',
              maxLength: 200,
            } as const),
            placeholder: 'Number, hash, DID, id, name or words ( / )',
          }}
        />
        <button type="submit">Find</button>
      </form>
    </search>
  );
}
