/** Somebody whose key the node has not. */
import { type HeldKey, keys } from '../../../packages/client/src/signing/key.js';
import type { Signing } from '../../conformance/stage.js';
import { funds } from '../../conformance/stage.js';

export interface KeyHolder {
  readonly did: string;
  readonly key: HeldKey;
  nonce: number;
}

/** Signs with the published client. */
export const heldKeys: Signing<KeyHolder> = {
  async join(node) {
    const key = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
    await node.fund(key, funds);
    return { did: key.did, key, nonce: 1 };
  },
  credentials: ({ key }) => ({ key }),
};
