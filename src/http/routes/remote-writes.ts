/**
 * Writes about a resource of another home: sends a remote request in place of the action, waits for the answer, and
 * renders it from the copy of that home's journal (docs/reference/remote-requests.md).
 */
import type { Accepted } from '../../actors/command.js';
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import { type Code, codes, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { attestation, withSignature } from '../../machines/kernel/attest.js';
import { lawOf } from '../../machines/kernel/other-signer.js';
import { hidesInput } from '../../machines/kernel/visibility.js';
import type { RemoteRequestContext } from '../../machines/remote-request/machine.js';
import type { ForeignHome } from '../../peers/reading/foreign.js';
import { spelled } from '../../peers/tag.js';
import type { OutgoingRequest } from '../../peers/trade/sendings.js';
import type { EntryCore } from '../../store/entry.js';
import type { ApiContext, RemoteTrade } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import type { Signable } from '../context/write-gateway.js';
import { viewOf } from '../render/render.js';
import { writeForm } from '../render/write-view.js';
import type { Call, Reply } from '../server/route.js';
import { basePath } from './derived-paths.js';

/** What a route's own reply is made of. */
export interface RemoteDone {
  /** The answer's entry, and the resources that it wrote, from the copy of the other home's journal. */
  readonly accepted: Accepted;
  readonly receipt: undefined;
  readonly call: Call;
  readonly api: ApiContext;
  readonly reader: string;
}

export interface RemoteWrite {
  readonly api: ApiContext;
  /** The home that is asked. */
  readonly home: ReadContext;
  readonly call: Call;
  /** @param id of the resource at its home */
  readonly render: (id: string, done: RemoteDone) => Promise<JsonObject>;
}

/** The refusal of a write that only another home may carry out. */
export const belongs = (what: string, { home }: Pick<ReadContext, 'home'>): Refusal =>
  refuse('UNPROCESSABLE', `${what} belongs to ${home()}: act on it there`);

/** The context of another home by its DID. */
export const otherHome = (api: ApiContext, did: string): ReadContext | Refusal =>
  api.reading.others.find((at) => at.home() === did) ?? refuse('CONFLICT', `this node no longer follows ${did}`);

/** The context in which a route reads the state of another home, and writes here. */
export const thereOf = (api: ApiContext, home: ReadContext): ApiContext => ({ ...api, ...home }) as ApiContext;

const kind = 'remote-request';

export async function sendRemote(what: Signable, write: RemoteWrite): Promise<Reply | Refusal> {
  const { api, home, call } = write;
  const { foreign } = home;
  const { trade } = api;
  if (!trade || !foreign) return belongs(`${what.kind} ${what.id}`, home);
  const signer = api.writes.signerOf(call);
  if (isRefusal(signer)) return signer;
  const unproven = api.writes.unproven(call, what);
  if (unproven) return unproven;
  const asked = await attested(what, signer, write);
  if (isRefusal(asked)) return asked;
  const accepted = await trade.sending(signer, foreign.home, async (sending) =>
    api.writes.sign(call, await requestOf(asked, { signer, foreign, trade, sending }, write)),
  );
  if (isRefusal(accepted)) return accepted;
  return answered(accepted, { ...write, trade, status: what.status });
}

/** Adds the signature that some actions require: only this home has the signer's key. */
async function attested(what: Signable, signer: string, { api, home, call }: RemoteWrite): Promise<Signable | Refusal> {
  const { id, action, input } = what;
  const resource = await home.committed.resource(what.kind, id);
  const place = { action, id, network: api.network, home: home.home() };
  const text = attestation(api.catalogue.definitions[what.kind], resource, place);
  if (text === undefined) return what;
  const key = await api.writes.unlock(call, signer)();
  return isRefusal(key) ? key : { ...what, input: withSignature(input, key.sign(text)) };
}

interface RemoteSending {
  readonly signer: string;
  readonly foreign: ForeignHome;
  readonly trade: RemoteTrade;
  readonly sending: OutgoingRequest;
}

/** The remote request. A refusal that its home would give is returned in its place in the order of refusals. */
async function requestOf(
  what: Signable,
  { signer, foreign, trade, sending }: RemoteSending,
  { api, call }: RemoteWrite,
): Promise<Signable> {
  const { action, id, input, ids, status } = what;
  const { catalogue } = api;
  const { resourcePrev = what.resourcePrev ?? undefined } = call.body as { resourcePrev?: string };
  const by = { did: signer, law: lawOf(catalogue, what.kind, action), resourcePrev: resourcePrev ?? undefined };
  const mayNotDebit = api.writes.isByLocality(call);
  const asked = { ...(ids ? { ids } : {}), ...{ kind: what.kind, id, action, input } };
  const money =
    what.prechecked ??
    unsendable(what) ??
    (await trade.moneyFor(foreign, { request: asked, by, home: foreign.home, mayNotDebit }, sending));
  const definition = catalogue.definitions[what.kind];
  const member = definition?.form === 'machine' && hidesInput(definition, action) ? 'confidential' : 'input';
  return {
    ...{ kind, id: api.newId('rem-'), action: 'create', status, ids: { escrow: api.newId('esc-') } },
    input: {
      ...{ home: foreign.home, kind: what.kind, resource: id, action, [member]: input },
      ...(ids ? { ids } : {}),
      ...(by.resourcePrev === undefined ? {} : { resourcePrev: by.resourcePrev }),
      money: isRefusal(money) ? 0 : money,
    },
    resourcePrev: undefined,
    ...(isRefusal(money) ? { prechecked: money } : {}),
  };
}

const unsendable = ({ contents = [] }: Signable): Refusal | undefined =>
  contents.length === 0 ? undefined : refuse('UNPROCESSABLE', 'contents cannot be sent to another home');

interface SentWrite extends RemoteWrite {
  readonly trade: RemoteTrade;
  /** HTTP status of the reply if it is accepted. */
  readonly status: Signable['status'];
}

/** Waits until the request is closed, then renders what the other home has answered. */
async function answered(sent: Accepted, write: SentWrite): Promise<Reply | Refusal> {
  const { api, trade, status } = write;
  const id = sent.entry.payload!.id;
  await trade.closed(id, trade.waitMs);
  const request = await api.committed.resource(kind, id);
  const { event } = sent.entry.core;
  if (!request || request.state === 'sent') return pending(id, sent, write);
  const { answer, code, detail, subject, home } = request.context as unknown as RemoteRequestContext;
  if (request.state === 'given-up' || request.state === 'answered-late') {
    return refuse('CONFLICT', `this node has given up ${id}: its Tokens are back`, sentAs(id, event));
  }
  if (request.state === 'refused') {
    const known = code !== null && Object.hasOwn(codes, code) ? (code as Code) : 'CONFLICT';
    return refuse(known, `${home} has refused it: ${detail}`, sentAs(id, event));
  }
  const render = async (done: Accepted, receipt: SettlementReceipt | undefined): Promise<JsonObject> => ({
    ...(await renderedThere(subject.id, answer!, done, write)),
    ...writeForm.view({ entry: done.entry, receipt }),
    remoteRequestId: id,
  });
  return api.writes.answer(sent, status, render, locationOf(subject, write));
}

/** The members of a refusal after the request was sent, whose nonce is used. */
const sentAs = (id: string, { hash, nonce }: EntryCore['event']) => ({
  ...{ remoteRequestId: id, eventHash: hash, nonce, committed: true as const },
});

function locationOf(subject: RemoteRequestContext['subject'], { api, home }: RemoteWrite): string | undefined {
  if (subject.action !== 'create') return undefined;
  return `${basePath(api.views.definitionOf(subject.kind))}/${spelled(subject.id, home.foreign!.tag)}`;
}

/** The route's own reply, from the entry that answers it. */
async function renderedThere(id: string, answer: string, sent: Accepted, write: RemoteWrite): Promise<JsonObject> {
  const { api, home, call, render } = write;
  const entry = (await home.store.entryByEvent(answer))!;
  const found = await Promise.all(entry.core.versions.map((each) => home.committed.resource(each.kind, each.id)));
  const snapshots = found.filter((each) => each !== undefined);
  const accepted = { entry, snapshots, replayed: sent.replayed };
  const reader = sent.entry.core.event.issuer;
  return render(id, { accepted, receipt: undefined, call, api: thereOf(api, home), reader });
}

/** There is no answer yet: the reply is the request itself. */
async function pending(id: string, sent: Accepted, { api, call }: RemoteWrite): Promise<Reply> {
  const definition = api.views.definitionOf(kind);
  const snapshot = (await api.committed.resource(kind, id))!;
  const options = { ...api.views.optionsFor(call), reader: sent.entry.core.event.issuer };
  const more: { readonly [member: string]: Json } = { status: 'pending' };
  const body = viewOf(definition, snapshot, options, { accepted: sent, more });
  return { status: 202, body, headers: { Location: `${basePath(definition)}/${id}` } };
}
