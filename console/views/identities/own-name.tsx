/** The user's own name for a DID. It is kept in this browser and shown wherever the DID is. */
import { addressBook, nameDid } from '../../names/address-book.ts';
import { LooksLike } from '../../parts/looks-like.tsx';
import { NameForm } from '../../parts/name-form.tsx';

export function OwnName({ did }: { did: string }) {
  const name = addressBook.value[did] ?? '';
  return (
    <section class="panel" aria-label="Address book">
      <NameForm key={did} label="Your name for this DID" name={name} keep={(given) => nameDid(did, given)} />
      {name !== '' && <LooksLike did={did} name={name} />}
      <p class="faint">Kept in this browser only, and shown instead of the name in the DID’s own document.</p>
    </section>
  );
}
