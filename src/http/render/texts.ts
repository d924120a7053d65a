/** Shows the texts of leaves in replies (core/leaf.ts): one place for all routes. */
import type { Json, JsonObject } from '../../core/canonical.js';
import { leafText, leavesIn, withTexts } from '../../core/leaf.js';
import { Refusal } from '../../core/refusal.js';
import type { Content, StoreReader } from '../../store/store.js';
import type { Reply, Route } from '../server/route.js';

type TextReader = Pick<StoreReader, 'texts'>;

/** A reference is in a reply only where its reader may see the text. */
export const showingTexts = async <T extends Json>(value: T, store: TextReader): Promise<T> =>
  showing(value, leavesIn(value), store);

/** @param contents what was just written */
async function showing<T extends Json>(
  value: T,
  hashes: ReadonlySet<string>,
  store: TextReader,
  contents: readonly Content[] = [],
): Promise<T> {
  if (hashes.size === 0) return value;
  const written = contents.filter(({ hash }) => hashes.has(hash));
  const texts =
    written.length === hashes.size
      ? new Map(written.map(({ hash, bytes }) => [hash, leafText(bytes)]))
      : await store.texts([...hashes]);
  return withTexts(value, (hash) => texts.get(hash)) as T;
}

/** The route with the texts of its replies. */
export function withTextsIn(route: Route, store: TextReader): Route {
  const filled = (outcome: Reply | Refusal): Promise<Reply | Refusal> | Reply | Refusal => {
    if (outcome instanceof Refusal || outcome.body === undefined) return outcome;
    const hashes = leavesIn(outcome.body);
    if (hashes.size === 0) return outcome;
    return showing(outcome.body as JsonObject, hashes, store, outcome.contents).then((body) => ({ ...outcome, body }));
  };
  return {
    ...route,
    handle(call) {
      const outcome = route.handle(call);
      return outcome instanceof Promise ? outcome.then(filled) : filled(outcome);
    },
  };
}
