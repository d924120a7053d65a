/**
 * Runs the step of a remote request on the copy of the other home's journal, before it is sent: an ordinary refusal
 * costs nothing (docs/reference/remote-requests.md#sending).
 */
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { maxTokens } from '../../core/schema/scalar.js';
import { decide } from '../../machines/kernel/decide.js';
import type { Resource } from '../../machines/kernel/definition.js';
import { type OfferedRequest, refusalOfOther } from '../../machines/kernel/other-signer.js';
import { debits, type Move, postingsOf } from '../../machines/kernel/posting.js';
import type { Before, Catalogue } from '../../machines/kernel/step.js';
import { isWithheld } from '../../machines/kernel/withheld.js';
import { type Account, type StoreReader, unseenAccount } from '../../store/store.js';

export interface RemoteStep extends OfferedRequest {
  /** The home that is asked. */
  readonly home: string;
  readonly time: number;
}

/** What the action takes from what its signer has available there, Tokens, and what the signer has there. */
export interface RemoteCost {
  readonly needed: number;
  readonly available: number;
  /** Whether it debits any account of its signer, for example one in escrow. */
  readonly isDebit: boolean;
}

/** Loads that a step may need in sequence: each round finds what the resources before have named. */
const mostRounds = 16;

export async function dryRun(
  catalogue: Catalogue,
  copy: Pick<StoreReader, 'load' | 'account'>,
  step: RemoteStep,
): Promise<RemoteCost | Refusal> {
  const known = new KnownState(copy, step.by.did);
  const { kind, id } = step.request;
  known.resource(kind, id);
  known.account(step.by.did);
  await known.loaded();
  for (let round = 0; round < mostRounds; round++) {
    const outcome = run(catalogue, step, known);
    const withheld = known.withheld;
    if (withheld !== undefined)
      return refuse('FORBIDDEN', `${step.home} shows ${withheld} to the homes of its parties only`);
    if (await known.loaded()) {
      if (isRefusal(outcome)) return outcome;
      const { did } = step.by;
      const isDebit = debits(did, outcome.postings);
      return { needed: neededBy(did, outcome.moves), available: known.availableOf(did), isDebit };
    }
  }
  return refuse('UNPROCESSABLE', 'the action reads too many resources');
}

function run(catalogue: Catalogue, step: RemoteStep, before: Before) {
  const { request, by, network, home, time } = step;
  const refusal = refusalOfOther(catalogue, step, (kind, id) => before.resource(kind, id));
  if (refusal) return refusal;
  return decide(catalogue, request, { signer: by.did, time, network, home, system: false }, before);
}

/** The state that the step has asked for. The signer's account is taken to have enough. */
class KnownState implements Before {
  readonly #resources = new Map<string, Resource | undefined>();
  readonly #accounts = new Map<string, Account>();
  #missing: (() => Promise<boolean>)[] = [];
  #withheld: string | undefined;

  constructor(
    private readonly copy: Pick<StoreReader, 'load' | 'account'>,
    private readonly signer: string,
  ) {}

  /** A resource of which only the state is known. */
  get withheld(): string | undefined {
    return this.#withheld;
  }

  availableOf(did: string): number {
    return this.#accounts.get(did)?.available ?? 0;
  }

  resource(kind: string, id: string): Resource | undefined {
    const ref = `${kind}/${id}`;
    if (!this.#resources.has(ref)) {
      this.#missing.push(async () => {
        const loaded = await this.copy.load(kind, id);
        this.#resources.set(ref, loaded);
        return loaded === undefined;
      });
    }
    const found = this.#resources.get(ref);
    if (!found || !isWithheld(found.context)) return found;
    this.#withheld = `${kind} ${id}`;
    return undefined;
  }

  account(did: string): Account {
    if (!this.#accounts.has(did)) {
      this.#missing.push(async () => {
        const loaded = await this.copy.account(did);
        this.#accounts.set(did, loaded ?? unseenAccount(did));
        return loaded === undefined;
      });
    }
    const account = this.#accounts.get(did) ?? unseenAccount(did);
    return did === this.signer ? { ...account, available: maxTokens } : account;
  }

  /** Loads what was missing. @returns whether everything is as the step took it: what was missing does not exist */
  async loaded(): Promise<boolean> {
    const missing = this.#missing;
    this.#missing = [];
    const absent = await Promise.all(missing.map((load) => load()));
    return absent.every((isAbsent) => isAbsent);
  }
}

/** The Tokens that a DID must have available for these moves. */
function neededBy(did: string, moves: readonly Move[]): number {
  let [sum, lowest] = [0, 0];
  for (const move of moves) {
    for (const [account, delta] of postingsOf(move)) {
      if (account !== `available/${did}`) continue;
      sum += delta;
      lowest = Math.min(lowest, sum);
    }
  }
  return 0 - lowest;
}
