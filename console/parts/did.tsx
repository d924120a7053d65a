/** A DID: its name if it has one, followed by the end of the DID, because a name is not unique. */
import { abridgedDid } from '../format/format.ts';
import { nameOf } from '../names/names.ts';
import { href } from '../shell/route.ts';

const longest = 28;
const tail = 4;

/** Control and direction characters would change the text around a name. */
const turning = /[\p{Cc}\p{Cf}]/gu;

export const shortName = (name: string): string => {
  const text = name.replace(turning, '').trim();
  return [...text].length > longest ? `${[...text].slice(0, longest - 1).join('')}…` : text;
};

/** A DID as text: `Ada …dvkt`, or the abridged DID if it has no name. */
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

/** Links to the identity's page, which shows the whole DID. */
export const Did = ({ did }: { did: string }) => (
  <a class="did" href={href('identities', [did])} title={did}>
    <DidName did={did} />
  </a>
);
