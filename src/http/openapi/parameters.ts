/** Parameters of paths and queries. */
import { did, type JsonSchema, type Scalar } from '../../core/schema/scalar.js';
import type { Route } from '../server/route.js';

/** What parameters of paths name; others are described by their route. */
const named: { readonly [parameter: string]: string } = {
  did: 'A DID.',
  address: 'A DID, or an account address (`svc1…`).',
  escrowId: 'Id of the escrow.',
  listingId: 'Id of the listing.',
  taskId: 'Id of the task: that of its listing.',
  bidId: 'Id of the bid.',
  orderId: 'Id of the order.',
  leaseId: 'Id of the lease.',
  contractId: 'Id of the contract.',
  milestoneId: 'Id of the milestone, unique within the contract.',
  disputeId: 'Id of the dispute.',
  webhookId: 'Id of the webhook.',
  deliveryId: 'Id of the delivery.',
  kind: 'The kind of resource: `escrow`, `info-order`, …',
  id: 'Id of the resource.',
  hash: 'Hash of an event, or of a transaction on chain.',
  suffix: 'Last part of the `type` of a problem document, or an error code.',
  file: 'Name of the file.',
};

export const pathParameters = ({ path, parameters }: Route) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => {
    const { description = named[name!], ...schema } = (parameters?.[name!] ??
      (name === 'did' ? did.schema : { type: 'string' })) as JsonSchema & { readonly description?: string };
    return { name, in: 'path', required: true, ...(description === undefined ? {} : { description }), schema };
  });

export const queryParameters = (query: Scalar<unknown> | undefined) =>
  Object.entries(query?.fields ?? {}).map(([name, field]) => {
    const { description, ...schema } = field.schema as { description?: string };
    return {
      name,
      in: 'query',
      required: !field.optional,
      ...(description === undefined ? {} : { description }),
      // Clients write lists as one comma-separated parameter; repeated ones are read as well.
      ...((schema as JsonSchema).type === 'array' ? { style: 'form', explode: false } : {}),
      schema,
    };
  });
