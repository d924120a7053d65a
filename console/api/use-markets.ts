/** The markets of the node. The console knows three; others come from the node's kinds of listings. */
import { capital, words } from '../format/format.ts';
import { useMachines } from './use-machines.ts';

export interface Market {
  /** `marketType` of its listings: `task`. */
  readonly type: string;
  /** Segment after `/api/v1/markets/` in the API and after `#/markets/` in the console: `tasks`. */
  readonly path: string;
}

const known: readonly Market[] = [
  { type: 'info', path: 'info' },
  { type: 'task', path: 'tasks' },
  { type: 'capability', path: 'capabilities' },
];

const base = '/api/v1/markets/';

export interface Markets {
  readonly all: readonly Market[];
  /** False until the node's kinds are read. */
  readonly isWhole: boolean;
}

export function useMarkets(): Markets {
  const { data, problem } = useMachines();
  const more = (data?.machines ?? []).flatMap(({ kind, links }) => {
    const [, type] = /^(.+)-listing$/.exec(kind) ?? [];
    const isKnown = type === undefined || known.some((each) => each.type === type);
    return isKnown || !links.resources?.startsWith(base) ? [] : [{ type, path: links.resources.slice(base.length) }];
  });
  return { all: [...known, ...more], isWhole: data !== undefined || problem !== undefined };
}

/** The name of a market in words, from its type or its path. */
export const marketTitle = (name: string): string => (name === 'info' ? 'Information' : capital(words(name)));

export const marketPath = (markets: readonly Market[], type: string): string =>
  markets.find((each) => each.type === type)?.path ?? type;
