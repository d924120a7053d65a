/** What the server bounds. */
export const mcpBounds = Object.freeze({
  /** Proposals that are kept, beside the ended ones of a day, and the characters of answers with them. */
  openProposals: 100,
  endedProposals: 1_000,
  keptCharacters: 64 * 1024 * 1024,
  /** How long a proposal can be committed, and an approval counts, ms. */
  proposalMs: 60 * 60_000,
  /** How long a paid call without an answer is tried again, ms: less than its seller serves it, so that it never pays anew. */
  paidCallMs: 12 * 60 * 60_000,
  /** Characters of one member of a text that others wrote, and of all texts of one answer. */
  textLength: 4_000,
  dataLength: 60_000,
  /** Characters of a delivery in one answer. */
  contentLength: 40_000,
  /** Characters of a request that a person is shown, and of each of its texts. */
  shownLength: 6_000,
  shownMember: 200,
  /** Members and elements of the arguments of one call. */
  inputElements: 5_000,
  /** Bytes of a request over HTTP. */
  requestBytes: 1024 * 1024,
  pageLimit: 50,
  /** The longest wait for a state, and the usual one, seconds. */
  waitSeconds: 60,
  usualWaitSeconds: 25,
  /** How long another process may hold the state, ms, and between two looks. */
  lockMs: 45_000,
  lockPollMs: 20,
  dayMs: 24 * 60 * 60_000,
});
