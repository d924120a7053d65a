/** The messages of a refused start: the database belongs to another network, or the chain is not fully configured. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { realEnvironment as world } from '../../src/core/environment.js';
import { chainOf, contractAddresses, readOperatorKey } from '../../src/node/chain.js';
import { StartRefused } from '../../src/node/identity.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { markPlace } from '../../src/verify/move/mark.js';
import { configOf, TestNode, type Variables } from './support/node.js';

function refused(start: () => unknown, says: RegExp): void {
  expect(start).to.throw(StartRefused, says);
}

describe('A start on a database', () => {
  const started: TestNode[] = [];
  afterEach(() => Promise.all(started.splice(0).map((node) => node.discard())));

  /** With a new data directory, which belongs to no network yet. */
  const start = async (store: MemoryStore, network: string): Promise<unknown> => {
    const variables = { SVC_NETWORK: network };
    return TestNode.start({ variables, store: async () => store.survivor() }).then(
      (node) => void started.push(node),
      (error: unknown) => error,
    );
  };

  it('of another network is refused, whatever the data directory; on its own it is not', async () => {
    const store = new MemoryStore({ exclusive: false });
    expect(await start(store, 'devnet')).to.equal(undefined);
    for (const network of ['testnet', 'mainnet']) {
      const error = await start(store, network);
      expect(error).to.be.instanceOf(StartRefused);
      expect((error as Error).message).to.equal(
        'This database belongs to devnet: start with SVC_NETWORK=devnet, or on another data directory (SVC_DATA_DIR).',
      );
    }
    expect(await start(store, 'devnet')).to.equal(undefined);
  });

  it('whose journal was moved elsewhere is refused, and so is the unfinished target', async () => {
    for (const [role, done, says] of [
      ['source', true, /^The journal of this database was moved to the other place: start the node there/],
      ['source', false, /^This database is being moved to the other place: finish that/],
      ['target', false, /^This database is the unfinished target of a move from the other place/],
      ['target', true, undefined],
    ] as const) {
      const store = new MemoryStore({ exclusive: false });
      await store.putLocal(markPlace.table, markPlace.id, { role, id: '1', other: 'the other place', done }, 0);
      const error = await start(store, 'devnet');
      if (says === undefined) expect(error).to.equal(undefined);
      else expect(error).to.be.instanceOf(StartRefused).with.property('message').that.matches(says);
    }
  });
});

describe('A start with a chain', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-test-start-'));
  after(() => rmSync(dir, { recursive: true, force: true }));

  const address = (digit: string) => `0x${digit.repeat(40)}`;
  const contracts = { token: address('1'), registry: address('2'), vault: address('3'), settlement: address('4') };
  const block = { number: 5, hash: `0x${'Ab'.repeat(32)}` };
  const rpc = { SVC_CHAIN: 'auto', SVC_RPC_URL: 'http://127.0.0.1:1' };
  const whole = { ...rpc, SVC_CONTRACTS: JSON.stringify(contracts) };
  const file = (text: string): string => {
    writeFileSync(join(dir, 'file'), text);
    return join(dir, 'file');
  };
  const chain = (variables: Variables) =>
    chainOf({
      ...{ config: configOf(dir, variables), store: new MemoryStore(), world },
      ...{ log: () => {}, onBatch: () => {} },
    });

  it('is refused with both an RPC and a local chain', () => {
    for (const kind of ['embedded', 'none'])
      refused(() => chain({ ...whole, SVC_CHAIN: kind }), /leave one of them out/);
    expect(chain({ SVC_CHAIN: 'none' })).to.equal(undefined);
    expect(chain(whole)).not.to.equal(undefined);
  });

  it('is refused with what belongs to an RPC, and none', () => {
    for (const name of ['SVC_CONTRACTS', 'SVC_OPERATOR_KEY_FILE']) {
      for (const kind of ['auto', 'embedded'])
        refused(() => chain({ SVC_CHAIN: kind, [name]: 'x' }), /for the chain of SVC_RPC_URL, which is not set/);
    }
    expect(chain({ SVC_CHAIN: 'auto' })).not.to.equal(undefined);
  });

  it('is refused on a network where it would settle on its own', () => {
    for (const kind of ['auto', 'embedded'])
      refused(() => chain({ SVC_NETWORK: 'mainnet', SVC_CHAIN: kind }), /^mainnet needs SVC_RPC_URL/);
    refused(() => chain({ SVC_NETWORK: 'testnet', SVC_CHAIN: 'auto' }), /^testnet needs SVC_RPC_URL/);
    expect(chain({ SVC_NETWORK: 'testnet', SVC_CHAIN: 'embedded' })).not.to.equal(undefined);
  });

  it('is refused without the address of each of its contracts', () => {
    refused(() => chain(rpc), /^SVC_RPC_URL needs SVC_CONTRACTS/);
    refused(
      () => chain({ ...rpc, SVC_CONTRACTS: join(dir, 'nowhere') }),
      /^SVC_CONTRACTS names .*nowhere, which cannot be read/,
    );
    for (const text of ['{', '[]', 'null', '"x"', '{}'])
      refused(() => chain({ ...rpc, SVC_CONTRACTS: file(text) }), /has no address of token/);
    for (const name of Object.keys(contracts)) {
      for (const wrong of [
        undefined,
        1,
        '',
        '1'.repeat(40),
        `${address('1')}1`,
        `0x${'1'.repeat(39)}`,
        `0x${'g'.repeat(40)}`,
      ]) {
        const SVC_CONTRACTS = JSON.stringify({ ...contracts, [name]: wrong });
        refused(() => chain({ ...rpc, SVC_CONTRACTS }), new RegExp(`SVC_CONTRACTS has no address of ${name}:`));
      }
    }
    const inFile = configOf(dir, { ...rpc, SVC_CONTRACTS: file(JSON.stringify({ ...contracts, more: 1 })) });
    expect(contractAddresses(inFile)).to.deep.equal(contracts);
  });

  it('is refused where the block of its contracts is none', () => {
    const pinned = (value: unknown) => chain({ ...rpc, SVC_CONTRACTS: JSON.stringify({ ...contracts, block: value }) });
    const { number, hash } = block;
    for (const wrong of [
      null,
      5,
      {},
      { number },
      { hash },
      { number: '5', hash },
      { number: 5.5, hash },
      { number, hash: '0x1' },
    ])
      refused(() => pinned(wrong), /^SVC_CONTRACTS has a block without number and hash/);
    for (const right of [block, undefined]) expect(pinned(right)).not.to.equal(undefined);
  });

  it('is refused without a private key that pays', () => {
    const keyOf = (variables: Variables) => readOperatorKey(configOf(dir, { ...whole, ...variables }));
    refused(() => keyOf({}), /^SVC_RPC_URL needs SVC_OPERATOR_KEY_FILE/);
    refused(
      () => keyOf({ SVC_OPERATOR_KEY_FILE: join(dir, 'nowhere') }),
      /^SVC_OPERATOR_KEY_FILE names .*cannot be read/,
    );
    const key = '0123456789abcdef'.repeat(4);
    for (const text of [
      '',
      '\n',
      `\n${key}`,
      `${key}0`,
      key.slice(1),
      `x${key.slice(1)}`,
      '0'.repeat(64),
      `0x${'0'.repeat(64)}`,
    ])
      refused(() => keyOf({ SVC_OPERATOR_KEY_FILE: file(text) }), /^SVC_OPERATOR_KEY_FILE holds no private key/);
    for (const text of [key, `0x${key.toUpperCase()}`, ` ${key} \r\nmore`])
      expect(Buffer.from(keyOf({ SVC_OPERATOR_KEY_FILE: file(text) })).toString('hex')).to.equal(key);
  });
});
