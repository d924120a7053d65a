/**
 * Step four of the seven, pure: what a request does to every resource taking part. The actor runs it before it signs,
 * replay and audit run it again over what was signed; both get the same outcome or the same refusal.
 */
import { canonical, type JsonObject, sha256Hex } from './canonical.js';
import { type AccountState, type Booked, book } from './ledger.js';
import { machineVersion, present } from './lineage.js';
import { applyPart } from './part.js';
import type { Move } from './posting.js';
import { assert, isRefusal, type Refusal } from './refusal.js';
import type { AnyDefinition, Resource } from './resource.js';

/** What was asked, as the event's payload says it. */
export interface Request {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonObject;
  /** Ids chosen beforehand for further resources of a workflow. */
  readonly ids?: { readonly [part: string]: string } | undefined;
}

/** Who asks, when, where. */
export interface Circumstance {
  readonly signer: string;
  readonly time: number;
  readonly network: string;
  /** The signer is the system key of the entry's home: it holds `clock` and `operator`. */
  readonly system: boolean;
}

/** State before the request; answers from memory, what is missing is undefined. */
export interface Before {
  resource(kind: string, id: string): Resource | undefined;
  /** Of a DID, or of the house: see `feeAccount`, `supplyAccount`. */
  account(did: string): AccountState;
}

/** One resource's part in a request. `create` makes it. */
export interface Part extends Request {
  /** Acts as the owner's workflow: roles and ownership were the workflow's to check. */
  readonly asWorkflow?: true;
  /** Asks whether it could be, and leaves the resource as it is: the decision rests on it. */
  readonly check?: true;
}

/**
 * A use case over several resources: what each of them is asked. Pure. `read` gives undefined for what does not exist
 * and for what is not loaded yet; the actor loads whatever was read and asks again, so answer a refusal then.
 */
export interface Workflow {
  /** Grows when it changes what it asks of whom; the entry's law names it. */
  readonly revision: number;
  /** As it was released before, for replay. */
  readonly past?: readonly Workflow[];
  parts(request: Request, read: Before['resource'], circumstance: Circumstance): readonly Part[] | Refusal;
}

export interface Catalogue {
  readonly definitions: { readonly [kind: string]: AnyDefinition };
  /** By `<kind>.<action>`; an action without one is its own single part. */
  readonly workflows: { readonly [action: string]: Workflow };
}

export interface Written {
  readonly kind: string;
  readonly id: string;
  readonly before: Resource | undefined;
  readonly state: string;
  readonly context: JsonObject;
  readonly path: readonly string[];
  /** The event behind each state of `path`; undefined of the resource that the request is about, and without a machine. */
  readonly via?: readonly string[] | undefined;
  readonly machine: string;
  /** SHA-256 of the RFC 8785 form of `{ context, state }`. */
  readonly stateHash: string;
  /** The RFC 8785 form of the context, for whoever stores it. */
  readonly contextText: string;
}

export interface Outcome extends Booked {
  readonly eventType: string;
  /** Version of the definition that decided; of the workflow, too, where one did: `<version>+<revision>`. */
  readonly law: string;
  /** What it rests on and does not write, in order of kind and id; version 0 did not exist. */
  readonly reads: readonly { readonly kind: string; readonly id: string; readonly version: number }[];
  readonly written: readonly Written[];
  readonly moves: readonly Move[];
}

export const stateHashOf = (state: string, context: JsonObject): string => hashOfState(state, canonical(context));

const hashOfState = (state: string, contextText: string): string =>
  sha256Hex(`{"context":${contextText},"state":${canonical(state)}}`);

/** Decides a request: every part in order, then the books. */
export function decide(catalogue: Catalogue, request: Request, who: Circumstance, before: Before): Outcome | Refusal {
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
    const now = resource && present(definitionOf(catalogue, kind), resource);
    if (!isRefusal(now)) return now;
    unknownLaw = now;
    return undefined;
  };
  const workflow = catalogue.workflows[`${request.kind}.${request.action}`];
  const parts = workflow ? workflow.parts(request, read, who) : [request];
  if (unknownLaw) return unknownLaw;
  if (isRefusal(parts)) return parts;
  const moves: Move[] = [];
  let eventType = workflow ? eventOf(definition, request.action) : '';
  for (const part of parts as readonly Part[]) {
    const applied = applyPart(definitionOf(catalogue, part.kind), part, who, read);
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
  const law = machineVersion(definition) + (workflow ? `+${workflow.revision}` : '');
  return { eventType, law, reads, written, moves, ...booked };
}

/** What a request has made of a resource so far; member by member, as a spread with members behind it costs more. */
function drawn(
  { now, earlier, isAbout }: { now: Written; earlier: Written | undefined; isAbout: boolean },
  before: Resource | undefined,
): Written {
  const { kind, id, state, context, machine, stateHash, contextText } = now;
  const path = earlier ? [...earlier.path, ...now.path] : now.path;
  const via = isAbout ? undefined : joined(earlier?.via, now.via);
  return { kind, id, before, state, context, path, via, machine, stateHash, contextText };
}

/** Likewise. */
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

const isAbout = (part: Part, { kind, id }: Request): boolean => part.kind === kind && part.id === id;
const isTheRequest = (part: Part, request: Request): boolean =>
  isAbout(part, request) && part.action === request.action;

const joined = (earlier: Written['via'], later: Written['via']): Written['via'] =>
  earlier && later ? [...earlier, ...later] : later;

/** Stands for a resource that an earlier part of the same request wrote. Its hash is still to come. */
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
