/** Says so if another DID has a name that looks like this one: the node is asked, because the console knows only names that it has shown. */
import { NamesAlike } from '../../packages/client/src/look-alike.ts';
import { withQuery } from '../api/read.ts';
import type { Replies } from '../api/types.ts';
import { useRead } from '../api/use-read.ts';
import { likeName } from '../names/names.ts';
import { Did } from './did.tsx';

export function LooksLike({ did, name }: { did: string; name: string }) {
  const { data } = useRead<Replies['lookUp']>(withQuery('/api/v1/lookup', { text: [...name].slice(0, 200).join('') }));
  const found = (data?.matches ?? []).map(({ id, displayName = '' }) => [id, displayName] as const);
  const like = likeName(did, name) ?? new NamesAlike(found).other(did, name);
  return (
    like !== undefined && (
      <p class="warn">
        Looks like the name of <Did did={like} />: a name proves nothing, compare the DIDs.
      </p>
    )
  );
}
