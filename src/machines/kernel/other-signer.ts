/**
 * The conditions for a request by a DID of another home, in addition to those of every request (docs/decisions/0033):
 * the entry's own signer has not signed it, and no route has validated it.
 */

import { publicKeyOf } from '../../core/codecs/did.js';
import { verify } from '../../core/codecs/signature-check.js';
import { assert, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { chosenId, parse } from '../../core/schema/scalar.js';
import { attestation } from './attest.js';
import type { AnyDefinition, AnyResource } from './resource.js';
import type { Before, Catalogue, OtherSigner, Request } from './step.js';
import { definitionVersion } from './versioning.js';

export function definitionOf({ definitions }: Catalogue, kind: string): AnyDefinition {
  const definition = definitions[kind];
  assert(definition, `no kind ${kind}`);
  return definition;
}

/** The definition version and the revision of the workflow that decide an action now: `<version>+<revision>`. */
export function lawOf(catalogue: Catalogue, kind: string, action: string): string {
  const workflow = catalogue.workflows[`${kind}.${action}`];
  return definitionVersion(definitionOf(catalogue, kind)) + (workflow ? `+${workflow.revision}` : '');
}

export interface OfferedRequest {
  readonly request: Request;
  readonly by: OtherSigner;
  readonly network: string;
  readonly home: string;
}

/**
 * The creation or action, if callers of another home may request it: what a route offers, of a kind with a machine; what
 * the owner of an account does with it; and what anyone may write without a machine: a review.
 */
export function offeredAction(definition: AnyDefinition | undefined, action: string): Taking | undefined {
  if (definition?.form === 'ledger') {
    const found = own(definition.actions, action);
    return found?.who.includes('owner') ? found : undefined;
  }
  if (definition?.form === 'reducer') {
    const found = own(definition.actions, action);
    return found?.who.includes('anyone') ? found : undefined;
  }
  if (!definition) return undefined;
  const offered = action === 'create' ? definition.create : own(definition.actions, action);
  return offered?.internal ? undefined : offered;
}

type Taking = Pick<AnyResource['create'], 'input' | 'adds'>;

const own = <T>(actions: { readonly [action: string]: T }, action: string): T | undefined =>
  Object.hasOwn(actions, action) ? actions[action] : undefined;

export function refusalOfOther(
  catalogue: Catalogue,
  { request, by, network, home }: OfferedRequest,
  read: Before['resource'],
): Refusal | undefined {
  const { kind, id, action, input } = request;
  const definition = catalogue.definitions[kind];
  const offered = offeredAction(definition, action);
  if (!definition || !offered) return refuse('UNPROCESSABLE', `another home may not ask for ${kind}.${action}`);
  if (by.law !== lawOf(catalogue, kind, action)) return refuse('UNPROCESSABLE', `it was decided by ${by.law}`);
  const isSigned = definition.form === 'machine' && definition.attests?.[action] !== undefined;
  const known = [offered.input.fields ?? {}, offered.adds ?? {}, isSigned ? { signature: true } : {}];
  const unknown = Object.keys(input).find((name) => !known.some((members) => Object.hasOwn(members, name)));
  if (unknown !== undefined) return refuse('INVALID_REQUEST', `${unknown}: is not known`);
  const strange = strangeIds(definition, request);
  if (strange) return strange;
  const parsed = parse(offered.input, structuredClone(input));
  if (isRefusal(parsed)) return parsed;
  if (definition.form !== 'machine') return by.resourcePrev === undefined ? undefined : noEvents;
  const resource = read(kind, id);
  const isStale = by.resourcePrev !== undefined && by.resourcePrev !== (resource?.lastHash ?? null);
  const says = 'resourcePrev is not the hash of the resource’s last event: read it again';
  if (isStale) return refuse(definition.refusals.stale, says);
  const attested = attestation(definition, resource, { action, id, network, home });
  if (attested === undefined || verify(publicKeyOf(by.did), attested, String(input.signature))) return undefined;
  return refuse('UNPROCESSABLE', `the signature of ${kind} ${id} does not verify`);
}

const noEvents = refuse('UNPROCESSABLE', 'resourcePrev: it has no earlier event of its own');

/** Ids are chosen by the other home, within what a caller of a route could choose. */
function strangeIds(definition: AnyDefinition, { id, action, ids = {} }: Request): Refusal | undefined {
  // Only its owner acts on an account, whose id is a DID; the id of a review follows from its input.
  if (definition.form !== 'machine') return undefined;
  const { create, route } = definition;
  const makes = (action === 'create' ? create : definition.actions[action]!).makes ?? {};
  const isOwn = action !== 'create' || !isRefusal(parse(chosenId(create.anyId ? '' : route.idPrefix), id));
  const areOthers = Object.keys(makes).every((part) => !isRefusal(parse(chosenId(makes[part]), ids[part])));
  return isOwn && areOthers
    ? undefined
    : refuse('INVALID_REQUEST', `an id of ${definition.kind}.${action} is malformed`);
}
