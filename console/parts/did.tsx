/** A DID: its name if it has one, followed by the end of the DID, because a name is not unique. */
import { abridgedDid, shortName } from '../format/format.ts';
import { homeWord } from '../names/home-name.ts';
import { nameOf } from '../names/names.ts';
import { href } from '../shell/route.ts';

const tail = 4;

/** A DID as text: `Ada …dvkt`, or the abridged DID if it has no name. */
export function didText(did: string): string {
  const name = nameOf(did);
  if (!name) return abridgedDid(did);
  const part = name.part ? `, ${name.part}` : '';
  const home = name.home === undefined ? '' : ` ~${homeWord(name.home)}`;
  return `${shortName(name.text)}${part} …${did.slice(-tail)}${home}${name.like === undefined ? '' : ' ≈'}`;
}

/** Name and DID without a link. */
export function DidName({ did }: { did: string }) {
  const name = nameOf(did);
  if (!name) return <span class="mono">{abridgedDid(did)}</span>;
  return (
    <span class="did-name">
      <bdi>{shortName(name.text)}</bdi>
      {name.part && `, ${name.part}`} <span class="mono faint">…{did.slice(-tail)}</span>
      {name.home !== undefined && (
        <bdi class="faint" title={`at home ${name.home}`}>
          {' '}
          ~{homeWord(name.home)}
        </bdi>
      )}
      {name.like !== undefined && (
        <span
          class="warn"
          role="img"
          aria-label="looks like another name"
          title={`Looks like the name of ${name.like}`}
        >
          {' ≈'}
        </span>
      )}
    </span>
  );
}

/** Links to the identity's page, which shows the whole DID. */
export const Did = ({ did }: { did: string }) => (
  <a class="did" href={href('identities', [did])} title={did}>
    <DidName did={did} />
  </a>
);
