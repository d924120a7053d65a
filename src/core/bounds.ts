/** The named bounds of the node: queues, pages, bodies, depths, retries, caches (docs/reference/limits.md). */

/** Every queue, page, body, depth, retry and cache of the node has its bound here. */
export const bounds = Object.freeze({
  bodyBytes: 1024 * 1024,
  jsonDepth: 32,
  jsonKeys: 1_000,
  /** Objects and lists, and members of all objects, of one body: its text is counted before it is parsed. */
  jsonContainers: 20_000,
  jsonMembers: 50_000,
  /** Commas: of members and elements. */
  jsonCommas: 200_000,
  /** Fields that one refusal names. */
  namedErrors: 20,
  queryParameters: 100,
  headerBytes: 16 * 1024,
  contentTypeLength: 256,
  requestIdLength: 128,
  connections: 4_000,
  /** Of one address (IPv6: /64), and of one on this machine; a proxy that is trusted has no bound of its own. */
  connectionsPerAddress: 256,
  connectionsOfLoopback: 2_000,
  /** Beyond all of them, for one request each: health checks get through. */
  connectionsReserve: 64,
  /** When so much of the connections is used, idle ones are kept for a shorter time. */
  connectionsRareShare: 0.75,
  keepAliveRareMs: 5_000,
  /** Requests of a connection that are in work at once, and how many in all before each connection may have one. */
  requestsPerConnection: 8,
  requestsInWork: 1_000,
  /** Bytes of requests that were read and wait for others; beyond, a connection with more than a head of them is cut. */
  unparsedBytes: 24 * 1024 * 1024,
  /** In one turn of the event loop requests begin for so long. */
  turnMs: 2,
  /** Bytes of replies that clients have not taken: beyond, reads are refused and the slowest reader is cut. */
  unsentConnectionBytes: 2 * 1024 * 1024,
  unsentCallerBytes: 8 * 1024 * 1024,
  unsentBytes: 32 * 1024 * 1024,
  unsentCheckMs: 1_000,
  /** Between these, memory is worth more than CPU. */
  thriftFromBytes: 8 * 1024 * 1024,
  thriftUntilBytes: 1024 * 1024,
  /** Nobody is cut to make room for others who took something within so long. */
  slowReaderMs: 1_000,
  /** A client that takes nothing of its replies for so long is cut. */
  unreadMs: 10_000,
  /** Bytes of bodies that are on their way, before they are read as JSON. */
  arrivingCallerBytes: 16 * 1024 * 1024,
  arrivingBytes: 48 * 1024 * 1024,
  /** Of each body at least so many bytes come between two looks; a slower one ends with 408. */
  arrivalLookMs: 2_500,
  arrivalLeastBytes: 1_024,
  /** Large replies are written in pieces of so many bytes. */
  replyPieceBytes: 64 * 1024,
  piecesPerTurn: 4,
  /** A read with a reply as short as a health check's is answered in any case. */
  shortReplyBytes: 2 * 1024,
  streams: 500,
  /** Of one caller: a key, or an address. */
  streamsPerCaller: 50,
  /** Entries that streams read from the store at once, and characters of those that wait for a consumer. */
  streamPage: 100,
  streamWaitingCharacters: 1024 * 1024,
  streamPieceBytes: 24 * 1024,
  /** Entries are gathered for so long for each stream that is open before they are sent: to wake one costs some 50 µs. */
  streamGatherMs: 1,
  /** A slow client has 10 s for the headers, and for the whole request: these, and until node looks again. */
  headersMs: 9_500,
  requestMs: 9_500,
  /** A thread that has answered nothing for so long hangs: the process ends. */
  threadSilentMs: 10_000,
  /** How often node looks for such clients. */
  slowClientsCheckMs: 500,
  keepAliveMs: 72_000,
  socketIdleMs: 150_000,
  /** What is read on and thrown away of a body that was refused, so that its sender can see the answer. */
  lingerBytes: 16 * 1024 * 1024,
  lingerMs: 5_000,
  streamHeartbeatMs: 15_000,
  shutdownMs: 10_000,
  /** Of that, kept for the store. */
  storeCloseMs: 2_000,
  pageLimit: 100,
  /** Of the stored texts on a page, which ends there and has fewer elements than its limit. */
  pageCharacters: 1024 * 1024,
  /** Pages that are made at once for one caller, and for all. */
  pagesPerCaller: 2,
  pagesAtOnce: 4,
  pageDefault: 20,
  pageOffset: 10_000,
  /** Orders that are looked through for the one that a request does not name. */
  defaultOrders: 500,
  cursorLength: 512,
  /** Steps of one resource that are gone through again for the machines inside its context. */
  nestedSteps: 2_000,
  /** Characters and words of a keyword, and values of one filter. */
  keywordLength: 200,
  keywordWords: 16,
  filterValues: 32,
  /** Searches of one caller that wait for each other. */
  searchesWaiting: 100,
  /** The same of lists by status, which are many, and short where a DID has few resources. */
  listsWaiting: 1_000,
  /** Addresses of origin that the rate limits tell apart in a minute; the rest share buckets. */
  limitedOrigins: 50_000,
  sharedOriginBuckets: 1_024,
  forwardedHops: 32,
  /** That no proxy runs on this machine is believed for so long; where one does, looks are at least so far apart. */
  forwardersKnownMs: 50,
  forwardersLookMs: 100,
  apiKeys: 10_000,
  apiKeysPerDid: 20,
  apiKeyCache: 2_000,
  /** A key revoked by another process is unknown here after at most so long. */
  apiKeyFreshMs: 1_000,
  apiKeyUsedEveryMs: 60_000,
  didKeyDefaultMs: 90 * 86_400_000,
  didKeyLongestMs: 366 * 86_400_000,
  adminLogEntries: 10_000,
  mailbox: 1_000,
  commandsInFlight: 4_000,
  entryResources: 256,
  reenterAttempts: 3,
  appendAttempts: 8,
  nonceAhead: 64,
  nonceWaitMs: 1_000,
  /** Requests that wait for earlier nonces of one DID. */
  nonceWaiting: 256,
  /** Actors in memory; idle ones beyond it leave. */
  actors: 20_000,
  actorsBytes: 6 * 1024 * 1024,
  /** Committed snapshots, and accounts, kept for readers. */
  committedCache: 20_000,
  committedCacheBytes: 6 * 1024 * 1024,
  /** Reputation records kept in memory, of all DIDs together: some 250 bytes each. */
  reputationRecords: 200_000,
  reputationPage: 1_000,
  alarmBatch: 100,
  /** The longest that the alarm clock sleeps. */
  alarmRestMs: 5_000,
  clockSkewMs: 600_000,
  unlockMs: 300_000,
  kdfRuns: 2,
  kdfWaiting: 64,
  passphraseLength: 12,
  bidsPerTask: 200,
  contentBytes: 750 * 1024,
  /** Of a content that is sent, so many bytes are in memory at once; as hex these are twice as many. */
  contentPartBytes: 128 * 1024,
  pendingOperations: 10_000,
  pendingOperationsMs: 60_000,
  batchOperations: 200,
  batchBytes: 96 * 1024,
  freeDiskBytes: 256 * 1024 * 1024,
  webhooks: 64,
  /** Deliveries of one webhook on their way at once. */
  webhookInFlight: 4,
  /** Entries of one webhook that are read and not done with; only their numbers are kept. */
  webhookWindow: 1_000,
  /** From the look-up of a name to the status of the answer. */
  webhookMs: 10_000,
  webhookBodyBytes: 256 * 1024,
  webhookReplyBytes: 16 * 1024,
  /** Attempts of one delivery, where its receiver takes others meanwhile. */
  webhookAttempts: 10,
  webhookFirstRestMs: 5_000,
  webhookLongestRestMs: 3_600_000,
  /** Nothing has arrived for so long: the webhook is disabled. */
  webhookFailingMs: 3 * 86_400_000,
  webhookLogLines: 1_000,
  /** The secret before signs for so long beside a new one, unless it is said otherwise; and at most. */
  webhookOverlapMs: 86_400_000,
  webhookLongestOverlapMs: 7 * 86_400_000,
  webhookPage: 100,
  /** Of entries kept in memory for those that are sent next. */
  webhookRecentBytes: 16 * 1024 * 1024,
  /** Until what has happened to deliveries is noted; and until how far was read, where nothing was to be delivered. */
  webhookNoteMs: 200,
  webhookNoteForeignMs: 10_000,
  /** Deliveries on their way when the node stops have so long. */
  webhookStopMs: 1_500,
  /** Entries are gathered for so long before they are read. */
  webhookGatherMs: 50,
  /** How often a process looks whether it delivers, and what others have changed. */
  webhookLookMs: 1_000,
  /** A database that has not answered for so long counts as away: requests are refused at once. */
  storeAwayMs: 1_000,
  /** A request that waits for a database that is away is answered after so long. */
  outageWaitMs: 5_000,
  /** A start on a shared database that takes longer says so on its port. */
  quietStartMs: 2_000,
  /** A start that is asked to stop has so long to come to its end. */
  startStopMs: 3_000,
});

/** Requests a minute (docs/reference/access.md#rate-limits). */
export const rateLimits = Object.freeze({
  windowSeconds: 60,
  originReads: 300,
  originWrites: 60,
  keyReads: 6_000,
  keyWrites: 1_200,
  /** Wrong passphrases per (origin or key, DID), and per DID. */
  passphraseFailures: 5,
  passphraseFailuresPerDid: 60,
  /** Passphrases of one caller that cost a KDF run. */
  kdfRuns: 600,
});

/** The faucet's limits (docs/reference/accounts-and-nonces.md#faucet). */
export const faucetQuotas = Object.freeze({
  tokens: 100,
  recipientCooldownMs: 24 * 3_600_000,
  perDid: 4,
  perDidWindowMs: 30 * 86_400_000,
  perOriginDaily: 20,
  /** All origins of an IPv6 /48, which any site has, and of a /32, which any provider has. */
  perSiteDaily: 60,
  perProviderDaily: 200,
  networkDailyTokens: 100_000,
});
