/** Asks for an admin key, which stays in this page's memory. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { adminKey } from '../api/admin-key.ts';

interface AdminKeyFormProps {
  /** Text of the button. */
  readonly submit: string;
  /** Explains what the key is needed for. */
  readonly children: ComponentChildren;
}

export function AdminKeyForm({ submit, children }: AdminKeyFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    adminKey.value = field.current?.value.trim() || undefined;
  };
  return (
    <form class="stack" onSubmit={take}>
      <div class="find">
        <label>
          Admin key
          <input ref={field} type="password" autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit" class="main">
          {submit}
        </button>
      </div>
      <p class="faint">{children}</p>
    </form>
  );
}
