import type { Prepare } from '../routes/derived.js';

/** The network's arbiter is written into the contract: another configuration later changes nothing for it. */
export const drafting =
  (arbiterDid: string | undefined): Prepare =>
  (_, { input }) => ({ input: arbiterDid === undefined ? input : { ...input, networkArbiter: arbiterDid } });
