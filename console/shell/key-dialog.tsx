/** Asks for a key with scope `read`. It stays in memory until the page is closed. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { keyWanted, readKey } from '../api/key.ts';

const asked = signal(false);

export function askForKey(): void {
  asked.value = true;
}

export function KeyDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const reason = keyWanted.value;
  const open = asked.value || reason !== undefined;

  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open && dialog.current?.open) dialog.current.close();
  }, [open]);

  const leave = () => {
    asked.value = false;
    keyWanted.value = undefined;
    if (field.current) field.current.value = '';
  };
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    const key = field.current?.value.trim();
    readKey.value = key === '' ? undefined : key;
    leave();
  };

  return (
    <dialog ref={dialog} aria-labelledby="key-title" onClose={leave}>
      <form onSubmit={take}>
        <h2 id="key-title">A read key</h2>
        {reason === undefined ? null : (
          <p class="failure" role="alert">
            The node says: {reason}.
          </p>
        )}
        <p>
          A key with scope <code>read</code> is enough: the console writes on devnet only, where you try it out. The
          page keeps the key in memory only, and forgets it when you close or reload the page.
        </p>
        <label>
          API key
          <input ref={field} type="password" autocomplete="off" spellcheck={false} />
        </label>
        <p class="buttons">
          <button type="submit" class="main">
            Use this key
          </button>
          <button type="button" onClick={leave}>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
