/** The user's own name for a DID. It is kept in this browser and shown wherever the DID is. */
import { addressBook, nameDid } from '../../names/address-book.ts';
import { NameForm } from '../../parts/name-form.tsx';

export const OwnName = ({ did }: { did: string }) => (
  <section class="panel" aria-label="Address book">
    <NameForm
      key={did}
      label="Your name for this DID"
      name={addressBook.value[did] ?? ''}
      keep={(name) => nameDid(did, name)}
    />
    <p class="faint">Kept in this browser only, and shown instead of the name in the DID’s own document.</p>
  </section>
);
