/** Refusals that the step does not decide: they depend on the actors in memory, on this node and on the caller. */

import type { Environment } from '../core/environment.js';
import { leavesIn } from '../core/leaf.js';
import { invalid, type Refusal, refuse } from '../core/refusal.js';
import type { Outcome } from '../machines/kernel/decide.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import { unknownResource } from '../machines/kernel/denial.js';
import { isDeadline } from '../machines/kernel/permitted.js';
import { debits } from '../machines/kernel/posting.js';
import { isVisible } from '../machines/kernel/visibility.js';
import type { Entry } from '../store/entry.js';
import type { Snapshot } from '../store/store.js';
import { contentsOf } from './build-entry.js';
import type { Command } from './command.js';
import type { Committed } from './committed.js';
import type { JournalClock } from './journal-clock.js';
import { type NonceRoom, nonceConflict } from './nonces.js';
import type { Registry } from './registry.js';

export interface Present {
  readonly catalogue: Catalogue;
  readonly world: Environment;
  readonly clock: JournalClock;
  readonly registry: Registry;
  readonly committed: Committed;
  readonly nonces: NonceRoom;
  /** How far `ts`, and other clocks, may be from the node's clock, ms. */
  readonly tsSlackMs: number;
  /** Returns a refusal while Tokens may not be moved; called if a step's outcome moves any. */
  readonly admitsMoves?: (() => Refusal | undefined) | undefined;
  /** Refuses what the operator of this node does not want. */
  readonly admits?: ((command: Command) => Refusal | undefined) | undefined;
}

/** Refuses an action on a resource that does not exist, before the passphrase is checked. */
export async function checkExistence(present: Present, command: Command): Promise<Refusal | undefined> {
  const { catalogue, registry, committed } = present;
  const { kind, id, action } = command;
  const definition = catalogue.definitions[kind];
  if (definition?.form !== 'machine' || action === 'create') return undefined;
  const head = registry.peekResource(kind, id)?.snapshot;
  if (exists(present, command, head ?? (await committed.resource(kind, id)))) return undefined;
  return unknownResource(definition, id);
}

/** Whether the request that creates the resource may still arrive, because earlier nonces are missing. */
export async function mayBeMadeFirst(present: Present, command: Command): Promise<boolean> {
  const { kind, id, signer, nonce } = command;
  if (nonce === undefined) return false;
  const next = await nextNonce(present, signer);
  const head = present.registry.peekResource(kind, id)?.snapshot;
  return present.nonces.admits(signer, nonce, next) || exists(present, command, head);
}

/** Whether the resource exists for this signer: no refusal may reveal another DID's private resource. */
function exists({ catalogue }: Present, command: Command, resource: Snapshot | undefined): boolean {
  const { kind, signer, system, dryRun } = command;
  const definition = catalogue.definitions[kind];
  if (!resource || definition?.form !== 'machine') return resource !== undefined;
  // The signer of a dry run proves nothing.
  return system || isVisible(definition, resource, dryRun ? dryRun.reader : signer);
}

export async function nextNonce({ registry, committed }: Present, did: string): Promise<number> {
  const head = registry.peekAccount(did)?.account;
  return (head ?? (await committed.account(did))).nonce + 1;
}

/**
 * Compares `nonce`, `ts`, `prev` and `resourcePrev` with the state in memory.
 * @returns `early` if earlier nonces are missing and it may wait for them
 */
export function checkStated(present: Present, command: Command): Refusal | 'early' | undefined {
  const { registry, nonces, world, tsSlackMs } = present;
  const account = registry.account(command.signer).account!;
  const next = account.nonce + 1;
  const { nonce, ts, prev } = command;
  if (nonce !== undefined && nonce !== next) {
    // A dry run proves nothing, so it takes no place in its signer's waiting room.
    return !command.dryRun && command.mayWait !== false && nonces.admits(command.signer, nonce, next)
      ? 'early'
      : nonceConflict(nonce, next);
  }
  if (ts !== undefined && Math.abs(ts - world.now()) > tsSlackMs) {
    return invalid('ts', 'must be within ten minutes of the node’s clock');
  }
  if (prev !== undefined && prev !== account.lastHash) {
    return refuse('CONFLICT', 'prev is not the hash of the signer’s last event', { nextNonce: next });
  }
  return command.resourcePrev === undefined ? undefined : checkResourcePrev(present, command);
}

function checkResourcePrev({ registry, catalogue }: Present, command: Command): Refusal | undefined {
  const definition = catalogue.definitions[command.kind];
  if (definition?.form === 'ledger') return undefined;
  const last = registry.resource(command.kind, command.id).snapshot?.lastHash ?? null;
  if (command.resourcePrev === last) return undefined;
  const code = definition?.form === 'machine' ? definition.refusals.stale : 'CONFLICT';
  const says =
    last === null
      ? 'resourcePrev must be null or left out: the request makes something new, which has no event yet'
      : 'resourcePrev is not the hash of the resource’s last event: read it again';
  return refuse(code, says);
}

const byLocality = refuse(
  'FORBIDDEN',
  'this moves Tokens of the node’s own DID: send did and passphrase, or an API key; being local is not enough',
);

/** Refuses moves that this caller may not make, or that are not accepted at present. */
export function checkMoves({ admitsMoves }: Present, { mayNotDebit }: Command, outcome: Outcome): Refusal | undefined {
  if (mayNotDebit !== undefined && debits(mayNotDebit, outcome.postings)) return byLocality;
  return outcome.moves.length > 0 ? admitsMoves?.() : undefined;
}

/** Contents that the outcome names must come with an event that was signed elsewhere, or be stored already; and no others. */
export function checkContents({ catalogue }: Present, command: Command, outcome: Outcome): Refusal | undefined {
  if (!command.presented) return undefined;
  const given = new Set(command.contents?.map(({ hash }) => hash));
  const stray = new Set(given);
  for (const leaf of leavesIn(command.input)) stray.delete(leaf);
  for (const { kind, context, before } of outcome.written) {
    const definition = catalogue.definitions[kind];
    const stored = before ? contentsOf(definition, before.context) : [];
    const named = contentsOf(definition, context);
    const missing = named.find((hash) => !given.has(hash) && !stored.includes(hash));
    if (missing !== undefined) return refuse('UNPROCESSABLE', `contents: the content ${missing} is missing`);
    for (const hash of named) stray.delete(hash);
  }
  for (const hash of stray) return invalid('contents', `no member names the content ${hash}`);
  return undefined;
}

/** The event that follows from the request now must be the one that its issuer has signed. */
export function checkPresented({ presented, input }: Command, { core, payload }: Entry): Refusal | undefined {
  if (!presented || presented.event.hash === core.event.hash) return undefined;
  const { type, payloadHash } = presented.event;
  if (core.event.type !== type)
    return refuse('CONFLICT', `it leads to ${core.event.type} now, and ${type} was signed: prepare it again`);
  if (payload.input.signature !== input.signature)
    return refuse('CONFLICT', 'payload.input.signature is not over what it must sign now: prepare it again');
  return core.event.payloadHash === payloadHash
    ? refuse('CONFLICT', 'the event is not the one that follows from its payload now: prepare it again')
    : invalid('event.payloadHash', 'is not the hash of the payload with its salts');
}

/** An action that anyone may take instead of the clock waits as long as the clock (docs/reference/limits.md#clock). */
export function checkDeadline({ catalogue, clock }: Present, { kind, action, system }: Command): Refusal | undefined {
  const who = catalogue.definitions[kind]?.actions[action]?.who ?? [];
  const waitMs = !system && isDeadline(who) ? clock.deadlinesWaitMs : 0;
  if (waitMs === 0) return undefined;
  const says = 'deadlines wait, because the clock of this node was in doubt and callers could not meet them';
  return refuse('SERVICE_UNAVAILABLE', says, { retryAfter: Math.ceil(waitMs / 1_000) });
}
