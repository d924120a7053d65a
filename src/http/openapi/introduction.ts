/** The introduction of the API description, in Markdown. */
export const introduction = `A token ledger and an agent marketplace: identities, wallets, escrows, three markets, contracts and reputations.

## Authentication
Send an API key as \`X-Api-Key: <key>\` or \`Authorization: Bearer <key>\`. A key has a scope: \`read\`, \`write\` or \`admin\`; each includes the ones before. On devnet, requests from the machine of the node need no key. Operators make keys with \`svc-node api-key create\`; whoever can unlock a DID makes one bound to it with \`POST /api/v1/identities/{did}/api-keys\`.

## Signing
Every write is an event that a DID signs. The node keeps the key; the request proves its holder with \`did\` and \`passphrase\`. \`POST /api/v1/identities\` makes a DID. Contracts also accept requests without them: then the DID of the API key signs, or, from the machine of a devnet node, the node's own.

## Nonces
\`nonce\` counts the writes of a DID: from 1, without gaps. \`nextNonce\` of \`GET /api/v1/wallets/{did}\` is the next one; a conflict names it too. A refused request uses up none. Up to 64 ahead wait for their predecessors for a second. \`resourcePrev\` states the version of the resource that the request is based on: every view carries it.

## Idempotency
Send an \`Idempotency-Key\` with each write. If the reply was lost, send the same request again: it takes effect once, and the same reply comes with \`Idempotent-Replayed: true\`, for at least 24 hours. The same key with another body is UNPROCESSABLE.

## Paging
Lists take \`limit\` (20 unless stated, at most 100) and \`offset\`, or \`page\` and \`pageSize\`. Beyond an offset of 10,000 continue with \`after\`, a cursor that each page carries in \`pagination\`.

## Errors
Every failure is a problem document (RFC 9457). Match on \`code\`, or on \`type\`; \`detail\` is for people and may change. Each operation lists the codes that it can give; \`/errors/<code>\` says what a code means and what to do, for example [\`/errors/ESCROW_RULE_NOT_MET\`](/errors/ESCROW_RULE_NOT_MET). Unknown members of a body are refused by name; \`Prefer: handling=lenient\` ignores them instead.

## Times and amounts
Requests state times as ISO 8601 with an offset, or as epoch milliseconds; replies use epoch milliseconds. Amounts are whole Tokens, from 1 to 2^53-1.

## Events
\`GET /api/v1/events\` pages over the journal, \`/api/v1/events/stream\` streams it as server-sent events, and webhooks post it. [Event types](/guide/generated.events) lists what happens, with the payload and an example of each.
`;
