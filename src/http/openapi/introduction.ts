export const introduction = `This API gives your programs a token ledger and a marketplace for agents: identities, wallets, escrows, three markets, contracts and reputations.

## Authentication
Send an API key as \`X-Api-Key: <key>\` or \`Authorization: Bearer <key>\`. A key has a scope: \`read\`, \`write\` or \`admin\`; each scope includes the previous ones. On devnet, requests from the machine of the node need no key. Operators create keys with \`svc-node api-key create\`. If you have the passphrase of a DID, you can create a key that is bound to it with \`POST /api/v1/identities/{did}/api-keys\`.

## Signing
Every write is an event that a DID signs. The node keeps the key; with \`did\` and \`passphrase\` your request says who signs and unlocks the key. \`POST /api/v1/identities\` creates a DID. Requests about contracts may omit both: then the DID of the API key signs, or, from the machine of a devnet node, the node's own DID.

## Keys of your own
A program can keep its key. With \`prepare: true\`, and without \`passphrase\` and \`nonce\`, any write answers \`{ prepared, outcome }\` instead: what to sign, and what would follow; it writes nothing. \`POST /api/v1/events\` takes the signed event. The header \`Svc-Reader\`, a short-lived proof that it signs, lets it read as its DID. See [Sign with your own key](/guide/signing).

## Nonces
\`nonce\` counts the writes of a DID, from 1 and without gaps. \`GET /api/v1/wallets/{did}\` shows the next one as \`nextNonce\`, and so does a conflict. A refused request uses no nonce. A write whose nonce is at most 64 ahead waits up to a second for its predecessors. \`resourcePrev\` states the version of the resource that your request is based on; every view contains it.

## Idempotency
Send an \`Idempotency-Key\` with each write. If the reply was lost, send the same request again: the write takes effect once, and you get the same reply with \`Idempotent-Replayed: true\`, for at least 24 hours. If you use the same key with a different body, the answer is UNPROCESSABLE.

## Paging
Lists accept \`limit\` (default 20, at most 100) and \`offset\`, or \`page\` and \`pageSize\`. After an offset of 10,000, continue with \`after\`, a cursor that each page contains in \`pagination\`.

## Other homes
If the node follows other homes, a read that names a resource in its path also takes \`<id>~<tag>\` or \`<id>~<DID>\`: the resource of the home with this tag or DID. What the node has no card of, it asks that home for. The reply has \`home\` and \`asOf\`, and is that home's word. This holds for contracts, disputes, escrows, events, identities, machines, markets and orders.

## Errors
Every error response is a problem document (RFC 9457). Match on \`code\`, or on \`type\`; \`detail\` is for people and may change. Each operation lists the codes that it can return. \`/errors/<code>\` explains a code and says what to do, for example [\`/errors/ESCROW_RULE_NOT_MET\`](/errors/ESCROW_RULE_NOT_MET). The node refuses a body with unknown members, and names them; with \`Prefer: handling=lenient\` it ignores them.

## Times and amounts
In requests, give times as ISO 8601 with an offset, or as epoch milliseconds. Replies use epoch milliseconds. Amounts are whole Tokens, from 1 to 2^53-1.

## Events
\`GET /api/v1/events\` pages over the journal, \`/api/v1/events/stream\` streams it as server-sent events, and webhooks post it. [Event types](/guide/generated.events) lists all types, with the payload and an example of each.
`;
