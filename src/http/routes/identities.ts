/**
 * Identities and capability credentials (docs/reference/identities.md).
 */

import type { Accepted } from '../../actors/command.js';
import type { SystemWriter } from '../../actors/system.js';
import { derivedController } from '../../chain/contracts/controller.js';
import type { ChainAccess } from '../../chain/follower/chain-follower.js';
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import { assert, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { machinesOf } from '../../machines/catalogue.js';
import {
  credentialFlaw,
  isExpired,
  proofBytes,
  proofConfiguration,
  proofFlaw,
  proofValueOf,
} from '../../machines/identity/credential.js';
import { capabilityInput, emptyIdentity, type IdentityContext, updateInput } from '../../machines/identity/identity.js';
import { identityView, type KnownIdentity, profileSeenBy } from '../../machines/identity/view.js';
import type { Request, Resource } from '../../machines/kernel/resource.js';
import { cardIdParts } from '../../peers/cards/foreign-cards.js';
import { hiddenBecause } from '../../projections/moderations.js';
import type { NumberedEntry } from '../../store/entry.js';
import { beginningOf } from '../../verify/entry-text.js';
import { replayOne } from '../../verify/replay.js';
import { boundToAnother, callerName } from '../access/caller.js';
import type { ApiContext } from '../context/api-context.js';
import { signedBodies, signerFields } from '../context/signed-body.js';
import { capabilitiesSchema, identitySchema, registeredSchema } from '../openapi/schemas/identities.js';
import { written } from '../openapi/schemas/replies.js';
import { pageFields, pageOf, pagination, slicePage } from '../render/pagination.js';
import { showingTexts } from '../render/texts.js';
import { writeForm } from '../render/write-view.js';
import type { Call, Route } from '../server/route.js';
import { everyRole } from './derived-paths.js';
import { didParameter } from './did-parameter.js';

const identityPrev = is.optional(
  is.nullable(is.hash),
  'Hash of the last event of the identity: another is refused. Absent or null: not checked.',
);

const didAtHome = {
  ...is.did.schema,
  pattern: '^did:svc:z[1-9A-HJ-NP-Za-km-z]+(~(did:svc:z)?[1-9A-HJ-NP-Za-km-z]+)?$',
  description: 'A DID, also with the tag or DID of another home.',
};

/** The DID in the path; DID_NOT_FOUND for one with a home that this node does not follow. */
function didHere({ params }: Call, network: string): string | Refusal {
  const { id, home } = cardIdParts(params.did!);
  const did = didParameter({ params: { did: id } });
  return home === undefined || isRefusal(did) ? did : unknownDid(params.did!, network);
}

const unknownDid = (did: string, network: string): Refusal =>
  refuse('DID_NOT_FOUND', `${did} is not known on ${network}`);

/** Entries that are processed before other requests get a turn. */
const replayedAtOnce = 50;

interface IdentityFacts {
  /** When the key was created, if known: an identity is older than its first event. */
  readonly since: number | undefined;
  readonly onChain: ChainAccess | undefined;
  /** Why the operator hides its profile. */
  readonly hidden?: string | undefined;
  /** Whether it signs for the clock, the faucet and the operator: its key is made of the node's. */
  readonly isSystem?: boolean;
}

async function viewOf(
  did: string,
  resource: Resource | undefined,
  { since, onChain, hidden, isSystem = false }: IdentityFacts,
): Promise<JsonObject> {
  const controller = await onChain?.controllerOf(did);
  const known: KnownIdentity = {
    did,
    context: (resource?.context as IdentityContext | undefined) ?? emptyIdentity,
    controller: controller === undefined ? await derivedController(did) : controller,
    keptHere: isSystem || since !== undefined,
    created: since ?? resource?.createdAt ?? null,
    updated: resource?.updatedAt ?? since ?? null,
    lastHash: resource?.lastHash ?? null,
    hidden,
  };
  return identityView(known);
}

/** With what the clock says of its credentials, whose texts tell when they expire. */
async function withExpired(view: JsonObject, { moderations, environment }: ApiContext): Promise<JsonObject> {
  const held = { capabilities: view.capabilities as Json };
  const { capabilities } = await showingTexts(held, moderations, undefined);
  const now = environment.now();
  const expired = (capabilities as (JsonObject | null)[]).map((each) => each !== null && isExpired(each, now));
  return { ...view, expired };
}

export function identityRoutes(api: ApiContext, system: Pick<SystemWriter, 'signer'>): Route[] {
  const { keystore, nodeDid, onChain } = api;
  const { store, catalogue, network } = api;

  /** Whether any event mentions the DID: as signer, recipient or party. */
  async function isNamed(did: string): Promise<boolean> {
    if (await store.account(did)) return true;
    for (const definition of machinesOf(catalogue)) {
      const { kind, search } = definition;
      // Publishing a listing signs an event, which was checked before, so searched kinds can be skipped.
      if (search) continue;
      const anyLabel = everyRole(definition).map((role) => `${role}:${did}`);
      if ((await store.find({ kind, anyLabel, page: { limit: 1, offset: 0 } })).total > 0) return true;
    }
    return false;
  }

  async function* entriesOf(resource: string): AsyncGenerator<readonly NumberedEntry[]> {
    for (let after = 0; ; ) {
      const page = await store.entries({ after, limit: replayedAtOnce, resource });
      yield page;
      if (page.length < replayedAtOnce) return;
      after = page.at(-1)!.seq;
    }
  }

  async function fromLog(did: string): Promise<Resource | undefined> {
    const beginning = await beginningOf(store);
    if (beginning === undefined) return undefined;
    assert(typeof beginning !== 'string', `entry 1: ${beginning}`);
    assert(beginning.home === api.home(), 'the journal is that of its home');
    return replayOne(
      { catalogue, network, home: beginning.home, kind: 'identity', id: did },
      entriesOf(`identity/${did}`),
    );
  }

  async function resolve(
    did: string,
    reader: string | undefined,
    source?: 'store' | 'log',
  ): Promise<JsonObject | Refusal> {
    const view = await found(did, source);
    return isRefusal(view) ? view : profileSeenBy(reader, view);
  }

  async function found(did: string, source: 'store' | 'log' = 'store'): Promise<JsonObject | Refusal> {
    const moderated = api.moderations.of(did);
    const hidden = moderated && hiddenBecause(moderated);
    const resource = source === 'log' ? await fromLog(did) : await api.committed.resource('identity', did);
    // A key of this node has its document here, even if nothing was written about it.
    const since = await keystore.madeAt(did);
    const isKnown =
      resource !== undefined ||
      since !== undefined ||
      (await isNamed(did)) ||
      (await onChain?.controllerOf(did)) !== undefined;
    if (isKnown)
      return withExpired(
        await viewOf(did, resource, { since, onChain, hidden, isSystem: did === system.signer.did }),
        api,
      );
    const card = source === 'store' ? await api.cards.identity(did) : undefined;
    const facts = { since: undefined, onChain: undefined, hidden };
    const view =
      card && (await api.cards.shown(card, async (shown) => ({ ...(await viewOf(did, shown, facts)), created: null })));
    return view ? withExpired(view, api) : unknownDid(did, network);
  }

  const reply = async (did: string, { caller: { reader } }: Call, source?: 'store' | 'log') => {
    const view = await resolve(did, reader, source);
    return isRefusal(view) ? view : { status: 200, body: view };
  };

  /** Built from the key file alone, so that an unreachable database does not undo the creation. */
  const madeView = async (did: string): Promise<JsonObject> =>
    withExpired(await viewOf(did, undefined, { since: await keystore.madeAt(did), onChain }), api);

  const create: Route = {
    method: 'POST',
    path: '/api/v1/identities',
    name: 'createIdentity',
    tag: 'Identity',
    summary:
      'Create a key in this node’s keystore. Needs no nonce and writes nothing to the journal. From another machine it needs scope `admin`.',
    scope: 'write',
    body: is.object({
      passphrase: is.described(
        is.secret(is.text(1024, 1)),
        'The passphrase that encrypts the key in the keystore. You need it for each write.',
      ),
    }),
    example: { passphrase: 'correct horse battery staple' },
    success: { status: 201, schema: identitySchema, description: 'the new identity' },
    replay: {
      // The fingerprint excludes the passphrase, so a replay must unlock the DID: otherwise a caller could receive
      // another caller's DID, and pay into it.
      async opens({ caller, body }, did) {
        const signer = await api.writes.open(caller, did, String(body.passphrase));
        return isRefusal(signer) ? signer : undefined;
      },
      madeBy: ({ did }) => String(did),
      again: madeView,
    },
    async handle(call) {
      const { caller } = call;
      if (!caller.local && caller.scope !== 'admin')
        return refuse('FORBIDDEN', 'remote callers need an admin key to make identities');
      const refused = await api.kdfQuota.take(caller);
      if (refused) return refused;
      const made = await keystore.create((call.body as { passphrase: string }).passphrase, callerName(caller));
      if (isRefusal(made)) return made;
      const body = await madeView(made.did);
      return { status: 201, body, headers: { Location: `/api/v1/identities/${encodeURIComponent(made.did)}` } };
    },
  };
  const self: Route = {
    method: 'GET',
    path: '/api/v1/identities/self',
    name: 'getSelf',
    tag: 'Identity',
    summary: 'Get the node’s own identity.',
    scope: 'read',
    open: true,
    success: { status: 200, schema: identitySchema, description: 'the identity', tagged: true },
    handle: (call) => reply(nodeDid, call),
  };
  const read: Route = {
    method: 'GET',
    path: '/api/v1/identities/:did',
    name: 'getIdentity',
    tag: 'Identity',
    summary: 'Resolve a DID; `source=log` recomputes it from the events.',
    scope: 'read',
    parameters: { did: didAtHome },
    query: is.object({
      source: is.optional(
        is.oneOf('store', 'log'),
        '`store` (default) reads the stored result; `log` computes it from the events. Both agree.',
      ),
    }),
    success: { status: 200, schema: identitySchema, description: 'the identity', tagged: true },
    refuses: ['DID_NOT_FOUND'],
    handle(call) {
      const did = didHere(call, network);
      return isRefusal(did) ? did : reply(did, call, call.query.source);
    },
  };
  const updated = (accepted: Accepted | Refusal) =>
    api.writes.answer(accepted, 200, async ({ entry, snapshots }, receipt) => {
      const did = entry.core.event.issuer;
      const facts = { since: await keystore.madeAt(did), onChain };
      const view = await withExpired(await viewOf(did, snapshots[0], facts), api);
      return { ...view, ...writeForm.view({ entry, receipt }) };
    });
  const update: Route = {
    method: 'POST',
    path: '/api/v1/identities/:did/actions/update',
    name: 'updateIdentity',
    refuses: ['DID_UPDATE_CONFLICT'],
    tag: 'Identity',
    summary: 'Replace the identity’s document.',
    scope: 'write',
    ...signedBodies(is.object({ ...signerFields, ...updateInput.fields!, resourcePrev: identityPrev } as is.Fields)),
    writes: [{ kind: 'identity', action: 'update', answer: updated }],
    example: { document: { displayName: 'Ada' }, prevDocHash: '0'.repeat(64) },
    success: { status: 200, schema: written(identitySchema), description: 'the updated identity' },
    async handle(call) {
      const did = didParameter(call);
      if (isRefusal(did)) return did;
      const { document, prevDocHash } = call.body as unknown as is.TypeOf<typeof updateInput>;
      const input = { document, prevDocHash } as unknown as JsonObject;
      return updated(await api.writes.sign(call, { kind: 'identity', id: did, action: 'update', input, status: 200 }));
    },
  };
  return [create, self, read, update, ...capabilityRoutes(api, resolve)];
}

function capabilityRoutes(
  api: ApiContext,
  resolve: (did: string, reader: string | undefined) => Promise<JsonObject | Refusal>,
): Route[] {
  const path = '/api/v1/identities/:did/capabilities';
  const read: Route = {
    method: 'GET',
    path,
    name: 'listCapabilities',
    tag: 'Identity',
    summary: 'List the capability credentials of a DID.',
    scope: 'read',
    parameters: { did: didAtHome },
    query: is.object(pageFields),
    success: { status: 200, schema: capabilitiesSchema, description: 'a page of credentials' },
    refuses: ['DID_NOT_FOUND'],
    async handle(call) {
      const did = didHere(call, api.network);
      if (isRefusal(did)) return did;
      const page = pageOf(call);
      if (isRefusal(page)) return page;
      const view = await resolve(did, call.caller.reader);
      if (isRefusal(view)) return view;
      // Only ever appended to, so that the index is a position.
      const all = [...(view.capabilities as readonly JsonObject[]).entries()];
      const { items, next } = slicePage(all, page, ([index]) => [index], 'ascending');
      const capabilities = items.map(([, credential]) => credential);
      const expired = items.map(([index]) => (view.expired as readonly boolean[])[index]!);
      const paging = pagination(page, all.length, next);
      const { home, asOf } = view;
      const of = { ...(home === undefined ? {} : { home }), ...(asOf === undefined ? {} : { asOf }) };
      return { status: 200, body: { ...of, capabilities, expired, pagination: paging } };
    },
  };
  const flawOf = (did: string, credential: JsonObject): Refusal | undefined => {
    const now = api.environment.now();
    return (
      credentialFlaw(did, credential, now) ??
      (credential.proof === undefined ? undefined : proofFlaw(did, credential, now))
    );
  };
  const admitsProven = ({ id, input: { credential } }: Request): Refusal | undefined => {
    const { proof } = credential as JsonObject;
    return proof === undefined
      ? refuse('CAPABILITY_INVALID', 'credential.proof: is missing')
      : flawOf(id, credential as JsonObject);
  };
  const answer = async (accepted: Accepted | Refusal) => {
    if (isRefusal(accepted)) return accepted;
    const location = `/api/v1/identities/${encodeURIComponent(accepted.entry.core.event.issuer)}/capabilities`;
    const render = (done: Accepted, receipt: SettlementReceipt | undefined) => ({
      ...registered(done),
      ...writeForm.view({ entry: done.entry, receipt }),
    });
    return api.writes.answer(accepted, 201, render, location);
  };
  const register: Route = {
    method: 'POST',
    path,
    name: 'registerCapability',
    refuses: ['CAPABILITY_INVALID'],
    tag: 'Identity',
    summary: 'Register a capability credential; without a proof the node adds one with the signer’s key.',
    scope: 'write',
    ...signedBodies(
      is.object({
        ...signerFields,
        did: is.optional(is.did, 'Who signs: without it, the DID of the path.'),
        ...capabilityInput.fields!,
        resourcePrev: identityPrev,
      } as is.Fields),
    ),
    writes: [{ kind: 'identity', action: 'register', admits: admitsProven, answer }],
    example: {
      credential: {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        type: ['VerifiableCredential', 'CapabilityCredential'],
        issuer: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
        credentialSubject: { capability: 'translation' },
      },
    },
    fromPath: { did: 'did' },
    success: { status: 201, schema: registeredSchema, description: 'the credential as stored' },
    async handle(call) {
      const did = didParameter(call);
      if (isRefusal(did)) return did;
      const { did: signer, credential } = call.body as { did: string; credential: JsonObject };
      const flaw = flawOf(did, credential);
      if (flaw) return flaw;
      const bound = boundToAnother(call.caller, signer);
      if (bound) return bound;
      // Whether the signer is the holder is checked by the step, after key and nonce (order of refusals).
      const stored =
        credential.proof === undefined
          ? await proven(did, credential, await api.writes.unlock(call, signer)())
          : credential;
      if (isRefusal(stored)) return stored;
      const accepted = await api.writes.sign(call, {
        kind: 'identity',
        id: did,
        action: 'register',
        input: { credential: stored },
        status: 201,
      });
      return answer(accepted);
    },
  };
  /** The capability that this entry registered, also for a replayed reply. */
  const registered = ({ entry }: { entry: NumberedEntry }): JsonObject => {
    const credential = entry.payload?.input.credential as JsonObject | undefined;
    return { credential: credential ?? null, resourcePrev: entry.core.event.hash };
  };
  const proven = async (did: string, credential: JsonObject, signer: Awaited<ReturnType<typeof api.writes.open>>) => {
    if (isRefusal(signer)) return signer;
    const proof = proofConfiguration(did, credential, api.environment.now());
    return { ...credential, proof: { ...proof, proofValue: proofValueOf(signer.sign(proofBytes(credential, proof))) } };
  };
  return [read, register];
}
