/** On devnet, a form on a resource's page for each action that is available now. */
import { useEffect, useState } from 'preact/hooks';
import { type Operation, operationFor, operations } from '../api/operations.ts';
import type { JsonObject, MachineSummary, NodeStatus, PermittedActions } from '../api/types.ts';
import { useMachines } from '../api/use-machines.ts';
import { type Market, marketPath, useMarkets } from '../api/use-markets.ts';
import { useRead } from '../api/use-read.ts';
import { Panel } from '../parts/layout.tsx';
import { go, href } from '../shell/route.ts';
import { OperationForm } from './operation-form.tsx';
import { pageOfReply } from './page-of-reply.ts';
import { loadKeys, residents } from './people.ts';
import './write.css';

interface TryActionsProps {
  readonly kind: string;
  readonly view: JsonObject;
  readonly actions: PermittedActions['actions'];
}

/** The parties that may take an action. A lease names the role that meters it. */
const holdersOf = (roles: PermittedActions['actions'][number]['roles'], view: JsonObject): readonly unknown[] =>
  roles
    .filter(({ permitted }) => permitted)
    .map(({ role }) => view[role === 'meter' && typeof view.meteredBy === 'string' ? view.meteredBy : role]);

/** Kinds that are created at a listing of this home: an order, a lease, a bid. */
function madeFrom(
  all: ReadonlyMap<string, Operation>,
  machines: readonly MachineSummary[],
  markets: readonly Market[],
  { marketType, listingId, status }: JsonObject,
) {
  if (typeof listingId !== 'string' || status !== 'active') return [];
  const below = `/api/v1/markets/${marketPath(markets, String(marketType))}/{`;
  return machines.flatMap(({ kind }) => {
    const operation = operationFor(all, 'create', kind);
    return operation?.path.startsWith(below) ? [{ kind, operation }] : [];
  });
}

/** `purchase`, `lease` or `bid`: the last word of the path, which for the last two names a list. */
const verbOf = ({ path }: Operation): string => path.split('/').at(-1)!.replace(/s$/, '');

export function TryActions({ kind, view, actions }: TryActionsProps) {
  const status = useRead<NodeStatus>('/api/v1/node');
  const isOffered = status.data?.network === 'devnet' && residents.value.length > 0;
  const machines = useMachines();
  const markets = useMarkets().all;
  const [all, setAll] = useState<ReadonlyMap<string, Operation>>();
  const [done, setDone] = useState('');
  useEffect(() => {
    if (status.data?.network === 'devnet') loadKeys().catch(() => {});
  }, [status.data?.network]);
  useEffect(() => {
    if (isOffered) operations().then(setAll, () => {});
  }, [isOffered]);
  if (status.data?.network !== 'devnet') return null;
  const available = actions.filter(({ internal, roles }) => !internal && roles.some(({ permitted }) => permitted));
  const made = all && kind.endsWith('-listing') ? madeFrom(all, machines.data?.machines ?? [], markets, view) : [];
  const forms = available.flatMap(({ action, roles }) => {
    const operation = all && operationFor(all, action, kind);
    return operation ? [{ action, operation, signers: holdersOf(roles, view) }] : [];
  });
  // The panel above says that there is none.
  if (residents.value.length > 0 && forms.length + made.length === 0 && done === '') return null;
  return (
    <Panel title="Try it" class="try-it" aside={<span class="faint">devnet only</span>}>
      {residents.value.length === 0 ? (
        <p>
          <a href={href('try')}>Add a person</a> to act on this resource.
        </p>
      ) : (
        <div class="columns">
          {made.map(({ kind: of, operation }) => (
            <OperationForm
              key={of}
              operation={operation}
              label={verbOf(operation)}
              view={Object.fromEntries(operation.parameters.map((name) => [name, view.listingId]))}
              signers={residents.value.flatMap(({ did }) => (did === view.seller ? [] : [did]))}
              onDone={(reply) => go(pageOfReply(reply, of))}
            />
          ))}
          {forms.map(({ action, operation, signers }) => (
            <OperationForm
              key={`${action} ${String(view.resourcePrev)}`}
              operation={operation}
              label={action}
              view={view}
              signers={signers}
              onDone={() => setDone(`${action}: done`)}
            />
          ))}
        </div>
      )}
      <p role="status" class="good">
        {done}
      </p>
    </Panel>
  );
}
