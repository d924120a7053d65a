/** The parts of journal entries (docs/reference/events-and-entries.md#entries). */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import { txHash } from '../../render/write-view.js';

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
  description: 'What the signer signs. `sig` covers `svc:event:v1:` + the RFC 8785 form without `hash` and `sig`.',
  ...a.object(
    {
      v: { type: 'integer', enum: [1, 2], description: 'Version of the event; 1 names no home.' },
      type: a.described(a.text, 'Dotted, past tense: `escrow.released`.'),
      issuer: a.described(a.did, 'DID that signed.'),
      nonce: a.described(positive, 'The issuer’s count of its events, from 1.'),
      ts: a.described(a.time, "The signer's statement of the time; epoch milliseconds."),
      prev: a.described(a.nullable(a.hash), "Hash of the issuer's previous event; null for its first."),
      network: a.described(a.text, 'Network that it is for: devnet, testnet or mainnet.'),
      payloadHash: a.described(a.hash, 'SHA-256 of the RFC 8785 form of `{ salt, payload }`, hex.'),
      pub: {
        type: 'string',
        pattern: '^[0-9a-f]{64}$',
        description: "The Ed25519 public key that signed, hex: the issuer's own.",
      },
      hash: a.described(a.hash, 'SHA-256 of the RFC 8785 form without `hash` and `sig`, hex.'),
      sig: a.described(a.base58, 'Ed25519 signature, base58btc.'),
    },
    { home: a.described(a.did, 'Home of the journal that it is for; since version 2.') },
  ),
});

export const payloadSchema = {
  description: 'The request; absent if the reader may not see it, or it was redacted.',
  ...a.object(
    {
      kind: a.described(a.text, 'Kind of the resource: `escrow`.'),
      id: a.described(a.text, 'Id of the resource.'),
      action: a.described(a.text, 'The action that was asked for: `release`.'),
      input: a.described(a.freeObject, 'The input of the action.'),
    },
    { ids: { type: 'object', additionalProperties: a.text, description: 'Ids of further resources, by their part.' } },
  ),
};

export const versionSchema = a.object(
  {
    kind: a.described(a.text, 'Kind of the resource: `escrow`.'),
    id: a.described(a.text, 'Id of the resource.'),
    version: a.described(positive, '1 for the creation, then without gaps.'),
    prev: a.described(a.nullable(a.hash), "Hash of the resource's previous event; null at its creation."),
    machine: a.described(a.text, 'The definition version under which it was accepted.'),
    path: a.described(a.list(a.text), 'States gone through: `["created", "funded"]`.'),
    stateHash: a.described(a.hash, 'SHA-256 of the RFC 8785 form of `{ state, context }` after it, hex.'),
  },
  {
    via: a.described(a.list(a.text), 'The event at each state of `path`, if the request was about another resource.'),
  },
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

export const idempotencySchema = a.object({
  principal: a.described(a.text, 'DID of the signer; else an HMAC of the API key or address.'),
  key: a.described(a.text, 'The Idempotency-Key.'),
  fingerprint: a.described(a.text, 'HMAC of the body, hex.'),
  status: a.described({ type: 'integer' }, 'HTTP status of the first reply.'),
});

export const receiptSchema = a.named(
  'Receipt',
  a.object(
    {
      entryHash: a.described(a.hash, 'Hash of the entry that was settled.'),
      seq: a.described(positive, 'Number of the entry.'),
      status: a.described(
        a.oneOf('confirmed', 'pending', 'reverted'),
        '`confirmed`: settled on chain; `pending`: its block is not deep enough; `reverted`: the chain refused it.',
      ),
      txHash,
      blockNumber: a.described(a.count, 'Block that has the transaction.'),
      confirmations: a.described(a.count, 'Blocks since, its own included.'),
    },
    { detail: { description: 'Further details from the chain.' } },
  ),
);
