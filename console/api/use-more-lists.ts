/** Lists of kinds that the console does not describe, from the node's kinds and its OpenAPI document. */
import { useEffect, useState } from 'preact/hooks';
import { capital, words } from '../format/format.ts';
import { type ListOperation, lists } from './operations.ts';
import { useMachines } from './use-machines.ts';

export interface MoreList extends ListOperation {
  readonly kind: string;
  readonly title: string;
}

/** Lists that views/lists/kinds.ts describes. */
const others = /^\/api\/v1\/(escrows|contracts|orders|disputes|markets\/capabilities\/leases|markets\/tasks\/bids)$/;

const none: readonly MoreList[] = [];

/** Undefined until they are known. The OpenAPI document is read only if the node has such kinds. */
export function useMoreLists(): readonly MoreList[] | undefined {
  const { data, problem } = useMachines();
  const [operations, setOperations] = useState<ReadonlyMap<string, ListOperation>>();
  const kinds = (data?.machines ?? []).flatMap(({ kind, links: { resources } }) =>
    resources === undefined || others.test(resources) || kind.endsWith('-listing') ? [] : [{ kind, resources }],
  );
  const isNeeded = kinds.length > 0;
  useEffect(() => {
    if (isNeeded) lists().then(setOperations, () => setOperations(new Map()));
  }, [isNeeded]);
  if (!isNeeded) return data || problem ? none : undefined;
  return (
    operations &&
    kinds.flatMap(({ kind, resources }) => {
      const operation = operations.get(resources);
      return operation ? [{ ...operation, kind, title: capital(words(operation.name)) }] : [];
    })
  );
}
