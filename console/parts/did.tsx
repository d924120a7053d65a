/** A DID: by its name where it has one, with the end of the DID beside it, because anybody may take any name. */
import { abridgedDid } from '../format/format.ts';
import { nameOf } from '../names/names.ts';
import { href } from '../shell/route.ts';

const longest = 28;
const tail = 4;

/** Characters that would turn the text around them: names are shown between others' words. */
const turning = /[\p{Cc}\p{Cf}]/gu;

export const shortName = (name: string): string => {
  const text = name.replace(turning, '').trim();
  return [...text].length > longest ? `${[...text].slice(0, longest - 1).join('')}…` : text;
};

/** What a DID is called, as text: `Ada …dvkt`, else the DID abridged. */
export function didText(did: string): string {
  const name = nameOf(did);
  return name ? `${shortName(name.text)} …${did.slice(-tail)}` : abridgedDid(did);
}

/** Name and DID without a link. */
export function DidName({ did }: { did: string }) {
  const name = nameOf(did);
  if (!name) return <span class="mono">{abridgedDid(did)}</span>;
  return (
    <span class="did-name">
      <bdi>{shortName(name.text)}</bdi> <span class="mono faint">…{did.slice(-tail)}</span>
    </span>
  );
}

/** Leads to the identity, whose page shows the whole DID. */
export const Did = ({ did }: { did: string }) => (
  <a class="did" href={href('identities', [did])} title={did}>
    <DidName did={did} />
  </a>
);
