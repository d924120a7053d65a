/** The parts of journal entries (docs/reference/events-and-entries.md#entries). */
import type { JsonSchema } from '../../core/schema/scalar.js';
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { eventFields, receiptFields } from '../../store/journal-form.js';
import { txHash } from './write-view.js';

export const positive: JsonSchema = { type: 'integer', minimum: 1 };
export const evmAddress: JsonSchema = {
  type: 'string',
  pattern: '^0x[0-9A-Fa-f]{40}$',
  description: 'EVM address, checksummed.',
};
const escrowId = a.described(a.text, 'Id of the escrow.');

const expiresAt = a.described(a.time, 'When what was locked goes back; absent: never.');

const versioned = a.described(
  a.constant(true),
  'True: the account `from` is versioned; absent if the entry reserves what it locks.',
);

const titleOfMove = (op: string): string => `${op.charAt(0).toUpperCase()}${op.slice(1)}Move`;

const move = (op: string, members: a.SchemaMembers, optional: a.SchemaMembers = {}) =>
  [
    op,
    a.named(titleOfMove(op), a.object({ op: a.described(a.constant(op), 'The operation.'), ...members }, optional)),
  ] as const;

const moves: ReadonlyMap<string, JsonSchema> = new Map([
  move('mint', { to: a.did, amount: a.tokens }),
  move('transfer', { from: a.did, to: a.did, amount: a.tokens, fee: a.tokens }),
  move('reserve', { escrow: escrowId, from: a.did, to: a.did, amount: a.tokens }, { expiresAt }),
  move('unreserve', { escrow: escrowId, from: a.did, amount: a.tokens }),
  move('lock', { escrow: escrowId, from: a.did, to: a.did, amount: a.tokens }, { versioned }),
  move('release', { escrow: escrowId, from: a.did, to: a.did, amount: a.tokens }),
  move('refund', { escrow: escrowId, from: a.did, amount: a.tokens }),
  move('expire', { escrow: escrowId, from: a.did, amount: a.tokens }),
  move('collect', { to: a.did, amount: a.tokens }),
  move('freeze', { did: a.did }),
  move('unfreeze', { did: a.did }),
  move('deposit', { to: a.did, amount: a.tokens, ref: a.described(positive, 'Number of the deposit on chain.') }),
  move('withdraw', { from: a.did, to: evmAddress, amount: a.tokens, fee: a.tokens }),
]);

export const moveSchema = a.named('Move', {
  description: 'One settlement operation: a way in which Tokens move.',
  oneOf: [...moves.values()],
  // Without it, generated clients of Go and Java can't distinguish the operations.
  discriminator: {
    propertyName: 'op',
    mapping: Object.fromEntries([...moves.keys()].map((op) => [op, `#/components/schemas/${titleOfMove(op)}`])),
  },
});

export const eventSchema = a.named('Event', {
  ...a.outgoing(is.object(eventFields).schema),
  description: 'What the signer signs, its hash and the signature.',
});

export const payloadSchema = {
  description: 'The request, with those members of its input that the caller may see.',
  ...a.object(
    {
      kind: a.described(a.text, 'Kind of the resource: `escrow`.'),
      id: a.described(a.text, 'Id of the resource.'),
      action: a.described(a.text, 'The action that was asked for: `release`.'),
      input: a.described(a.freeObject, 'The input of the action; null in the place of an erased text.'),
    },
    { ids: { type: 'object', additionalProperties: a.text, description: 'Ids of further resources, by their part.' } },
  ),
};

export const leafSchema = a.named(
  'Leaf',
  a.object(
    {
      leaf: a.described(a.hash, 'SHA-256 of salt and text: the RFC 8785 form of the value.'),
      size: a.described(a.count, 'Bytes of the text.'),
    },
    {
      salt: { type: 'string', pattern: '^[0-9a-f]{32}$', description: '16 bytes, hex; absent once it is erased.' },
      erased: a.described(a.constant(true), 'It is erased: the value is null.'),
    },
  ),
);

export const postingSchema: JsonSchema = {
  type: 'array',
  prefixItems: [
    a.described(a.text, '`available/<did>`, `reserved/<did>`, `escrowed/<did>`, `supply` or `fees`.'),
    { type: 'integer', description: 'Tokens added, or taken if negative.' },
  ],
  // Not `items: false`, for which generators reject the whole document.
  items: {},
  minItems: 2,
  maxItems: 2,
  description: '`[account, delta]`; those of an entry sum to zero.',
};

const { txHash: _, detail, ...settled } = receiptFields;

export const receiptSchema = a.named(
  'Receipt',
  a.object(
    {
      ...schemasIn(settled),
      txHash,
      confirmations: a.described(a.count, 'Blocks since, its own included.'),
    },
    { detail: detail.schema },
  ),
);

function schemasIn(fields: is.Fields): a.SchemaMembers {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, a.outgoing(schema)]));
}
