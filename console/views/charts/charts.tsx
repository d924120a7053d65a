/** `#/charts/<kind>/<id>?step=3`: the state chart of a kind, and a resource's path through it. */
import { useEffect } from 'preact/hooks';
import { path } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useMachines } from '../../api/use-machines.ts';
import { useRead } from '../../api/use-read.ts';
import { Shown } from '../../parts/reading.tsx';
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
        ) : kind === 'order' ? (
          <OrderOfSomeMarket key={id} id={id} />
        ) : (
          <Resource key={`${kind}/${id}`} kind={kind} id={id} asked={route.query.get('step')} />
        )
      }
    </Shown>
  );
}

/** The order of an escrow, which says `order` whatever the market. */
function OrderOfSomeMarket({ id }: { id: string }) {
  const order = useRead<Replies['getOrder']>(path`/api/v1/orders/${id}`);
  const market = order.data?.marketType;
  useEffect(() => {
    if (market !== undefined) settle(href('charts', [`${market}-order`, id]));
  }, [market, id]);
  return <Shown reading={order}>{() => null}</Shown>;
}
