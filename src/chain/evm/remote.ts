/** Opens the chain of a configured RPC URL, and checks it before anything is settled on it. */
import type { Environment } from '../../core/environment.js';
import { ChainAway, ChainRefused, type Hex } from './evm.js';
import { HttpTransport } from './http-transport.js';
import { JsonRpcEvm } from './json-rpc-evm.js';
import type { OpenChain } from './open-chain.js';

export interface RemoteOptions {
  readonly url: string;
  /** The expected chain id; undefined accepts any. */
  readonly chainId: number | undefined;
  /** Addresses that must have code, by name. */
  readonly contracts: { readonly [name: string]: string };
  readonly world: Environment;
  /** The option or variable that named the URL, for messages. @default SVC_RPC_URL */
  readonly called?: string;
}

/** The chain is not the configured one, or does not answer; the message tells the operator what to do. */
export class RemoteRefused extends Error {
  override name = 'RemoteRefused';
}

/** The chain does not answer now. */
export class RemoteAway extends RemoteRefused {
  override name = 'RemoteAway';
}

const callMs = 10_000;
const answerBytes = 32 * 1024 * 1024;
const pulseMs = 4_000;

/** Rejects with RemoteRefused. */
export async function openRemote({
  url,
  chainId,
  contracts,
  world,
  called = 'SVC_RPC_URL',
}: RemoteOptions): Promise<OpenChain> {
  const transport = new HttpTransport({ url, world, timeoutMs: callMs, answerBytes });
  const probe = new JsonRpcEvm({ kind: 'rpc', chainId: chainId ?? 0, transport, world });
  try {
    const found = await asked(called, 'its chain id', probe.askChainId());
    if (chainId !== undefined && found !== chainId) {
      throw new RemoteRefused(`${called} leads to chain ${found}, and SVC_CHAIN_ID says ${chainId}.`);
    }
    for (const [name, address] of Object.entries(contracts)) {
      if ((await asked(called, `the code of ${name}`, probe.code(address as Hex))) === '0x') {
        throw new RemoteRefused(
          `SVC_CONTRACTS: there is no contract at ${address} (${name}) on chain ${found}; \`svc-node chain deploy\` makes them.`,
        );
      }
    }
    const evm = new JsonRpcEvm({ kind: 'rpc', chainId: found, transport, world, pulseMs });
    return {
      evm,
      rpcUrl: () => url,
      async close() {
        evm.close();
        transport.close();
      },
    };
  } catch (error) {
    transport.close();
    throw error;
  }
}

async function asked<T>(called: string, what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ChainAway || error instanceof ChainRefused)) throw error;
    const Kind = error instanceof ChainAway ? RemoteAway : RemoteRefused;
    throw new Kind(`${called} was asked for ${what} and gave no answer: ${error.message}.`);
  }
}
