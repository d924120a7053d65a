/**
 * The one path of every write: seven steps, in their order. Nothing else reaches the journal.
 * The loop around them is in `attempts.ts`: entering the mailboxes, waiting for an earlier nonce, and retrying after
 * another process has written first. An attempt's `outcome` says what is needed.
 */

import type { Environment } from '../core/environment.js';
import { saltBytes } from '../core/leaf.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import type { Signer } from '../keys/signing.js';
import { attestation, withSignature } from '../machines/kernel/attest.js';
import { decide } from '../machines/kernel/decide.js';
import { debits } from '../machines/kernel/posting.js';
import type { Catalogue, Outcome } from '../machines/kernel/step.js';
import { type Store, unseenAccount } from '../store/store.js';
import { buildEntry, snapshotOf } from './build-entry.js';
import { type Accepted, type Command, notByLocality } from './command.js';
import type { Committer } from './committer.js';
import { erasureOf } from './erasing.js';
import type { IdempotencyLookup } from './idempotency-lookup.js';
import type { JournalClock } from './journal-clock.js';
import type { JournalHome } from './journal-home.js';
import { withReferences } from './leaves.js';
import { type NonceRoom, nonceConflict } from './nonces.js';
import type { AnyActor, Registry } from './registry.js';

/** The result of one attempt at a command, inside its mailboxes. */
export type AttemptOutcome =
  /**
   * Accepted by the step: `accepted` resolves once the entry is on disk, so that the mailboxes are left without waiting
   * for it.
   */
  | { readonly outcome: 'done'; readonly accepted: Promise<Accepted> }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  /** The command reads or writes resources whose mailboxes it has not entered: `<kind>/<id>`. */
  | { readonly outcome: 'grew'; readonly missing: readonly string[] }
  /** Another process has written first. */
  | { readonly outcome: 'stale' }
  /** Earlier nonces are missing. */
  | { readonly outcome: 'waitForNonce'; readonly nonce: number };

/** Makes one attempt at a command; `entered` are the actors whose mailboxes it holds. */
export type Attempting = (entered: readonly AnyActor[]) => Promise<AttemptOutcome>;

export interface WritePipeline {
  readonly catalogue: Catalogue;
  readonly store: Store;
  readonly world: Environment;
  readonly network: string;
  /** DID of this node: the `home` of the entries that it sequences. */
  readonly node: string;
  readonly journal: JournalHome;
  readonly clock: JournalClock;
  /** How far `ts` may be from the node's clock, ms. */
  readonly tsSlackMs: number;
  readonly registry: Registry;
  readonly committer: Committer;
  readonly nonces: NonceRoom;
  readonly recall: IdempotencyLookup;
  /** A refusal while Tokens may not be moved. */
  readonly admitsMoves?: (() => Refusal | undefined) | undefined;
  /**
   * Enters the mailboxes of everything that the command writes, makes an attempt, and repeats both depending on the
   * outcome.
   */
  readonly inMailboxes: (command: Command, attempt: Attempting) => Promise<Accepted | Refusal>;
}

/** Takes a command through the seven steps. */
export async function execute(pipeline: WritePipeline, received: Command): Promise<Accepted | Refusal> {
  const { clock, committer, recall, store, journal } = pipeline;

  // 1. Receive: the caller (HTTP, clock, …) has validated the command. Texts that can be erased get references; the
  // mailboxes are entered below, after the key is unlocked.
  const command = withReferences(received, pipeline.catalogue, pipeline.world);
  // 2. Authorise: unlocks the signer's key, outside of the mailboxes because a KDF is slow.
  const unlocking = command.unlock();
  const signer = unlocking instanceof Promise ? await unlocking : unlocking;
  if (isRefusal(signer)) return signer;

  return pipeline.inMailboxes(command, async (entered) => {
    for (const actor of entered) if (!actor.isLoaded) await actor.load(store);
    const home = journal.did ?? (await journal.find());

    // Then the idempotency lookup: a recorded reply is returned to its signer only.
    const recorded = command.idempotency && (await recall.find(command.idempotency));
    if (recorded) {
      return isRefusal(recorded) ? refused(recorded) : { outcome: 'done', accepted: Promise.resolve(recorded) };
    }

    while (committer.correction) await committer.correction;

    // 3. Check: the nonce and hashes that the signer states must be current.
    const stale = checkStated(pipeline, command);
    if (stale) return stale;
    if (command.prechecked) return refused(command.prechecked);
    if (command.isAbandoned?.()) return refused(abandoned);

    // 4. Step: pure. If it reads resources that are not entered yet, they are entered before the next attempt.
    const time = isCorrection(command) ? clock.takeCorrection() : clock.take();
    if (isRefusal(time)) return refused(time);
    const asked = new Set<string>();
    const attested = attest(pipeline, command, signer, home);
    const outcome = step(pipeline, attested, { time, home }, asked);
    const missing = [...asked].filter((ref) => !entered.some((actor) => actor.ref === ref));
    if (missing.length > 0) return { outcome: 'grew', missing };
    if (isRefusal(outcome)) return refused(outcome);
    const unmovable = checkMoves(pipeline, command, outcome);
    if (unmovable) return refused(unmovable);
    const waiting = checkDeadline(pipeline, command);
    if (waiting) return refused(waiting);

    // 5. Sign: one event for the whole request, chained to the signer's last.
    const entry = sign(pipeline, attested, signer, outcome, { time, home });
    const snapshots = outcome.written.map((written) => snapshotOf(written, entry));
    const read = (kind: string, id: string) => pipeline.registry.peekResource(kind, id)?.snapshot;
    const erases = erasureOf(pipeline.catalogue, entry.payload, read);
    const beside = { contents: command.contents, erases };

    // 6. Commit: one atomic append. If only this process writes, the actors adopt the entry before it is on disk, so
    // that many writes share an fsync.
    if (!store.exclusive) {
      const numbered = await committer.appendAndAdopt(entry, outcome, snapshots, beside);
      if (!numbered) return { outcome: 'stale' };
      return { outcome: 'done', accepted: Promise.resolve({ entry: numbered, snapshots, replayed: false }) };
    }
    const appended = committer.adoptAndAppend(entry, outcome, snapshots, beside);

    // 7. Reply: the caller renders it once the entry is on disk.
    const accepted = appended.then((numbered): Accepted => ({ entry: numbered, snapshots, replayed: false }));
    if (command.idempotency) recall.remember(command.idempotency, accepted);
    return { outcome: 'done', accepted };
  });
}

/** The only command whose entry may have an earlier time than the one before. */
const isCorrection = ({ kind, action }: Command): boolean => kind === 'node' && action === 'correct-clock';

/** What anyone may do in the clock's place waits as long as the clock does (docs/reference/limits.md#clock). */
function checkDeadline({ catalogue, clock }: WritePipeline, { kind, action, system }: Command): Refusal | undefined {
  const who = catalogue.definitions[kind]?.actions[action]?.who ?? [];
  const waitMs = !system && who.includes('clock') && who.includes('anyone') ? clock.deadlinesWaitMs : 0;
  if (waitMs === 0) return undefined;
  const says = 'deadlines wait, because the clock of this node was in doubt and callers could not meet them';
  return refuse('SERVICE_UNAVAILABLE', says, { retryAfter: Math.ceil(waitMs / 1_000) });
}

const refused = (refusal: Refusal): AttemptOutcome => ({ outcome: 'refused', refusal });

const abandoned = refuse('SERVICE_UNAVAILABLE', 'the database did not answer in time, and nothing was done');

/** Compares `nonce`, `ts`, `prev` and `resourcePrev` with the state in memory. */
function checkStated({ registry, nonces, world, catalogue, tsSlackMs }: WritePipeline, command: Command) {
  const account = registry.account(command.signer).account!;
  const next = account.nonce + 1;
  const { nonce, ts } = command;
  if (nonce !== undefined && nonce !== next) {
    const mayWait = nonces.admits(command.signer, nonce, next);
    return mayWait ? ({ outcome: 'waitForNonce', nonce } as const) : refused(nonceConflict(nonce, next));
  }
  if (ts !== undefined && Math.abs(ts - world.now()) > tsSlackMs) {
    const message = 'must be within ten minutes of the node’s clock';
    return refused(refuse('INVALID_REQUEST', `ts: ${message}`, { errors: [{ field: 'ts', message }] }));
  }
  if (command.prev !== undefined && command.prev !== account.lastHash) {
    return refused(refuse('CONFLICT', 'prev is not the hash of the signer’s last event', { nextNonce: next }));
  }
  if (command.resourcePrev === undefined) return undefined;
  const definition = catalogue.definitions[command.kind];
  if (definition?.form === 'ledger') return undefined;
  const last = registry.resource(command.kind, command.id).snapshot?.lastHash ?? null;
  if (command.resourcePrev === last) return undefined;
  const code = definition?.form === 'machine' ? definition.refusals.stale : 'CONFLICT';
  const says =
    last === null
      ? 'resourcePrev must be null or left out: the request makes something new, which has no event yet'
      : 'resourcePrev is not the hash of the resource’s last event: read it again';
  return refused(refuse(code, says));
}

/** Adds the second signature that some actions require; it covers the resource as it is inside its mailbox. */
function attest(
  { catalogue, registry, network }: WritePipeline,
  command: Command,
  signer: Signer,
  home: string,
): Command {
  const { kind, id, action, input } = command;
  const resource = registry.peekResource(kind, id)?.snapshot;
  const text = attestation(catalogue.definitions[kind], resource, { action, id, network, home });
  return text === undefined ? command : { ...command, input: withSignature(input, signer.sign(text)) };
}

/** Time and home of a new entry. */
interface EntryPlace {
  readonly time: number;
  /** Home of the journal. */
  readonly home: string;
}

function step(
  { catalogue, network, registry }: WritePipeline,
  command: Command,
  { time, home }: EntryPlace,
  asked: Set<string>,
): Outcome | Refusal {
  const { signer, system = false } = command;
  return decide(
    catalogue,
    command,
    { signer, time, network, home, system },
    {
      resource: (kind, id) => {
        asked.add(`${kind}/${id}`);
        return registry.peekResource(kind, id)?.snapshot;
      },
      account: (did) => {
        asked.add(`account/${did}`);
        return registry.peekAccount(did)?.account ?? unseenAccount(did);
      },
    },
  );
}

/** Refuses moves that this caller may not make, or that are not accepted at present. */
function checkMoves(
  { admitsMoves }: WritePipeline,
  { mayNotDebit: sparing }: Command,
  outcome: Outcome,
): Refusal | undefined {
  if (sparing !== undefined && debits(sparing, outcome.postings)) return notByLocality;
  return outcome.moves.length > 0 ? admitsMoves?.() : undefined;
}

function sign(
  { catalogue, registry, world, network, node }: WritePipeline,
  command: Command,
  signer: Signer,
  outcome: Outcome,
  { time, home }: EntryPlace,
) {
  const account = registry.account(command.signer).account!;
  const { kind, id, action, input, ids } = command;
  return buildEntry({
    catalogue,
    outcome,
    payload: ids ? { action, id, ids, input, kind } : { action, id, input, kind },
    drawSalt: () => world.random(saltBytes),
    signer,
    nonce: account.nonce + 1,
    prev: account.lastHash,
    ts: command.ts ?? time,
    time,
    network,
    node,
    home,
    idem: command.idempotency ?? null,
  });
}
