export const hourMs = 60 * 60 * 1_000;
export const dayMs = 24 * hourMs;

/** Every queue, page, body, depth, retry and cache of the node has its named bound here (docs/reference/limits.md). */
export const bounds = Object.freeze({
  bodyBytes: 1024 * 1024,
  jsonDepth: 32,
  jsonKeys: 1_000,
  /**
   * The most objects and lists in one body, and members of all its objects together. They are counted in its text,
   * before it is parsed.
   */
  jsonContainers: 20_000,
  jsonMembers: 50_000,
  /** The most commas (between members and elements) in one body. */
  jsonCommas: 200_000,
  /** The most fields that one refusal reports. */
  namedErrors: 20,
  /** Unknown names of one body that are compared with the known ones. */
  searchedNames: 100,
  batchItems: 100,
  /** Time after which no further item of a batch is begun. */
  batchMs: 20_000,
  /** Items of a batch that are begun and have no place among their signer's writes yet. */
  batchItemsAtOnce: 8,
  /** Bytes of a batch's answers after which no further item is begun. */
  batchReplyBytes: 1024 * 1024,
  queryParameters: 100,
  headerBytes: 16 * 1024,
  contentTypeLength: 256,
  requestIdLength: 128,
  connections: 4_000,
  /** The most connections of one address (IPv6: /64), and of this machine. Neither applies to a trusted proxy. */
  connectionsPerAddress: 256,
  connectionsOfLoopback: 2_000,
  /** Connections accepted beyond all these bounds, for one request each, so that health checks get through. */
  connectionsReserve: 64,
  /** Share of used connections above which idle ones are closed sooner. */
  connectionsRareShare: 0.75,
  keepAliveRareMs: 5_000,
  /** The most requests in progress of one connection, and the total beyond which each connection may have only one. */
  requestsPerConnection: 8,
  requestsInWork: 100,
  /**
   * The most bytes of received requests that wait to be processed. Beyond it, a connection with more waiting bytes than
   * one head is closed.
   */
  unparsedBytes: 8 * 1024 * 1024,
  /** How long new requests may be started within one turn of the event loop. */
  turnMs: 2,
  /** While requests of so many addresses are in progress or wait, one of an address with none waits for its turn too. */
  addressesInWork: 100,
  /**
   * While so many requests wait for their turn behind one that has waited for this time, it is refused; a write also
   * while so many writes wait for the store. Twice as many, of an operator, and of a caller with fewer requests in progress than
   * the average; each write of a batch counts as one.
   */
  requestsWaiting: 128,
  requestWaitMs: 25,
  /** How long requests may be refused before a turn. */
  refusalsMs: 10,
  /** An overload is logged again after a time without one. */
  overloadLogMs: 1_000,
  /**
   * The most bytes of replies that clients have not read: beyond it reads are refused and the slowest reader is
   * disconnected.
   */
  unsentConnectionBytes: 2 * 1024 * 1024,
  unsentCallerBytes: 4 * 1024 * 1024,
  unsentBytes: 6 * 1024 * 1024,
  unsentCheckMs: 1_000,
  /** A client that has read something within this time is not disconnected to make room for others. */
  slowReaderMs: 1_000,
  /** A client that reads nothing of its replies for this time is disconnected. */
  unreadMs: 10_000,
  /** The most bytes of arriving bodies, before they are parsed. */
  arrivingCallerBytes: 16 * 1024 * 1024,
  arrivingBytes: 48 * 1024 * 1024,
  /** What each piece of an arriving body counts in addition: the memory of its object, because a piece may be one byte. */
  arrivingPieceBytes: 256,
  /** Interval of the checks of arriving bodies, and the bytes that must arrive in it; a slower body ends with 408. */
  arrivalLookMs: 2_500,
  arrivalLeastBytes: 1_024,
  /** Large replies are written in pieces of this size. */
  replyPieceBytes: 64 * 1024,
  piecesPerTurn: 4,
  /** A read whose reply is this short (a health check) is answered even without memory for replies. */
  shortReplyBytes: 2 * 1024,
  streams: 500,
  /** The most streams of one caller: a key, or an address. */
  streamsPerCaller: 50,
  /** Entries that streams read from the store at once, and characters that may wait for one consumer. */
  streamPage: 100,
  streamWaitingCharacters: 1024 * 1024,
  streamPieceBytes: 24 * 1024,
  /** Entries are collected for this time per open stream before they are sent: waking one costs some 50 µs. */
  streamGatherMs: 1,
  /** A slow client has 10 s for the headers and for the whole request: this time, plus the interval of Node's check. */
  headersMs: 9_500,
  requestMs: 9_500,
  /** A thread that has not answered for this time counts as hanging, which ends the process. */
  threadSilentMs: 10_000,
  /** Interval of Node's check for slow clients. */
  slowClientsCheckMs: 500,
  /** The newest requests that an operator can list: some 500 bytes each, 610 with the longest request id: 3 MB. */
  requestsLogged: 5_000,
  /** How often it is looked whether the files of the certificate have changed. */
  certificateCheckMs: 60_000,
  keepAliveMs: 72_000,
  socketIdleMs: 150_000,
  /** Bytes and time for which a rejected body is read and discarded, so that its sender can read the reply. */
  lingerBytes: 16 * 1024 * 1024,
  lingerMs: 5_000,
  streamHeartbeatMs: 15_000,
  shutdownMs: 10_000,
  /** Part of the shutdown time that is reserved for closing the store. */
  storeCloseMs: 2_000,
  /** The most listings, profiles and texts that the operator hides. */
  hiddenTargets: 10_000,
  /** Pages of trades that are read to find whether a reader is a party of one on a hidden listing. */
  pagesOfTrades: 10,
  pageLimit: 100,
  /** Characters of stored text on a page; a page that reaches it ends with fewer elements than its limit. */
  pageCharacters: 1024 * 1024,
  /** Pages that are built at once, for one caller and in total. */
  pagesPerCaller: 2,
  pagesAtOnce: 3,
  pageDefault: 20,
  /** Resources of each kind that a look-up by the first characters of an id finds. */
  lookedUp: 10,
  /** The newest identity documents among which a look-up searches for a name. */
  namesLookedThrough: 1_000,
  /** The newest transactions of the reader among which a look-up searches for a memo. */
  memosLookedThrough: 1_000,
  /** Entries of a segment of the journal's, and how many of the newest are in none. */
  segmentEntries: 1_000,
  /** Entries of a segment of the index of hashes. */
  hashSegment: 4_096,
  /** The newest entries, behind the index of hashes, that a look-up searches for one. */
  hashesLookedThrough: 8_192,
  /** Entries after which the statistics are written, and those that may wait to be counted; how long they wait. */
  statisticsEntries: 4_096,
  statisticsWaiting: 10_000,
  statisticsMs: 1_000,
  /** Days and listings that the statistics keep in memory. */
  statisticsDays: 64,
  statisticsListings: 10_000,
  /** Categories whose prices the statistics of a day have, and those that a reply shows. */
  statisticsPrices: 100,
  statisticsShownPrices: 50,
  /** Different buyers from which on a category is shown, so that its price is not that of one order. */
  statisticsBuyers: 3,
  /** Entries that one request examines when it filters the journal by amount. */
  journalScanned: 2_000,
  /** DIDs whose names one request can read. */
  namedAtOnce: 50,
  pageOffset: 10_000,
  /** The most orders that are searched for the order that a request omits. */
  defaultOrders: 500,
  cursorLength: 512,
  /** The most steps of one resource that are replayed for its nested machines. */
  nestedSteps: 2_000,
  /** The most characters and words of a keyword, and values of one filter. */
  keywordLength: 200,
  keywordWords: 16,
  filterValues: 32,
  /** The most waiting searches of one caller. */
  searchesWaiting: 100,
  /** The most waiting lists by status of one caller. They are frequent, and short if a DID has few resources. */
  listsWaiting: 1_000,
  /** The most addresses that the rate limits distinguish in a minute; further ones share buckets. */
  limitedOrigins: 50_000,
  sharedOriginBuckets: 1_024,
  forwardedHops: 32,
  apiKeys: 10_000,
  apiKeysPerDid: 20,
  apiKeyCache: 2_000,
  /** A key that another process has revoked is refused in this process after at most this time. */
  apiKeyFreshMs: 1_000,
  apiKeyUsedEveryMs: 60_000,
  /** How long before its end a key is marked. */
  apiKeyExpiresSoonMs: 14 * dayMs,
  didKeyDefaultMs: 90 * dayMs,
  didKeyLongestMs: 366 * dayMs,
  /** How far ahead a proof of who reads may expire, and the most that are remembered as checked. */
  readerProofMs: 300_000,
  /** The same of one that counts for another home's node alone. */
  readerThroughMs: 90 * dayMs,
  readerProofs: 10_000,
  adminLogEntries: 10_000,
  mailbox: 1_000,
  commandsInFlight: 4_000,
  entryResources: 256,
  reenterAttempts: 3,
  appendAttempts: 8,
  nonceAhead: 64,
  nonceWaitMs: 1_000,
  /** The most requests that wait for earlier nonces of one DID. */
  nonceWaiting: 256,
  /** The most actors in memory; beyond it idle ones are evicted. */
  actors: 20_000,
  actorsBytes: 6 * 1024 * 1024,
  /** Committed snapshots, and accounts, that are cached for readers. */
  committedCache: 20_000,
  committedCacheBytes: 6 * 1024 * 1024,
  /** Reputation records kept in memory for all DIDs together: some 250 bytes each. */
  reputationRecords: 200_000,
  reputationPage: 1_000,
  alarmBatch: 100,
  /** The longest interval at which the alarms are checked. */
  alarmRestMs: 5_000,
  clockSkewMs: 600_000,
  /** How long deadlines wait after this machine's clock was in doubt. */
  clockGraceMs: 3_600_000,
  kdfRuns: 2,
  kdfWaiting: 64,
  passphraseLength: 12,
  /** Bytes of an outgoing content in memory at a time; as hex they take twice as much. */
  contentPartBytes: 128 * 1024,
  pendingOperations: 10_000,
  pendingOperationsMs: 60_000,
  freeDiskBytes: 256 * 1024 * 1024,
  webhooks: 64,
  /** The most concurrent deliveries of one webhook. */
  webhookInFlight: 4,
  /** The most entries of one webhook that were read and not yet handled; only their numbers are in memory. */
  webhookWindow: 1_000,
  /** Time limit of a delivery, from the name lookup to the status of the reply. */
  webhookMs: 10_000,
  webhookBodyBytes: 256 * 1024,
  webhookReplyBytes: 16 * 1024,
  /** The most attempts of one delivery if its receiver accepts others meanwhile. */
  webhookAttempts: 10,
  webhookFirstRestMs: 5_000,
  webhookLongestRestMs: 3_600_000,
  /** A webhook that has delivered nothing for this time is disabled. */
  webhookFailingMs: 3 * dayMs,
  webhookLogLines: 1_000,
  /** How long the previous secret still signs next to a new one, by default and at most. */
  webhookOverlapMs: dayMs,
  webhookLongestOverlapMs: 7 * dayMs,
  webhookPage: 100,
  /** Bytes of entries that are cached for the next deliveries. */
  webhookRecentBytes: 16 * 1024 * 1024,
  /** Delay until delivery results are stored; and until the cursor is stored if there was nothing to deliver. */
  webhookNoteMs: 200,
  webhookNoteForeignMs: 10_000,
  /** Time for running deliveries when the node stops. */
  webhookStopMs: 1_500,
  /** Entries are collected for this time before they are read. */
  webhookGatherMs: 50,
  /** How often a process checks whether it is the one that delivers webhooks, and what other processes have changed. */
  webhookLookMs: 1_000,
  /** A database that has not answered for this time counts as unreachable: requests are refused at once. */
  storeAwayMs: 1_000,
  /** `/readyz` reports a database that has not answered for this time. */
  storeSilentMs: 1_500,
  /** A request that waits for an unreachable database is answered after this time. */
  outageWaitMs: 5_000,
  /** A start on a shared database that takes longer than this answers on its port that it is starting. */
  quietStartMs: 2_000,
  /** How long a start that is asked to stop may take to end. */
  startStopMs: 3_000,
  /** The most peers of a node. */
  peers: 100,
  /** Checkpoints of one peer per second that are parsed, and that have their signature or position checked. */
  checkpointsPerSecond: 500,
  checkpointChecksPerSecond: 100,
  /** Proofs of equivocation of one peer that are checked in a second. */
  equivocationsPerSecond: 2,
  /** The most homes whose newest checkpoint is kept, and the most peers with separate rate limits. */
  knownHomes: 1_000,
  knownPeers: 1_000,
  /** Entries after which an audit remembers what it has verified, in case it is interrupted: a minute's work. */
  auditRemembers: 250_000,
  /** The most signed audit reports that are kept: three months of daily audits. */
  auditReports: 100,
  /** The most entries in the proof of one resource. */
  proofEntries: 10_000,
  /** The most entry hashes in a proof of equivocation, and the newest links of a followed feed that are remembered. */
  equivocationLinks: 2_048,
  /** The most checkpoints and proofs in one message to a peer. */
  newsItems: 500,
  /**
   * The most proofs of equivocation in one message; each has at most 140 KB. A peer verifies `equivocationsPerSecond`,
   * and an urgent message may come between two that are a second apart.
   */
  newsProofs: 1,
});

/** Bounds of the connections between peers (docs/reference/limits.md#peers). */
export const peerBounds = Object.freeze({
  /**
   * The most inbound connections: in total, of one DID (a further one ends its oldest), and of one address (IPv6: /64).
   */
  connections: 512,
  connectionsPerDid: 8,
  connectionsPerAddress: 128,
  /** Handshakes in progress: in total, of one address, and of one at which a member has proven its DID. */
  handshakes: 64,
  handshakesPerAddress: 4,
  handshakesPerKnownAddress: 32,
  /** Such addresses that are remembered of one DID. */
  networksPerDid: 4,
  /** Handshakes of one address that are accepted in a burst, and how many more each second. */
  handshakeBurst: 128,
  handshakesPerSecond: 8,
  handshakeMs: 5_000,
  /** Addresses whose handshakes are counted. */
  trackedAddresses: 10_000,
  /** The most bytes of request line and headers. */
  headerBytes: 8 * 1024,
  headers: 64,
  headersMs: 5_000,
  /** Time for receiving a whole request; a slower one is cut. */
  arrivalMs: 10_000,
  requestBytes: 512 * 1024,
  /** Bytes of bodies of one DID that are read in a burst (four of the largest), and how many more each second. */
  bodyBytesBurst: 2 * 1024 * 1024,
  bodyBytesPerSecond: 512 * 1024,
  /** Requests of one DID that are accepted in a burst, and how many more each second. */
  requestBurst: 200,
  requestsPerSecond: 50,
  /** Bad input of one DID that is tolerated in a burst, and how much more each second; beyond it the DID is barred. */
  badInputBurst: 50,
  badInputPerSecond: 1,
  /**
   * How long a DID is barred the first time, and at most. The time doubles with each bar, until the last one is long
   * ago.
   */
  barredFirstMs: 10_000,
  barredLongestMs: 600_000,
  /** How long an unused inbound connection stays open. */
  keepAliveMs: 30_000,
  slowClientsCheckMs: 500,
  /** Unread bytes beyond which a writer waits; and the bytes that the peer must read in that time, or it is cut. */
  unsentBytes: 256 * 1024,
  stallMs: 10_000,
  stallBytes: 16 * 1024,
  /**
   * Timeouts of outbound connections: from the name lookup to the proven peer, and from a request to the end of its
   * response.
   */
  connectMs: 3_000,
  requestMs: 10_000,
  responseBytes: 1024 * 1024,
  socketsPerPeer: 4,
  /** The most bytes of one line of a stream, and of text that is read ahead of the consumer. */
  lineBytes: 64 * 1024,
  /** Bytes of a stream, as they arrive, beyond those of its lines. */
  surplusBytes: 256 * 1024,
  /** Bytes of a bad line that are kept as evidence. */
  evidenceBytes: 1024,
  aheadBytes: 4 * 1024 * 1024,
  /** Memory of one line in addition to its text. */
  lineOverheadBytes: 64,
  /** A stream on which no line ends for this time counts as ended. */
  idleMs: 5_000,
  /** The most lines, and bytes of text, that are taken at once. */
  takeLines: 500,
  takeBytes: 4 * 1024 * 1024,
  /** Delay before a peer is tried again: the first, and the longest. */
  reconnectFirstMs: 100,
  reconnectLongestMs: 2_000,
  /** A connection that lasts this long resets the delays. */
  reconnectStableMs: 10_000,
});

/** Bounds of the feeds that peers read from each other (docs/reference/feeds.md). */
export const feedBounds = Object.freeze({
  /** The most entries between two checkpoints, and bytes of their lines: a follower takes no more. */
  batchEntries: 500,
  uncoveredBytes: 4 * 1024 * 1024,
  /** Characters of entries that the home reads at once. */
  batchCharacters: 1024 * 1024,
  /**
   * How long new entries are collected after a batch was sent; how many followers that suffices for, how much longer for
   * each further one, and at most.
   */
  gatherMs: 25,
  gatherFollowers: 4,
  gatherFurtherMs: 100,
  gatherLongestMs: 1_500,
  /** New streams of one follower that are opened in a burst, and how many more each second. */
  streamBurst: 3,
  streamsPerSecond: 1,
  /** Interval of the checkpoints that a quiet home sends. */
  heartbeatMs: 1_000,
  /** Checkpoints without new entries that a follower takes at once, and how many more for each second of the stream. */
  heartbeatBurst: 100,
  heartbeatsPerSecond: 2,
  /** A feed whose announced entries were all followed within this time counts as current. */
  currentMs: 5_000,
  /** Delay before checkpoints are compared again, after the store has failed. */
  storeRetryMs: 5_000,
  /** Bytes of lines with cards of one home after which no further cards of it are kept. */
  cardBytes: 512 * 1024 * 1024,
  /** How often a full disk is checked again. */
  roomRetryMs: 1_000,
  /** Interval of messages to a peer if there is news, and if there is none. */
  newsMs: 1_000,
  greetMs: 10_000,
  /** The most peers that are sent news in one such interval, on average; with more peers the interval of each is longer. */
  newsPeers: 4,
  /** The most checkpoints, and proofs, that are read from one message. */
  newsItems: 1_000,
});

/** Bounds of the public views that homes ask of each other (docs/reference/other-homes.md#other-views). */
export const viewBounds = Object.freeze({
  /** The longest path with its query, in characters. */
  pathLength: 2_048,
  bytes: 512 * 1024,
  /** From the reader's request to the home's answer, ms. */
  timeMs: 5_000,
  /** Asked at once: of one home (which leaves it sockets for its feed and for news), and in total. */
  perHome: 2,
  asked: 16,
  /** The most that wait for one home. */
  waiting: 32,
  /** Served at once: to one peer, and in total. */
  perPeer: 4,
  served: 16,
  /** Of one home or peer in a burst, and how many more each second. */
  burst: 40,
  perSecond: 20,
  /** Of all of them. */
  allBurst: 200,
  allPerSecond: 100,
  /** The most entries of a proof, and of its corrections, that are verified. */
  proofEntries: 100,
});

export type ViewBounds = { readonly [name in keyof typeof viewBounds]: number };

/** The same of acts, and of what is read for them with a proof (docs/reference/other-homes.md#acts). */
export const actBounds = Object.freeze({
  ...viewBounds,
  /** Of the body of a request: the largest body of the API, with its content in base64. */
  requestBytes: 1_536 * 1024,
  /** Of an answer, which may have a whole content. */
  bytes: 3 * 1024 * 1024,
  timeMs: 15_000,
  perHome: 8,
  asked: 32,
  waiting: 128,
  perPeer: 16,
  served: 64,
  /** Together with views and news below what a peer may send (`peerBounds`): beyond that it would be barred. */
  burst: 80,
  perSecond: 20,
  allBurst: 800,
  allPerSecond: 400,
  /** Bytes of bodies to one home. */
  bytesBurst: 1_600 * 1024,
  bytesPerSecond: 128 * 1024,
  /** How often it is looked whether more may be sent, ms. */
  paceMs: 25,
  /** How many refused events, and accepted acts, of a DID at a home are remembered. */
  remembered: 100,
  /** Delay before an act without an answer is sent again: the first, and the longest, ms. */
  againFirstMs: 1_000,
  againLongestMs: 60_000,
});

/** Bounds of transfers that are paid onward at another home (docs/reference/other-homes.md#tokens-between-homes). */
export const onwardBounds = Object.freeze({
  /** How long a payment at another home may take effect, ms. */
  lifeMs: 60_000,
  /** Delay before a home is read again while something is open: the first, and the longest, ms. */
  firstMs: 1_000,
  longestMs: 10_000,
  /** Transfers of one home that are kept at a time; those on a page, and this node's own there that may be unread. */
  open: 1_000,
  page: 20,
  payments: 100_000,
});

/** More than an honest peer sends. */
export const servedActBounds = Object.freeze({
  ...actBounds,
  burst: 2 * actBounds.burst,
  perSecond: 2 * actBounds.perSecond,
});

/** Bounds of mirrors (docs/reference/mirrors.md). */
export const mirrorBounds = Object.freeze({
  /** Homes that a node keeps, and mirrors that it has. */
  homes: 16,
  mirrors: 16,
  /** Bytes of pieces kept of one home, which is also what it may send in a day; what each piece counts in addition. */
  bytesPerHome: 4 * 1024 * 1024 * 1024,
  pieceOverheadBytes: 4 * 1024,
  /** Pieces of the journal of one home: segments and tail. */
  pieces: 20_000,
  /** Free bytes that are left to the node, besides those without which it writes nothing. */
  reserveBytes: 1024 * 1024 * 1024,
  /** Bytes of one message, a body or an answer; and the most pieces, or names to delete, in one. */
  messageBytes: 1792 * 1024,
  messagePieces: 200,
  /** Messages of one home that a mirror works on or has waiting. */
  queuedChanges: 3,
  /** Bytes of pieces beyond which no further one goes into a message. */
  gatherBytes: 96 * 1024,
  namesAtOnce: 4_000,
  /** Answers with names that a mirror gives a home at once, and how many more each second. */
  listsBurst: 40,
  listsPerSecond: 4,
  /** Entries of a piece, and characters of them. */
  pieceEntries: 500,
  pieceCharacters: 512 * 1024,
  /** Pieces of the tail that are replaced by a segment. */
  tailPieces: 64,
  /** What a home sends to a mirror each second, and at once: less than a peer accepts (peerBounds). */
  bytesPerSecond: 384 * 1024,
  requestsPerSecond: 40,
  requestsBurst: 10,
  /** Pieces of one list that a restore tries for one entry; and how long it waits in all for mirrors that do not answer. */
  candidates: 3,
  patienceMs: 30_000,
  /** Interval of the checks of what a mirror has, and how often a connection of the mirror may cause one besides. */
  checkMs: 60_000,
  checksPerSecond: 0.5,
  /** Delay before a mirror is tried again: the first, and the longest. */
  retryFirstMs: 250,
  retryLongestMs: 10_000,
  /** How long a reply waits for SVC_PEER_COPIES mirrors. */
  copiesMs: 5_000,
});

export type PeerBounds = { readonly [Bound in keyof typeof peerBounds]: number };

/** Bounds of payments in HTTP (docs/payments.md). */
export const paymentBounds = Object.freeze({
  /** Of a header with a message. */
  headerCharacters: 12 * 1024,
  /** Of what a seller asks, so that the proof, which repeats a part of it, is not too long. */
  requiredCharacters: 6 * 1024,
  descriptionCharacters: 1_000,
  /** Of a request that is paid for. */
  bodyBytes: 1024 * 1024,
  /** Of an answer that was paid for, at the buyer. */
  answerBytes: 16 * 1024 * 1024,
  /** How long an answer is kept for the case that it got lost, how many, and up to which size. */
  answerKeptMs: 60_000,
  answersKept: 256,
  answerKeptBytes: 256 * 1024,
  /** How far the clocks of seller and home may differ. */
  skewMs: 60_000,
  /** How long after its challenge a payment is served. */
  servedMs: dayMs,
  /** As long as an event lives that the client signs; a buyer counts on no longer one. */
  secondsToPay: 60,
  /** How often a call asks for a price that is over before its turn to pay has come. */
  pricesAsked: 10,
  /** How often a buyer shows a proof, and how long it waits between, longer each time. */
  proofsSent: 3,
  betweenProofsMs: 200,
  /** How long it waits for one answer. */
  answerMs: 60_000,
  /** How long a lease may run that a seller takes: a little more than one without an end of its plan. */
  leaseMs: 31 * dayMs,
  /** Reads of a payment that is not in the journal's order yet. */
  entryReads: 50,
  betweenReadsMs: 100,
});

export const defaultPeerPort = 9529;

/** Requests per minute (docs/reference/access.md#rate-limits). */
export const rateLimits = Object.freeze({
  windowSeconds: 60,
  originReads: 300,
  originWrites: 60,
  keyReads: 6_000,
  keyWrites: 1_200,
  /** Wrong passphrases allowed per (origin or key, DID), and per DID. */
  passphraseFailures: 5,
  passphraseFailuresPerDid: 60,
  /** Passphrases of one caller per minute that may cost a KDF run. */
  kdfRuns: 600,
});

/** The faucet's limits (docs/reference/accounts-and-nonces.md#faucet). */
export const faucetQuotas = Object.freeze({
  tokens: 100,
  recipientCooldownMs: dayMs,
  perDid: 4,
  perDidWindowMs: 30 * dayMs,
  perOriginDaily: 20,
  /** The limits for an IPv6 /48 (the size of one site) and a /32 (the size of a provider). */
  perSiteDaily: 60,
  perProviderDaily: 200,
  networkDailyTokens: 100_000,
});
