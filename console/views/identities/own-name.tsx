/** The user's own name for a DID. It is kept in this browser and shown wherever the DID is. */
import { useRef, useState } from 'preact/hooks';
import { addressBook, longestName, nameDid } from '../../names/address-book.ts';

export function OwnName({ did }: { did: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [says, setSays] = useState('');
  const name = addressBook.value[did] ?? '';
  const keep = (event: SubmitEvent) => {
    event.preventDefault();
    const text = field.current?.value ?? '';
    if (!nameDid(did, text)) setSays('The address book is full.');
    else setSays(text.trim() === '' ? 'Removed.' : 'Saved.');
  };
  return (
    <section class="panel" aria-label="Address book">
      <form class="find" onSubmit={keep}>
        <label>
          Your name for this DID
          <input
            ref={field}
            type="text"
            defaultValue={name}
            maxLength={longestName}
            autocomplete="off"
            spellcheck={false}
          />
        </label>
        <button type="submit">Save</button>
        <span role="status" class="faint">
          {says}
        </span>
      </form>
      <p class="faint">Kept in this browser only. Leave it empty to use the name in the DID’s own document.</p>
    </section>
  );
}
