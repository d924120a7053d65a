/**
 * The loop around the seven steps: enters mailboxes in one fixed order, waits for earlier nonces, and retries. Each is
 * bounded.
 */

import { pause } from '../core/environment.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import { definitionVersion } from '../machines/kernel/versioning.js';
import type { Snapshot } from '../store/store.js';
import type { Accepted, Command } from './command.js';
import { nonceConflict } from './nonces.js';
import type { Attempting, AttemptOutcome, WritePipeline } from './pipeline.js';
import type { AnyActor } from './registry.js';

export interface AttemptBounds {
  /** The most resources that one entry may write. */
  readonly written: number;
  /** How often the set of resources may grow, and how often another process may write first. */
  readonly regroupings: number;
  readonly losses: number;
}

/**
 * The result of an attempt for the loop. A command that waits for a nonce has joined the waiting room before it left
 * the mailboxes.
 */
type Left = Exclude<AttemptOutcome, { outcome: 'waitForNonce' }> | Waiting;
interface Waiting {
  readonly outcome: 'waitForNonce';
  readonly nonce: number;
  /** True once the nonce is next, false after the timeout. */
  readonly arrived: Promise<boolean>;
}

export class Attempts {
  constructor(
    private readonly pipeline: Omit<WritePipeline, 'inMailboxes'>,
    private readonly bounds: AttemptBounds,
    /** The next nonce of a DID. */
    private readonly nextNonce: (did: string) => Promise<number>,
  ) {}

  async run(command: Command, attempt: Attempting): Promise<Accepted | Refusal> {
    const { committer, registry, store, world } = this.pipeline;
    let refs = [`account/${command.signer}`, `${command.kind}/${command.id}`, ...this.#foreseen(command)];
    let regroupings = 0;
    let losses = 0;
    let isOverdue = false;
    let isCaughtUp = false;
    for (;;) {
      const left = await registry.enter(refs, (entered) => this.#inside(command, entered, attempt));
      if (isRefusal(left)) return left;
      switch (left.outcome) {
        case 'done':
          return left.accepted;
        case 'refused':
          if (isCaughtUp || left.refusal.code !== 'INSUFFICIENT_BALANCE' || committer.inFlight === 0) {
            return left.refusal;
          }
          // Readers may see a credit on disk that the in-memory account has not received yet: wait for it once.
          await committer.durable();
          isCaughtUp = true;
          break;
        case 'grew':
          if (++regroupings > this.bounds.regroupings) {
            return refuse('CONFLICT', 'the resources taking part keep changing; try again');
          }
          refs = [...new Set([...refs, ...left.missing])];
          if (refs.length > this.bounds.written) return refuse('UNPROCESSABLE', 'too many resources take part');
          break;
        case 'waitForNonce': {
          // If other processes write, the earlier nonce may have been used there: check once more after the timeout.
          const isOver: boolean = isOverdue || !(await left.arrived);
          if (isOverdue || (isOver && store.exclusive)) {
            return nonceConflict(left.nonce, await this.nextNonce(command.signer));
          }
          isOverdue = isOver;
          break;
        }
        case 'stale':
          if (++losses > this.bounds.losses) {
            return refuse('CONFLICT', 'another process keeps changing the same resources; try again', {
              retryAfter: 1,
            });
          }
          await pause(world, ((world.random(1)[0] ?? 0) % 16) * losses);
      }
    }
  }

  /** @param entered the actors whose mailboxes the command holds */
  async #inside(command: Command, entered: readonly AnyActor[], attempt: Attempting): Promise<Left> {
    let attempted = await attempt(entered);
    const isNegative = attempted.outcome === 'refused' || attempted.outcome === 'waitForNonce';
    if (isNegative && !this.pipeline.store.exclusive) {
      // Another process may have written since these were loaded, so the refusal must be confirmed on the store's
      // present state.
      for (const actor of entered) actor.forget();
      attempted = await attempt(entered);
    }
    if (attempted.outcome !== 'waitForNonce') return attempted;
    return { ...attempted, arrived: this.pipeline.nonces.wait(command.signer, attempted.nonce) };
  }

  /**
   * The resources that the workflow would read in the present state in memory, so that their mailboxes are entered at
   * once and the step runs once instead of twice. A wrong guess only costs time (docs/decisions/0002).
   */
  #foreseen(command: Command): string[] {
    const { catalogue, network, journal, registry, world } = this.pipeline;
    const { signer, system = false } = command;
    const refs: string[] = [];
    const read = (of: string, which: string): Snapshot | undefined => {
      refs.push(`${of}/${which}`);
      const snapshot = registry.peekResource(of, which)?.snapshot;
      const isCurrent = snapshot?.machine === definitionVersion(catalogue.definitions[of]!);
      return isCurrent ? snapshot : undefined;
    };
    const who = { signer, system, time: world.now(), network, home: journal.did ?? '' };
    const workflow = catalogue.workflows[`${command.kind}.${command.action}`];
    const parts = workflow?.subCommands(command, read, who) ?? [];
    if (!isRefusal(parts)) for (const { kind, id } of parts) refs.push(`${kind}/${id}`);
    return refs.length > this.bounds.written ? [] : refs;
  }
}
