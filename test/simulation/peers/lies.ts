/** A home that lies to those who act there. What it is sent, it may write; what it answers need not be so. */
import type { JsonObject } from '../../../src/core/canonical.js';
import type { AskedView, ShownView, ShowView } from '../../../src/peers/views/foreign-views.js';
import type { Draws } from './draws.js';

type Lie = (asked: AskedView, show: ShowView) => Promise<ShownView>;

const answer = (status: number, body: JsonObject): ShownView => ({ status, text: JSON.stringify(body) });

/** What it says to be prepared, changed. */
const preparing =
  (change: (prepared: { payload: { input: JsonObject }; event: { nonce: number } }) => object): Lie =>
  async (asked, show) => {
    const { status, text } = await show(asked);
    const body = JSON.parse(text);
    return status === 200
      ? answer(200, { prepared: { ...body.prepared, ...change(body.prepared) } })
      : { status, text };
  };

const silence: Lie = ({ signal }) =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(answer(503, { code: 'SERVICE_UNAVAILABLE' })), { once: true }),
  );

/** A transfer that is in no journal. */
const madeUp: Lie = async (asked, show) => {
  const { status, text } = await show(asked);
  const { transactions, ...page } = JSON.parse(text);
  const [real] = transactions.filter(({ onward }: { readonly onward?: object }) => onward);
  if (!real) return { status, text };
  const { seq } = transactions[0];
  const eventHash = [...real.eventHash].reverse().join('');
  return answer(status, { ...page, transactions: [{ ...real, seq, eventHash }, ...transactions] });
};

const eventIn = ({ body }: AskedView) =>
  body!.event as unknown as { readonly [name in 'hash' | 'issuer']: string } & { readonly nonce: number };

const prepared: readonly Lie[] = [
  preparing(({ payload }) => ({ payload: { ...payload, input: { ...payload.input, amount: 7 } } })),
  preparing(({ event }) => ({ event: { ...event, nonce: event.nonce - 1 } })),
  preparing(({ event }) => ({ event: { ...event, nonce: event.nonce + 1 } })),
  silence,
];

const submitted = {
  refused: async (asked: AskedView, show: ShowView) => {
    await show(asked);
    return answer(409, { code: 'CONFLICT', detail: 'it is refused' });
  },
  done: async (asked: AskedView) => answer(200, { eventHash: eventIn(asked).hash }),
  committed: async (asked: AskedView) => {
    const { hash: eventHash, nonce } = eventIn(asked);
    return answer(409, { code: 'CONFLICT', detail: 'it is done', eventHash, nonce, committed: true });
  },
  silence,
};

export function lying(show: ShowView, draws: Draws): ShowView {
  /** Who was told that what is written is refused: it is not lied to until it has sent the same again. */
  const lured = new Set<string>();
  return (asked) => {
    const { body, path } = asked;
    if (path.includes('/transactions') && draws.chance(0.3)) return madeUp(asked, show);
    const isSubmitted = path === '/events';
    const issuer = body && (isSubmitted ? eventIn(asked).issuer : String(body.did));
    if (!body || lured.has(issuer!) || draws.chance(0.7)) {
      if (isSubmitted) lured.delete(issuer!);
      return show(asked);
    }
    if (!isSubmitted) return draws.pick(prepared)(asked, show);
    const lie = draws.weighted({ refused: 6, done: 1, committed: 1, silence: 1 });
    if (lie === 'refused') lured.add(issuer!);
    return submitted[lie](asked, show);
  };
}
