/** Planted bugs of trade across homes: wrappers of what trade needs of a node, and workflows that differ from the node's. */
import { tradeBounds } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import type { Environment } from '../../../src/core/environment.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { lawOf } from '../../../src/machines/kernel/other-signer.js';
import type { Catalogue, SubCommand, Workflow } from '../../../src/machines/kernel/step.js';
import { givenUpLabel, openLabel } from '../../../src/machines/remote-request/resource.js';
import type { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Commit, Store } from '../../../src/store/store.js';
import { didOf } from '../../world/people.js';
import type { Planted } from './home.js';
import { replaced } from './replaced.js';

/** Homes whose workflow of an action differs, all of them, so that followers execute the same. */
function differing(action: string, change: (workflow: Workflow['subCommands']) => Workflow['subCommands']): Catalogue {
  const workflow = catalogue.workflows[action]!;
  const other: Workflow = { ...workflow, subCommands: change(workflow.subCommands) };
  return { ...catalogue, workflows: { ...catalogue.workflows, [action]: other } };
}

/** Answers with other sub-commands. */
const answering = (change: (parts: readonly SubCommand[]) => readonly SubCommand[]): Catalogue =>
  differing('remote-answer.create', (subCommands) => (...given) => {
    const parts = subCommands(...given);
    return isRefusal(parts) ? parts : change(parts);
  });

/** Changes the sub-commands of an action. */
const changing = (action: string, change: (part: SubCommand) => SubCommand): Catalogue =>
  differing(action, (subCommands) => (...given) => {
    const parts = subCommands(...given);
    return isRefusal(parts) ? parts : parts.map(change);
  });

/** What an escrow would return goes to its beneficiary. */
const paying = (part: SubCommand): SubCommand =>
  part.kind === 'escrow' && part.action === 'refund'
    ? { ...part, action: 'release', input: { amount: part.input.amount! } }
    : part;

const swapped = (part: SubCommand): SubCommand => {
  if (part.kind !== 'escrow' || part.action !== 'release') return paying(part);
  return { ...part, action: 'refund', input: { amount: part.input.amount!, reason: 'swapped' } };
};

const isPayment = ({ kind, action }: SubCommand): boolean => kind === 'account' && action === 'transfer';

/** The event that sends a remote request leaves its signer's nonce, on disk, as it was. */
function forgettingNonce(store: Store): Store {
  const { tables } = store as MemoryStore;
  const append = async (commits: readonly Commit[]) => {
    const results = await store.append(commits);
    for (const { core } of commits.map(({ entry }) => entry)) {
      const { type, issuer, nonce, prev } = core.event;
      const row = tables.accounts.get(issuer);
      if (type !== 'remote.sent' || row?.nonce !== nonce) continue;
      tables.accounts.set(issuer, { ...row, nonce: nonce - 1, lastHash: prev });
      tables.keys.delete(`nonce/${issuer}#${nonce}`);
    }
    return results;
  };
  return replaced(store, { append });
}

let answers = 0;

export const tradeMutants: { readonly [bug: string]: () => Planted } = {
  'a home does not look where a DID lives': () => ({
    trade: ({ moved: _, ...options }) => options,
  }),

  'a request has more than one answer, because the answer’s id is not that of the request': () => ({
    catalogue: differing('remote-answer.create', (subCommands) => (request, ...rest) => {
      const { hash } = request.input.event as { readonly hash: string };
      const parts = subCommands({ ...request, id: hash }, ...rest);
      return isRefusal(parts) ? parts : parts.map((part) => (part.id === hash ? { ...part, id: request.id } : part));
    }),
    trade: (options) => ({
      ...options,
      write: (request) =>
        options.write(request.kind === 'remote-answer' ? { ...request, id: `${request.id}-${++answers}` } : request),
    }),
  }),

  'a request is returned after a time without an answer': () => ({
    trade: (options) => {
      const waited = new Set<string>();
      const giveUp = (id: string) => {
        const input = { answer: '0'.repeat(64), code: 'CONFLICT', detail: 'no answer' };
        void options.write({ kind: 'remote-request', id, action: 'return', input });
      };
      const find: Store['find'] = async (...given) => {
        const found = await options.store.find(...given);
        for (const { id } of found.items) {
          if (waited.has(id)) continue;
          waited.add(id);
          options.world.after(500, () => giveUp(id));
        }
        return found;
      };
      return { ...options, store: replaced(options.store, { find }) };
    },
  }),

  'a refused request is closed as accepted': () => ({
    trade: (options) => ({
      ...options,
      write: (request) => {
        if (request.action !== 'return') return options.write(request);
        return options.write({ ...request, action: 'complete', input: { answer: request.input.answer } as JsonObject });
      },
    }),
  }),

  'a home answers requests that were sent to another home': () => ({
    catalogue: differing('remote-answer.create', (subCommands) => (request, read, circumstance) => {
      const { request: open, confidential } = request.input as { readonly [member: string]: JsonObject | undefined };
      const asked = ((open ?? confidential)?.input ?? {}) as { readonly home?: string };
      return subCommands(request, read, { ...circumstance, home: asked.home ?? '' });
    }),
    trade: (options) => ({
      ...options,
      homes: {
        all: () => options.homes.all().map((each) => ({ ...each, store: findingAll(each.store as Store) })),
      },
    }),
  }),

  'the Tokens of a request are taken from another home’s account': () => ({
    catalogue: answering((parts) =>
      parts.map((part) => {
        if (!isPayment(part)) return part;
        const other = ['h0', 'h1', 'h2'].map(didOf).find((did) => did !== part.id)!;
        return { ...part, id: other };
      }),
    ),
  }),

  'the Tokens of a request are paid twice': () => ({
    catalogue: answering((parts) => [...parts.filter(isPayment), ...parts]),
  }),

  'a withdrawal takes more than was asked': () => ({
    catalogue: answering((parts) =>
      parts.map((part) => {
        if (part.kind !== 'account' || part.action !== 'withdraw') return part;
        return { ...part, input: { ...part.input, amount: Number(part.input.amount) + 1 } };
      }),
    ),
  }),

  'a withdrawal that is repeated pays again': () => ({
    trade: ({ recordedAsHome: _, ...options }) => ({
      ...options,
      writeAsHome: ({ idempotency: __, ...request }) => options.writeAsHome!(request),
    }),
  }),

  'a closed request does not pay the other home': () => ({
    catalogue: differing('remote-request.complete', (subCommands) => (...given) => {
      const parts = subCommands(...given);
      return isRefusal(parts) ? parts : parts.slice(0, 1);
    }),
  }),

  'what could not be answered is not tried again': () => ({
    trade: (options) => {
      const after: Environment['after'] = (delayMs, call) =>
        delayMs === tradeBounds.retryMs ? { cancel: () => {} } : options.world.after(delayMs, call);
      return { ...options, world: replaced(options.world, { after }) };
    },
  }),

  'a remote request does not use its signer’s nonce': () => ({
    disk: (disk) => ({ ...disk, store: forgettingNonce(disk.store) }),
  }),

  'Tokens that were not sent home at once stay': () => ({
    trade: (options) => {
      let isFirst = true;
      const after: Environment['after'] = (delayMs, call) => {
        if (delayMs !== options.homewardMs) return options.world.after(delayMs, call);
        const timer = isFirst ? options.world.after(delayMs, call) : { cancel: () => {} };
        isFirst = false;
        return timer;
      };
      return { ...options, world: replaced(options.world, { after }) };
    },
  }),

  // The home that sends them also looks for such requests, but only to spare a message that is refused.
  'Tokens go home though a request counts on them': () => ({
    trade: (options) => ({
      ...options,
      write: (request) => {
        const { code, detail, ...evidence } = request.input as { readonly [member: string]: JsonObject | undefined };
        if (!/may count on these Tokens/.test(String(detail))) return options.write(request);
        const law = lawOf(options.catalogue, 'account', 'transfer');
        return options.write({ ...request, input: { ...evidence, law } as JsonObject });
      },
    }),
  }),

  'giving up pays the other home': () => ({ catalogue: changing('remote-request.give-up', paying) }),

  'a late answer to a request that was given up is not noted': () => ({
    trade: (options) => ({
      ...options,
      write: async (request) => (request.action === 'note' ? undefined : options.write(request)),
    }),
  }),

  'a home answers requests that were given up before it has read them': () => ({
    trade: (options) => ({
      ...options,
      homes: {
        all: () => options.homes.all().map((each) => ({ ...each, store: findingGivenUp(each.store as Store) })),
      },
    }),
  }),

  'a home sends more than its operator allows': () => ({
    trade: (options) => ({
      ...options,
      limits: {
        of: (home) => ({ ...options.limits!.of(home), mostAtRisk: null }),
        takeAnswer: (home) => options.limits!.takeAnswer(home),
      },
    }),
  }),

  'a home answers more than its operator allows': () => ({
    trade: (options) => ({ ...options, limits: { of: (home) => options.limits!.of(home), takeAnswer: () => true } }),
  }),

  'the end of a lease pays what was not used': () => ({ catalogue: changing('lease.terminate', paying) }),

  'a dispute pays the other party than its arbiter says': () => ({ catalogue: changing('dispute.resolve', swapped) }),

  'a review counts with other stars': () => ({
    catalogue: changing('info-order.review', (part) =>
      part.kind === 'reputation' ? { ...part, input: { ...part.input, score: 1_000 } } : part,
    ),
  }),

  'a listing sells more than it has': () => ({
    catalogue: differing('info-order.create', (subCommands) => (...given) => {
      const parts = subCommands(...given);
      return isRefusal(parts) ? parts : parts.filter(({ action }) => action !== 'order');
    }),
  }),
};

/** A store in which requests that were given up are found as open. */
function findingGivenUp(store: Store): Store {
  const find: Store['find'] = async (query) => {
    const label = query.anyLabel?.[0];
    if (query.kind !== 'remote-request' || !label?.startsWith(`${openLabel}:to:`)) return store.find(query);
    const anyLabel = [label, givenUpLabel(label.slice(`${openLabel}:to:`.length))];
    const found = await store.find({ ...query, anyLabel, states: ['sent', 'given-up'] });
    const items = found.items.map(async (item) => {
      const [first] = await store.entries({ after: 0, limit: 1, resource: `remote-request/${item.id}` });
      return { ...item, lastHash: first!.core.event.hash };
    });
    return { ...found, items: await Promise.all(items) };
  };
  return replaced(store, { find });
}

/** A store in which the open requests of all are found. */
function findingAll(store: Store): Store {
  const find: Store['find'] = (query) => store.find(query.anyLabel ? { ...query, anyLabel: [openLabel] } : query);
  return replaced(store, { find });
}
