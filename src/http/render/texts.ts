/** Shows the texts of leaves in replies (core/leaf.ts): one place for all routes. */
import type { Json, JsonObject } from '../../core/canonical.js';
import { leafText, leavesIn, withTexts } from '../../core/leaf.js';
import { Refusal } from '../../core/refusal.js';
import type { Moderations } from '../../projections/moderations.js';
import type { Content } from '../../store/store.js';
import type { Call, Reply, Route } from '../server/route.js';

export type TextReader = Pick<Moderations, 'texts'>;

/** A reference is in a reply only where its reader may see the text. */
export const showingTexts = async <T extends Json>(
  value: T,
  texts: TextReader,
  reader: string | undefined,
  asErased = false,
): Promise<T> => showing(value, leavesIn(value), { texts, reader, asErased });

interface Showing {
  readonly texts: TextReader;
  readonly reader: string | undefined;
  /** Names and addresses: a sentence in the place of what the operator hides would be one. */
  readonly asErased: boolean;
  /** What was just written. */
  readonly contents?: readonly Content[] | undefined;
}

async function showing<T extends Json>(
  value: T,
  hashes: ReadonlySet<string>,
  { texts: known, reader, asErased, contents = [] }: Showing,
): Promise<T> {
  if (hashes.size === 0) return value;
  const written = contents.filter(({ hash }) => hashes.has(hash));
  const texts =
    written.length === hashes.size
      ? new Map(written.map(({ hash, bytes }) => [hash, leafText(bytes)]))
      : await known.texts([...hashes], reader, asErased);
  return withTexts(value, (hash) => texts.get(hash)) as T;
}

/** The route with the texts of its replies. */
export function withTextsIn(route: Route, texts: TextReader): Route {
  const asErased = route.tag === 'Identity';
  const filled = (
    outcome: Reply | Refusal,
    { caller: { reader } }: Call,
  ): Promise<Reply | Refusal> | Reply | Refusal => {
    if (outcome instanceof Refusal || outcome.body === undefined) return outcome;
    const hashes = leavesIn(outcome.body);
    if (hashes.size === 0) return outcome;
    return showing(outcome.body as JsonObject, hashes, { texts, reader, asErased, contents: outcome.contents }).then(
      (body) => ({
        ...outcome,
        body,
      }),
    );
  };
  return {
    ...route,
    handle(call) {
      const outcome = route.handle(call);
      return outcome instanceof Promise ? outcome.then((done) => filled(done, call)) : filled(outcome, call);
    },
  };
}
