/**
 * Step four of the seven, pure: the outcome of a request for every resource that it writes. The actor runs it before it
 * signs; replay and audit run it again on the signed request, and get the same outcome or the same refusal.
 */
import { canonical, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { assert, isRefusal, type Refusal } from '../../core/refusal.js';
import type { Resource } from './definition.js';
import { book } from './ledger.js';
import type { Move } from './posting.js';
import type { AnyDefinition } from './resource.js';
import type { Before, Catalogue, Outcome, Request, StepContext, SubCommand, Written } from './step.js';
import { applySubCommand } from './sub-command.js';
import { definitionVersion, migrate } from './versioning.js';

export const stateHashOf = (state: string, context: JsonObject): string => hashOfState(state, canonical(context));

const hashOfState = (state: string, contextText: string): string =>
  sha256Hex(`{"context":${contextText},"state":${canonical(state)}}`);

/** Decides a request: applies every sub-command in order, then books the moves. */
export function decide(catalogue: Catalogue, request: Request, who: StepContext, before: Before): Outcome | Refusal {
  const definition = definitionOf(catalogue, request.kind);
  const drafts = new Map<string, Written>();
  const asked = new Map<string, Outcome['reads'][number]>();
  let unknownLaw: Refusal | undefined;
  const read = (kind: string, id: string): Resource | undefined => {
    const ref = `${kind}/${id}`;
    const draft = drafts.get(ref);
    if (draft) return draftResource(draft, who.time);
    const resource = before.resource(kind, id);
    asked.set(ref, { kind, id, version: resource?.version ?? 0 });
    const now = resource && migrate(definitionOf(catalogue, kind), resource);
    if (!isRefusal(now)) return now;
    unknownLaw = now;
    return undefined;
  };
  const workflow = catalogue.workflows[`${request.kind}.${request.action}`];
  const parts = workflow ? workflow.subCommands(request, read, who) : [request];
  if (unknownLaw) return unknownLaw;
  if (isRefusal(parts)) return parts;
  const moves: Move[] = [];
  let eventType = workflow ? eventOf(definition, request.action) : '';
  for (const part of parts as readonly SubCommand[]) {
    const applied = applySubCommand(definitionOf(catalogue, part.kind), part, who, read);
    if (unknownLaw) return unknownLaw;
    if (isRefusal(applied)) return applied;
    if (part.check) continue;
    if (eventType === '' || isTheRequest(part, request)) eventType = applied.eventType;
    moves.push(...applied.moves);
    if (applied.written) {
      const ref = `${part.kind}/${part.id}`;
      const after = { now: applied.written, earlier: drafts.get(ref), isAbout: isAbout(part, request) };
      drafts.set(ref, drawn(after, before.resource(part.kind, part.id)));
    }
  }
  const booked = book(moves, (did) => before.account(did));
  if (isRefusal(booked)) return booked;
  const written = [...drafts.values()].map(hashed);
  const reads = [...asked].filter(([ref]) => !drafts.has(ref)).map(([, each]) => each);
  reads.sort((a, b) => (`${a.kind}/${a.id}` < `${b.kind}/${b.id}` ? -1 : 1));
  const law = definitionVersion(definition) + (workflow ? `+${workflow.revision}` : '');
  return { eventType, law, reads, written, moves, ...booked };
}

/**
 * Merges what several sub-commands did to one resource. Assigned member by member, because a spread followed by members
 * is slower.
 */
function drawn(
  { now, earlier, isAbout }: { now: Written; earlier: Written | undefined; isAbout: boolean },
  before: Resource | undefined,
): Written {
  const { kind, id, state, context, machine, stateHash, contextText } = now;
  const path = earlier ? [...earlier.path, ...now.path] : now.path;
  const via = isAbout ? undefined : joined(earlier?.via, now.via);
  return { kind, id, before, state, context, path, via, machine, stateHash, contextText };
}

/** Adds the hash of the final context; member by member for the same reason. */
function hashed({ kind, id, before, state, context, path, via, machine }: Written): Written {
  const contextText = canonical(context);
  const stateHash = hashOfState(state, contextText);
  return { kind, id, before, state, context, path, via, machine, stateHash, contextText };
}

function definitionOf({ definitions }: Catalogue, kind: string): AnyDefinition {
  const definition = definitions[kind];
  assert(definition, `no kind ${kind}`);
  return definition;
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
