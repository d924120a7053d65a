/**
 * Members that several replies share: the fields of every write, pages, settlement status.
 */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import { paginationSchema } from '../../render/pagination.js';

export const txHash: JsonSchema = {
  type: 'string',
  pattern: '^(0x)?[0-9a-f]{64}$',
  description: 'Hash of the transaction on chain, hex after 0x; until there is one, the hash of the event.',
};

/** What every write replies (docs/reference/requests.md#replies-of-writes). */
export const writeFields: a.SchemaMembers = {
  eventHash: a.described(a.hash, 'Hash of the event that this write is: `GET /api/v1/events/{hash}`.'),
  nonce: { type: 'integer', minimum: 1, description: 'Nonce that the event used up, of the DID that signed it.' },
  txHash,
};

const systemIssuer = a.described(a.did, 'The system key of the node, which signed the event.');
const { eventHash } = writeFields;
const systemSchema = a.named('SystemFields', a.object({ eventHash: eventHash!, issuer: systemIssuer, txHash }));

/** The view of an account after a write by the node's system key; its `nonce` is the account's own. */
export const systemWritten = (view: JsonSchema): JsonSchema => ({ allOf: [view, systemSchema] });

/** A transfer by an event of the system key: `nonce` is that of `issuer`, not of a caller. */
export const systemPaid = (transfer: JsonSchema): JsonSchema => ({
  allOf: [transfer, a.object({ issuer: systemIssuer })],
});

const ignored = a.described(a.list(a.text), 'Members of the body that were ignored, with `Prefer: handling=lenient`.');
const writeSchema = a.named('WriteFields', a.object(writeFields, { ignored }));

/** The view after a write, with the members of every write's reply. */
export const written = (view: JsonSchema): JsonSchema => ({ allOf: [view, writeSchema] });

/** Settlement status of an entry. */
export const settlementFields: a.SchemaMembers = {
  status: a.described(a.oneOf('confirmed', 'pending'), '`pending` until it is settled on chain.'),
  blockNumber: a.described(a.nullable(a.count), 'Block of the chain that settled it.'),
  confirmations: a.described(a.count, 'Blocks on top of it, that one included.'),
};

/** A page of a list: `{ <name>: [...], total, pagination }`. */
export const pageOf = (name: string, item: JsonSchema, more: a.SchemaMembers = {}): JsonSchema =>
  a.object({ [name]: a.list(item), total: totalSchema, ...more, pagination: paginationSchema });

const totalSchema = a.described(a.count, 'Elements of the whole list.');
