/** `#/charts/<kind>/<id>?step=3`: the state chart of a kind, and a resource's path through it. */
import { useEffect } from 'preact/hooks';
import { withQuery } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useMachines } from '../../api/use-machines.ts';
import { useRead } from '../../api/use-read.ts';
import { Loading, Shown } from '../../parts/reading.tsx';
import { href, type Route, settle } from '../../shell/route.ts';
import { KindDefinition } from './kind-definition.tsx';
import { Picker } from './picker.tsx';
import { Resource } from './resource.tsx';
import './charts.css';
import './drawing.css';
import './timeline.css';

const firstKind = 'escrow';

export function Charts({ route }: { route: Route }) {
  const [kind = firstKind, id] = route.segments;
  const machines = useMachines();
  return (
    <Shown reading={machines}>
      {({ machines: all }) =>
        id === undefined ? (
          <>
            <Picker machines={all.filter(({ isMachine }) => isMachine)} kind={kind} />
            <KindDefinition kind={kind} substate={route.query.get('substate')} />
          </>
        ) : all.some((each) => each.kind === kind) ? (
          <Resource key={`${kind}/${id}`} kind={kind} id={id} asked={route.query.get('step')} />
        ) : (
          <OfSomeKind key={`${kind}/${id}`} kind={kind} id={id} />
        )
      }
    </Shown>
  );
}

/** A resource whose kind is not named: the escrow of an order says `order`, whatever the market. */
function OfSomeKind({ kind, id }: { kind: string; id: string }) {
  const { data, problem } = useRead<Replies['lookUp']>(withQuery('/api/v1/lookup', { text: id }));
  const found = data?.matches.find((each) => each.id === id)?.kind;
  useEffect(() => {
    if (found !== undefined) settle(href('charts', [found, id]));
  }, [found]);
  return found === undefined && (data || problem) ? (
    <Resource kind={kind} id={id} asked={null} />
  ) : (
    <Loading what="Looking for it" />
  );
}
