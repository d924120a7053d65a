/** A store that refuses calls at random, as in an outage. A refused call has no effect. */
import { RefusedError, refuse } from '../../../src/core/refusal.js';
import type { Store } from '../../../src/store/store.js';
import { below } from '../../crash/support/random.js';

const reads = [
  ...['load', 'account', 'accounts', 'totals', 'find', 'history', 'entries', 'search', 'searchRules', 'entryByEvent'],
  ...['recall', 'due', 'head', 'receipt', 'receipts', 'receiptsOf', 'census', 'content', 'contentsOf'],
  ...['getLocal', 'listLocal', 'localTables'],
];
const writes = ['appendReceipts', 'putLocal', 'deleteLocal', 'rankOwners'];

export class Refusals {
  /** How many of a hundred calls are refused. */
  percent = 0;
  /** Names of calls that are always refused. */
  readonly always = new Set<string>();
  readonly refused = new Map<string, number>();

  of<S extends Store>(store: S): S {
    const refusable = new Set([...reads, ...writes, 'holds', ...(store.exclusive ? [] : ['append'])]);
    const refusing: S = new Proxy(store, {
      get: (target, name) => {
        if (name === 'shared') return target.shared && refusing;
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        const method = member.bind(target) as (...args: unknown[]) => unknown;
        if (!refusable.has(String(name))) return method;
        return (...args: unknown[]) => (this.#isRefused(String(name)) ? this.#refuse(String(name)) : method(...args));
      },
    });
    return refusing;
  }

  #isRefused(name: string): boolean {
    return this.always.has(name) || below(100) < this.percent;
  }

  #refuse(name: string): Promise<never> {
    this.refused.set(name, (this.refused.get(name) ?? 0) + 1);
    return Promise.reject(new RefusedError(refuse('SERVICE_UNAVAILABLE', 'the database does not answer')));
  }
}
