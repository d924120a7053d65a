/** What kills have hit: the requests between homes that were on their way, as the journals say. */
import type { GivenAnswer, SentRequest, TradeFacts } from '../../../src/peers/audit/trade-facts.js';

export interface Kill {
  /** DID of the killed home. */
  readonly home: string;
  readonly time: number;
}

interface Requested {
  readonly request: SentRequest;
  readonly answer: GivenAnswer | undefined;
}

const isGivenUp = ({ state }: SentRequest): boolean => state === 'given-up' || state === 'answered-late';

/** The requests of one home to another, with their answers. */
export function requestsBetween(asking: TradeFacts, asked: TradeFacts): readonly Requested[] {
  const answers = new Map([...asked.answers()].map((each) => [each.id, each]));
  return [...asking.requests()]
    .filter(({ context }) => context.home === asked.home)
    .map((request) => ({ request, answer: answers.get(request.eventHash) }));
}

/** Tokens of accepted requests that were paid, and of those that were given up although the other home has accepted them. */
export function tokensOf(requests: readonly Requested[]): { readonly paid: number; readonly lost: number } {
  const sum = { paid: 0, lost: 0 };
  for (const { request, answer } of requests) {
    const { state, context } = request;
    if (state === 'accepted') sum.paid += context.money;
    if (isGivenUp(request) && answer?.state === 'accepted') sum.lost += context.money;
  }
  return sum;
}

/** How many requests there were, and how many a kill has hit: at the home that asks or that is asked, before its answer or after. */
export function requestFigures(journals: readonly TradeFacts[], kills: readonly Kill[]) {
  const all = { purchases: 0, homeward: 0, refused: 0, givenUp: 0, answeredLate: 0 };
  const hit = { askingBefore: 0, askingAfter: 0, askedBefore: 0, askedAfter: 0, homeward: 0 };
  for (const asking of journals) {
    for (const asked of journals) {
      for (const { request, answer } of requestsBetween(asking, asked)) {
        const { context, state, time, closed } = request;
        const isHomeward = context.owner !== undefined;
        all[isHomeward ? 'homeward' : 'purchases']++;
        if (state === 'refused') all.refused++;
        if (isGivenUp(request)) all.givenUp++;
        if (state === 'answered-late') all.answeredLate++;
        for (const kill of kills) {
          const isOpen = time <= kill.time && kill.time <= closed!.time;
          if (!isOpen || (kill.home !== asking.home && kill.home !== asked.home)) continue;
          const isBefore = !answer || kill.time < answer.time;
          hit[`${kill.home === asking.home ? 'asking' : 'asked'}${isBefore ? 'Before' : 'After'}`]++;
          if (isHomeward) hit.homeward++;
        }
      }
    }
  }
  return { all, hit };
}
