/** Gives, changes and removes a name that this browser keeps. */
import { useRef, useState } from 'preact/hooks';
import { longestName } from '../names/kept-names.ts';

interface NameFormProps {
  readonly label: string;
  /** Empty without one. */
  readonly name: string;
  /** @param name empty: removes it @returns what the user is told */
  keep(name: string): string;
}

export function NameForm({ label, name, keep }: NameFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [says, setSays] = useState('');
  const save = (text: string) => {
    setSays(keep(text));
    if (field.current) field.current.value = text.trim();
  };
  return (
    <form
      class="find"
      onSubmit={(event) => {
        event.preventDefault();
        save(field.current?.value ?? '');
      }}
    >
      <label>
        {label}
        <input
          ref={field}
          type="text"
          defaultValue={name}
          maxLength={longestName}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
      <button type="submit">{name === '' ? 'Save' : 'Rename'}</button>
      {name !== '' && (
        <button
          type="button"
          onClick={() => {
            save('');
            field.current?.focus();
          }}
        >
          Remove
        </button>
      )}
      <span role="status" class="faint">
        {says}
      </span>
    </form>
  );
}
