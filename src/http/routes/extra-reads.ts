/** Routes for the reads that a definition adds to the derived ones (machines/kernel/transformer.ts). */
import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import type { ExtraRead, ReadPort } from '../../machines/kernel/transformer.js';
import type { ApiContext } from '../context/api-context.js';
import { signerFields } from '../context/signed-body.js';
import type { Call, Route } from '../server/route.js';
import { transformerPort } from './transformer-port.js';

export const extraReadRoutes = ({ route, extraReads = [] }: AnyResource, api: ApiContext): Route[] =>
  extraReads.map((extra) => ({
    ...requestOf(extra),
    path: `/api/v1${extra.path}`,
    name: extra.name,
    tag: route.tag,
    summary: extra.summary,
    success: {
      status: 200,
      schema: extra.schema,
      description: extra.description,
      ...(extra.tagged && { tagged: true }),
    },
    refuses: extra.mayRefuse ?? [],
    async handle(call) {
      const reply = await extra.read(call.params, portOf(api, call));
      if (isRefusal(reply)) return reply;
      if ('chunks' in reply) return { status: 200, stream: { ...reply, type: 'application/json; charset=utf-8' } };
      return { status: 200, body: reply.body };
    },
  }));

const [exampleDid] = is.did.schema.examples as readonly string[];

const requestOf = ({ opensKey }: ExtraRead) =>
  opensKey
    ? ({
        method: 'POST',
        scope: 'write',
        body: is.object({ did: signerFields.did, passphrase: signerFields.passphrase, home: signerFields.home }),
        example: { did: exampleDid!, passphrase: 'a good long passphrase' },
      } as const)
    : ({ method: 'GET', scope: 'read' } as const);

const portOf = (api: ApiContext, call: Call): ReadPort => ({
  ...transformerPort(api, call),
  caller: call.caller,
  contentPart: (hash, from, length) => api.store.contentPart(hash, from, length),
});
