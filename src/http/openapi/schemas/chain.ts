/**
 * What the chain has recorded of DIDs, moves and Tokens (docs/reference/identities.md#evm-addresses,
 * docs/reference/accounts-and-nonces.md#supply).
 */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import { evmAddress } from '../../render/entry-schemas.js';
import { entryCoreSchema } from '../../render/entry-view.js';
import { settledMoveSchema } from '../../render/transfer-view.js';
import { settlementForm, txHash } from '../../render/write-view.js';
import { pageSchema } from './replies.js';

export const nonceSchema = a.named(
  'Nonce',
  a.object({
    data: a.described(
      a.object(
        {
          address: a.described(evmAddress, 'EVM address of the DID, or the one asked about.'),
          nonce: a.described(a.count, 'Transactions that the address has sent on chain.'),
        },
        {
          did: a.described(a.did, 'This member and the following: only if the request named a DID.'),
          nextNonce: {
            type: 'integer',
            minimum: 1,
            description: "The `nonce` of the DID's next signed write.",
          },
          settlementNonce: a.described(
            a.count,
            "Nonce of the DID's newest event up to which nothing waits for the chain.",
          ),
          registered: a.described(a.flag, 'The registry on chain knows the DID.'),
        },
      ),
      'The answer.',
    ),
    links: a.described(
      a.object({ self: a.described(a.text, 'Path of this answer, the DID URL-encoded.') }),
      'Path to read it again.',
    ),
  }),
);

export const registrationSchema = a.named(
  'Registration',
  a.object({
    did: a.did,
    registered: a.described(a.flag, 'The registry on chain knows the DID.'),
    controller: a.nullable(evmAddress, 'Address that acts for the DID on chain; null if it was revoked.'),
  }),
);

export const movesSchema = a.named(
  'Moves',
  a.object({
    ...settlementForm.schema.properties,
    ...(pageSchema('transactions', settledMoveSchema) as a.ObjectSchema).properties,
  }),
);

const chainBooks = a.object({
  kind: a.described(
    a.oneOf('rpc', 'embedded'),
    '`rpc`: a chain that the node reaches over JSON-RPC; `embedded`: the one that runs inside the process.',
  ),
  chainId: a.nullable(a.count, 'Chain id (EIP-155); null while it is not known.'),
  blockNumber: a.described(a.count, 'The block at which all of this was read.'),
  token: a.described(evmAddress, 'Address of the token contract.'),
  registry: a.described(evmAddress, 'Address of the registry of DIDs.'),
  vault: a.described(evmAddress, 'Address of the vault that holds the Tokens.'),
  settlement: a.described(evmAddress, 'Address of the settlement contract.'),
  tokenSupply: a.described(a.tokens, 'Tokens in existence on chain.'),
  holdings: a.described(a.tokens, 'Tokens in the vault.'),
  owed: a.described(a.tokens, 'Of these, the Tokens of accounts, escrows and fees.'),
  fees: a.described(a.tokens, 'Of the amount owed: fees that are not yet withdrawn.'),
  waiting: a.described(a.tokens, 'Of the holdings: deposits that are not yet credited.'),
  heldBack: a.described(a.tokens, 'Of the holdings: withdrawals that could not be paid yet.'),
  lag: a.described(a.count, 'Operations that are committed but not settled.'),
});

export const supplySchema = a.named(
  'Supply',
  a.object({
    network: a.described(a.text, 'Network of the node: devnet, testnet or mainnet.'),
    seq: {
      type: ['integer', 'null'],
      description: 'Number of the newest entry that the sums contain; null while entries are added too fast.',
    },
    supply: a.described(a.tokens, 'Tokens in the ledger: the sum of the following members.'),
    available: a.described(a.tokens, 'Tokens that you can spend now.'),
    reserved: a.described(a.tokens, 'Tokens that unfunded escrows hold.'),
    escrowed: a.described(a.tokens, 'Tokens that funded escrows hold.'),
    fees: a.described(a.tokens, 'Collected fees that are not yet withdrawn.'),
    chain: a.described({ anyOf: [chainBooks, { type: 'null' }] }, 'Null if the node does not settle on a chain.'),
    balanced: {
      type: ['boolean', 'null'],
      description: 'Ledger and vault agree; null while operations are on their way, or without a chain.',
    },
  }),
);

const positive: JsonSchema = { type: 'integer', minimum: 1 };

const anchor = a.named(
  'EntryAnchor',
  a.object({
    firstEntry: a.described(positive, 'Number of the first entry under the anchor.'),
    lastEntry: a.described(positive, 'Number of the last entry under the anchor.'),
    root: a.described(a.hash, 'Root of the Merkle tree (RFC 6962) over the entries from first to last.'),
    path: a.described(a.list(a.hash), 'Sibling hashes on the path from the entry to the root, in this order.'),
    txHash,
    blockNumber: a.described(a.count, 'Block that recorded the anchor.'),
    chainId: a.described(a.count, 'Chain id (EIP-155).'),
    contract: a.described(evmAddress, 'The Settlement contract.'),
  }),
);

export const anchorSchema = a.described(
  { anyOf: [anchor, { type: 'null' }] },
  'Where its root is on chain; null until it is anchored.',
);

export const proofSchema = a.named(
  'Proof',
  a.object({
    v: a.described(a.constant(1), 'Version of the format.'),
    network: a.described(a.text, 'Network of the node: devnet, testnet or mainnet.'),
    seq: a.described(positive, 'Number of the entry in the journal.'),
    entryHash: a.described(a.hash, 'SHA-256 of the RFC 8785 form of `entry`, hex.'),
    prevEntry: a.described(a.hash, '`chainHash` of the entry before; zeros before the first.'),
    chainHash: a.described(a.hash, 'SHA-256 of `svc:journal:v1:<seq>:<prevEntry>:<entryHash>`, hex: the leaf.'),
    entry: a.described(entryCoreSchema, 'The part of the entry that never changes.'),
    anchor: anchorSchema,
  }),
);
