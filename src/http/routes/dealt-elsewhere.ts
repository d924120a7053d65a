/** Refuses writes on listings of other homes, and says where to deal with them (docs/reference/other-homes.md#writes). */
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import type { ApiContext } from '../context/api-context.js';
import { parametersOf } from '../server/paths.js';
import type { Call, Reply, Route } from '../server/route.js';
import { basePath, searchedKinds } from './derived-paths.js';
import { visibleResource } from './derived-reads.js';

/**
 * A write below a listing. If something does not exist, and the listing in the path is another home's, the refusal says
 * so; all other refusals keep their place in the order.
 */
export function dealtElsewhere(route: Route, api: ApiContext): Route {
  const kinds = searchedKinds(api);
  const [parameter] = parametersOf(route.path);
  const isBelowListing = kinds.some((kind) => route.path.startsWith(`${basePath(kind)}/:`));
  if (route.method === 'GET' || parameter === undefined || !isBelowListing) return route;
  const orElsewhere = async (call: Call): Promise<Reply | Refusal> => {
    const outcome = await route.handle(call);
    if (!isRefusal(outcome) || outcome.status !== 404) return outcome;
    return (await elsewhere(call.params[parameter]!, { kinds, call, api })) ?? outcome;
  };
  return { ...route, handle: (call) => (api.cards.index ? orElsewhere(call) : route.handle(call)) };
}

interface WriteBelow {
  readonly kinds: readonly AnyResource[];
  readonly call: Call;
  readonly api: ApiContext;
}

async function elsewhere(text: string, { kinds, call, api }: WriteBelow): Promise<Refusal | undefined> {
  const isOwn = async (id: string): Promise<boolean> =>
    (await Promise.all(kinds.map((kind) => visibleResource(kind, id, call.caller.reader, api)))).some((found) => found);
  const own = api.cards.ownIdIn(text);
  if (own !== undefined)
    return (await isOwn(own))
      ? refuse('UNPROCESSABLE', `${text} is this node’s own listing: name it ${own}`)
      : undefined;
  if (await isOwn(text)) return undefined;
  const card = await api.cards.find(kinds, text);
  if (!card || isRefusal(card)) return card;
  const { home, resource } = card;
  const says = `listing ${resource.id} is of another home: deal with it there, or state home, ${home}`;
  return refuse('UNPROCESSABLE', says, { home });
}
