/**
 * Step four of the seven, pure: the outcome of a request for every resource that it writes. The actor runs it before it
 * signs; replay and audit run it again on the signed request, and get the same outcome or the same refusal.
 */
import { assert, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { AnyDefinition, Catalogue } from './definition.js';
import { type AccountState, type Booked, book } from './ledger.js';
import { type Cost, costOfMoves, type Move } from './posting.js';
import type { ReadResource, Request, Resource, StepContext, SubCommand } from './resource.js';
import { applySubCommand, type Written } from './sub-command.js';
import { definitionVersion, migrate } from './versioning.js';

/** State before the request, from memory; undefined for what is missing. */
export interface Before {
  readonly resource: ReadResource;
  /** The account of a DID, or a system account: see `feeAccount`, `supplyAccount`. */
  account(did: string): AccountState;
}

export interface Outcome extends Booked {
  readonly eventType: string;
  /** The definition version that decided, with the workflow's revision if there is one: `<version>+<revision>`. */
  readonly law: string;
  /** Resources that were read and not written, ordered by kind and id; version 0: it did not exist. */
  readonly reads: readonly { readonly kind: string; readonly id: string; readonly version: number }[];
  readonly written: readonly Written[];
  readonly moves: readonly Move[];
}

function definitionOf({ definitions }: Catalogue, kind: string): AnyDefinition {
  const definition = definitions[kind];
  assert(definition, `no kind ${kind}`);
  return definition;
}

/** The definition version and the revision of the workflow that decide an action now: `<version>+<revision>`. */
function lawOf(catalogue: Catalogue, kind: string, action: string): string {
  const workflow = catalogue.workflows[`${kind}.${action}`];
  return definitionVersion(definitionOf(catalogue, kind)) + (workflow ? `+${workflow.revision}` : '');
}

/** Decides a request: applies every sub-command in order, then books the moves. */
export function decide(catalogue: Catalogue, request: Request, who: StepContext, before: Before): Outcome | Refusal {
  if (who.until !== undefined && who.time > who.until) return tooLate(who.until);
  const step = new EntryInProgress(catalogue, request, who, before);
  const eventType = step.apply();
  if (isRefusal(eventType)) return eventType;
  const booked = book(step.moves, (did) => before.account(did));
  if (isRefusal(booked)) return booked;
  const tooDear = who.most === undefined ? undefined : exceeds(who.most, costOfMoves(who.signer, step.moves));
  if (tooDear) return tooDear;
  const written = [...step.drafts.values()];
  const reads = [...step.asked].filter(([ref]) => !step.drafts.has(ref)).map(([, each]) => each);
  reads.sort((a, b) => (`${a.kind}/${a.id}` < `${b.kind}/${b.id}` ? -1 : 1));
  const law = lawOf(catalogue, request.kind, request.action);
  return { eventType, law, reads, written, moves: step.moves, ...booked };
}

const tooLate = (until: number): Refusal =>
  refuse(
    'CONFLICT',
    `it was signed to be valid until ${new Date(until).toISOString()}: sign it again with a later \`until\``,
  );

function exceeds(most: number, { taken, paid }: Cost): Refusal | undefined {
  const cost = Math.max(taken, paid);
  if (cost <= most) return undefined;
  return refuse('CONFLICT', `it costs ${cost}, and its signer has agreed to ${most} with \`most\``, { taken, paid });
}

/** What the sub-commands of one entry have read, written and moved so far. */
class EntryInProgress {
  readonly drafts = new Map<string, Written>();
  readonly asked = new Map<string, Outcome['reads'][number]>();
  readonly moves: Move[] = [];
  #unknownLaw: Refusal | undefined;

  constructor(
    private readonly catalogue: Catalogue,
    /** The request that the entry's event signs. */
    private readonly signed: Request,
    private readonly entry: StepContext,
    private readonly before: Before,
  ) {}

  readonly read = (kind: string, id: string): Resource | undefined => {
    const ref = `${kind}/${id}`;
    const draft = this.drafts.get(ref);
    if (draft) return draftResource(draft, this.entry.time);
    const resource = this.before.resource(kind, id);
    this.asked.set(ref, { id, kind, version: resource?.version ?? 0 });
    const now = resource && migrate(definitionOf(this.catalogue, kind), resource);
    if (!isRefusal(now)) return now;
    this.#unknownLaw = now;
    return undefined;
  };

  /** Applies the request. @returns the type of its event */
  apply(): string | Refusal {
    const { catalogue, signed: request, entry: who } = this;
    const workflow = catalogue.workflows[`${request.kind}.${request.action}`];
    const parts = workflow ? workflow.subCommands(request, this.read, who) : [request];
    if (this.#unknownLaw) return this.#unknownLaw;
    if (isRefusal(parts)) return parts;
    let eventType = workflow ? eventOf(definitionOf(catalogue, request.kind), request.action) : '';
    for (const part of parts as readonly SubCommand[]) {
      const applied = this.#applyPart(part);
      if (isRefusal(applied)) return applied;
      if (!part.check && (eventType === '' || isTheRequest(part, request))) eventType = applied;
    }
    return eventType;
  }

  #applyPart(part: SubCommand): string | Refusal {
    const applied = applySubCommand(definitionOf(this.catalogue, part.kind), part, this.entry, this.read);
    if (this.#unknownLaw) return this.#unknownLaw;
    if (isRefusal(applied) || part.check) return isRefusal(applied) ? applied : '';
    this.moves.push(...applied.moves);
    if (applied.written) {
      const ref = `${part.kind}/${part.id}`;
      const after = { now: applied.written, earlier: this.drafts.get(ref), isAbout: isAbout(part, this.signed) };
      this.drafts.set(ref, drawn(after, this.before.resource(part.kind, part.id)));
    }
    return applied.eventType;
  }
}

/**
 * Merges what several sub-commands did to one resource. Assigned member by member, because a spread followed by members
 * is slower.
 */
function drawn(
  { now, earlier, isAbout }: { now: Written; earlier: Written | undefined; isAbout: boolean },
  before: Resource | undefined,
): Written {
  const { kind, id, state, context, machine, contextText } = now;
  const path = earlier ? [...earlier.path, ...now.path] : now.path;
  const via = isAbout ? undefined : joined(earlier?.via, now.via);
  return { kind, id, before, state, context, path, via, machine, contextText };
}

const isAbout = (part: SubCommand, { kind, id }: Request): boolean => part.kind === kind && part.id === id;
const isTheRequest = (part: SubCommand, request: Request): boolean =>
  isAbout(part, request) && part.action === request.action;

const joined = (earlier: Written['via'], later: Written['via']): Written['via'] =>
  earlier && later ? [...earlier, ...later] : later;

/** A resource as an earlier sub-command of the same request wrote it. The hash of its event is not known yet. */
const draftResource = (draft: Written, time: number): Resource => ({
  kind: draft.kind,
  id: draft.id,
  version: (draft.before?.version ?? 0) + 1,
  state: draft.state,
  context: draft.context,
  lastHash: draft.before?.lastHash ?? '',
  machine: draft.machine,
  createdAt: draft.before?.createdAt ?? time,
  updatedAt: time,
});

function eventOf(definition: AnyDefinition, action: string): string {
  if (definition.form === 'machine' && action === 'create') return definition.create.event;
  const found = definition.actions[action];
  assert(found, `no action ${definition.kind}.${action}`);
  return found.event;
}
