/** Creates a data directory with a node's identity, people with keys and Tokens, and resources. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '../../../src/actors/command.js';
import { SystemWriter } from '../../../src/actors/system.js';
import { bounds } from '../../../src/core/bounds.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { createLog } from '../../../src/core/log.js';
import { AssertionError, assert, isRefusal, type Refusal } from '../../../src/core/refusal.js';
import { Keystore } from '../../../src/keys/keystore.js';
import { deriveSigner, type Signer, signerOf, systemKeyInfo } from '../../../src/keys/signing.js';
import { type Config, loadConfig } from '../../../src/node/config/config.js';
import type { RunningNode } from '../../../src/node/dependencies.js';
import { openNode } from '../../../src/node/node.js';
import { options } from './options.js';

export interface Person {
  readonly did: string;
  readonly passphrase: string;
  /** Hex; absent: the node keeps the key. */
  readonly seed?: string;
}

const nodePassphrase = 'the node of a benchmark';

/** Environment variables of a node process. */
export const environmentOf = (dir: string, store = 'embedded'): { readonly [name: string]: string } => ({
  SVC_STORE: store,
  SVC_NETWORK: 'devnet',
  SVC_PORT: '0',
  SVC_CHAIN: 'none',
  SVC_DATA_DIR: dir,
  SVC_PASSPHRASE: nodePassphrase,
  SVC_UNLOCK_SECONDS: '86400',
});

export function configOf(environment: { readonly [name: string]: string | undefined }): Config {
  const config = loadConfig({ ...environment });
  assert(!Array.isArray(config), `the configuration is right: ${config}`);
  return config as Config;
}

/** The value; throws on a refusal, which is an error of the benchmark. */
export function accepted<T>(outcome: T | Refusal): T {
  if (isRefusal(outcome)) throw new AssertionError(`${outcome.code}: ${outcome.detail}`);
  return outcome;
}

/** Creates and fills data directories with a node in this process, without HTTP. */
export class Founder {
  private constructor(
    readonly node: RunningNode,
    readonly keystore: Keystore,
    readonly system: SystemWriter,
  ) {}

  static async open(dir: string, store?: string): Promise<Founder> {
    const config = configOf(environmentOf(dir, store));
    const onFault = (fault: unknown) => assert(false, `the store failed: ${fault}`);
    const node = await openNode({ config, world: realEnvironment, log: createLog(), onFault });
    const keystore = await Keystore.open({
      dir: join(dir, 'keystore'),
      world: realEnvironment,
      network: config.network,
    });
    const signer = accepted(await keystore.unlock(node.did, nodePassphrase, 'bench'));
    return new Founder(node, keystore, new SystemWriter(node.actors, deriveSigner(signer, systemKeyInfo)));
  }

  /** Creates people with this many Tokens each. */
  async people(number: number, tokens: number): Promise<Person[]> {
    const people: Person[] = [];
    const create = async (index: number): Promise<void> => {
      const passphrase = `passphrase of person ${index}`;
      const { did } = accepted(await this.keystore.create(passphrase));
      accepted(await this.system.execute({ kind: 'account', id: did, action: 'mint', input: { amount: tokens } }));
      people.push({ did, passphrase });
    };
    // No more at once than may wait for the KDF.
    for (let from = 0; from < number; from += bounds.kdfWaiting)
      await Promise.all(
        Array.from({ length: Math.min(bounds.kdfWaiting, number - from) }, (_, index) => create(from + index)),
      );
    return people;
  }

  /** People who keep their keys, with this many Tokens each. */
  holders(number: number, tokens: number): Promise<Person[]> {
    return Promise.all(
      Array.from({ length: number }, async () => {
        const seed = randomBytes(32);
        const { did } = signerOf(seed);
        accepted(await this.system.execute({ kind: 'account', id: did, action: 'mint', input: { amount: tokens } }));
        return { did, passphrase: '', seed: seed.toString('hex') };
      }),
    );
  }

  /** Unfunded escrows of one depositor, each worth one Token. */
  async escrows(depositor: Person, beneficiary: string, number: number): Promise<void> {
    const signer: Signer = accepted(await this.keystore.unlock(depositor.did, depositor.passphrase, 'bench'));
    const input = { beneficiary, amount: 1, releaseRules: [{ type: 'manual' }] };
    let next = 0;
    const worker = async () => {
      while (next < number) {
        const id = escrowId(next++);
        const command: Command = {
          kind: 'escrow',
          id,
          action: 'create',
          input,
          signer: signer.did,
          unlock: () => signer,
        };
        accepted(await this.node.actors.execute(command));
      }
    };
    await Promise.all(Array.from({ length: 512 }, worker));
  }

  async close(): Promise<void> {
    this.keystore.close();
    await this.node.close();
  }
}

export const escrowId = (index: number): string => `esc-bench-${index}`;

/** People with many Tokens in a new data directory, whose journal is in it or in the given store. */
export async function founded(number = 64, store?: string): Promise<{ readonly dir: string; people: Person[] }> {
  const dir = await scratch();
  const founder = await Founder.open(dir, store);
  const people = await founder.people(number, 1_000_000_000);
  await founder.close();
  return { dir, people };
}

const made: string[] = [];

/** A new directory that is deleted after the run. */
export async function scratch(): Promise<string> {
  const dir = await mkdtemp(join(options.dir ?? tmpdir(), 'svc-bench-'));
  made.push(dir);
  return dir;
}

export async function cleanUp(): Promise<void> {
  for (const dir of made.splice(0)) await rm(dir, { recursive: true, force: true });
}
