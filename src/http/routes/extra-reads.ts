/** Routes for the reads that a definition adds to the derived ones (machines/kernel/extra-read.ts). */
import { isRefusal, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { ExtraRead, ReadPort, ReadReply } from '../../machines/kernel/extra-read.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import { isWithheld } from '../../machines/kernel/visibility.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';
import { signerFields } from '../context/signed-body.js';
import { taggedReply } from '../render/render.js';
import type { Call, Route } from '../server/route.js';
import { residencesFor } from './moving.js';
import { thereOf } from './remote-writes.js';
import { contentAt, transformerPort } from './transformer-port.js';

export const extraReadRoutes = ({ route, extraReads = [] }: AnyResource, api: ApiContext): Route[] =>
  extraReads.map((extra) => ({
    ...requestOf(extra),
    path: `/api/v1${extra.path}`,
    name: extra.name,
    tag: route.tag,
    summary: extra.summary,
    success: { status: 200, schema: extra.schema, description: extra.description },
    refuses: ['CONFLICT', ...(extra.mayRefuse ?? [])],
    async handle(call) {
      const reply = await readAnywhere(extra, call, api);
      if (isRefusal(reply)) return reply;
      if ('chunks' in reply) return { status: 200, stream: { ...reply, type: 'application/json; charset=utf-8' } };
      return reply.version === undefined ? { status: 200, body: reply.body } : taggedReply(reply.body, reply.version);
    },
  }));

/** Runs the read at the home of the resource, whose id is the last parameter of the path. */
async function readAnywhere(extra: ExtraRead, call: Call, api: ApiContext): Promise<ReadReply | Refusal> {
  const [name = '', text = ''] = Object.entries(call.params).at(-1) ?? [];
  let refusal: Refusal | undefined;
  const located = await api.reading.find(text, async (at, id) => {
    const port = at.foreign ? foreignPort(call, at, api) : portOf(api, call);
    const reply = await extra.read({ ...call.params, [name]: id }, port);
    if (!isRefusal(reply) || reply.status !== 404) return reply;
    refusal ??= reply;
    return undefined;
  });
  if (!located) return refusal!;
  return isRefusal(located) ? located : located.found;
}

/** Reads the replica of another home. */
function foreignPort(call: Call, at: ReadContext, api: ApiContext): ReadPort {
  const { committed, store, foreign } = at;
  const { contents } = api;
  return {
    ...portOf(api, call),
    async resource(kind, id) {
      const snapshot = await committed.resource(kind, id);
      return snapshot && !isWithheld(snapshot.context) ? snapshot : undefined;
    },
    labelled: transformerPort(thereOf(api, at), call).labelled,
    async livesHere(did) {
      return (await residencesFor(api, did)).some((residence) => residence.home === api.home());
    },
    content: (hash, of) => contentAt({ store, foreign, contents }, { ...of, hash }),
    contentPart: (hash, from, length) => store.contentPart(hash, from, length),
  };
}

const [exampleDid] = is.did.schema.examples as readonly string[];

const requestOf = ({ opensKey }: ExtraRead) =>
  opensKey
    ? ({
        method: 'POST',
        scope: 'write',
        body: is.object({ did: signerFields.did, passphrase: signerFields.passphrase }),
        example: { did: exampleDid!, passphrase: 'a good long passphrase' },
      } as const)
    : ({ method: 'GET', scope: 'read' } as const);

const portOf = (api: ApiContext, call: Call): ReadPort => ({
  ...transformerPort(api, call),
  caller: call.caller,
  contentPart: (hash, from, length) => api.store.contentPart(hash, from, length),
});
