/** Native hashes for @ethereumjs; its own JavaScript hashes take a tenth of the time of a settlement block. */
import { createHash } from 'node:crypto';
import { type Common, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createKeccak } from 'hash-wasm';

const hasher = await createKeccak(256);

const customCrypto = {
  keccak256: (data: Uint8Array): Uint8Array => hasher.init().update(data).digest('binary'),
  sha256: (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest(),
};

/** The hard fork and rules of a chain with this id. */
export const chainRulesOf = (chainId: number): Common =>
  createCustomCommon({ chainId, name: 'settlement' }, Mainnet, { hardfork: Hardfork.Cancun, customCrypto });
