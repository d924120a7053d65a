import { expect } from 'chai';
import { Interface } from 'ethers/abi';
import { sha256 } from 'ethers/crypto';
import fc from 'fast-check';
import { contracts } from '../../src/chain/artifacts/contracts.js';
import {
  escrowHash,
  operationBytes,
  operationLayouts,
  packOperation,
  type StreamOperation,
} from '../../src/chain/operations/operation.js';
import { encodeBatch, genesisHead, nextHead } from '../../src/chain/operations/operation-batch.js';
import { batchGas, batchLimits, cutBatch, gasBounds, gasLimitOf } from '../../src/chain/operations/operation-limits.js';
import { publicKeyOf } from '../../src/core/codecs/did.js';
import { type Move, postingsOf } from '../../src/machines/kernel/posting.js';
import { ada, ben } from '../world/people.js';
import { decodeBatch, unpackOperations } from './support/unpacked.js';

const most = Number.MAX_SAFE_INTEGER;
const receiver = `0x${'Ab'.repeat(20)}`;
const entryHash = 'c0'.repeat(32);
const time = 1_900_000_000_000;
const escrow = { escrow: 'esc-1', from: ada, to: ben };

/** One move of each kind, and its decoded form after packing. */
const table: readonly (readonly [Move, object])[] = [
  [{ op: 'mint', to: ada, amount: most }, {}],
  [{ op: 'transfer', from: ada, to: ben, amount: 2 ** 40 + 3, fee: 7 }, {}],
  [{ op: 'reserve', ...escrow, amount: 5, expiresAt: time + 1 }, {}],
  [{ op: 'reserve', ...escrow, amount: 5 }, {}],
  [{ op: 'unreserve', escrow: 'esc-1', from: ada, amount: 5 }, {}],
  [{ op: 'lock', ...escrow, amount: 5 }, { to: undefined }],
  [{ op: 'release', ...escrow, amount: 5 }, {}],
  [{ op: 'refund', escrow: 'esc-1', from: ada, amount: 5 }, {}],
  [{ op: 'expire', escrow: 'esc-1', from: ada, amount: 5 }, {}],
  [{ op: 'collect', to: ada, amount: 1 }, {}],
  [{ op: 'freeze', did: ada }, {}],
  [{ op: 'unfreeze', did: ada }, {}],
  [{ op: 'deposit', to: ada, amount: 1, ref: 2 ** 33 }, {}],
  [{ op: 'withdraw', from: ada, to: receiver, amount: 1, fee: 2 }, { to: receiver.toLowerCase() }],
];

const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

describe('operations', () => {
  it('are packed as docs/settlement.md shows it, byte by byte', () => {
    const move: Move = { op: 'transfer', from: ada, to: ben, amount: 258, fee: 1 };
    expect(packOperation({ move, time: 0x0102_0304_0506, entryHash }).toString('hex')).to.equal(
      [
        '02',
        '010203040506',
        'c0'.repeat(32),
        Buffer.from(publicKeyOf(ada)).toString('hex'),
        Buffer.from(publicKeyOf(ben)).toString('hex'),
        '0000000000000102',
        '0000000000000001',
      ].join(''),
    );
  });

  for (const [move, differs] of table) {
    it(`${move.op} is read again as it was written, the escrow by its hash`, () => {
      const packed = packOperation({ move, time, entryHash });
      expect(packed.length).to.equal(operationBytes(move.op));
      const hash = 'escrow' in move ? { escrow: escrowHash(move.escrow).toString('hex') } : {};
      const read: { [name: string]: unknown } = { ...move, ...hash, ...differs };
      for (const [name, value] of Object.entries(read)) if (value === undefined) delete read[name];
      expect(unpackOperations(packed)).to.deep.equal([{ move: read, time, entryHash }]);
    });
  }

  it('has one for every move, each with its own kind and length that the contract knows', () => {
    expect(new Set(table.map(([{ op }]) => op)).size).to.equal(Object.keys(operationLayouts).length);
    expect(Object.values(operationLayouts).map(({ kind }) => kind)).to.deep.equal(
      Array.from({ length: 13 }, (_, n) => n + 1),
    );
    expect(Object.keys(gasBounds)).to.have.members(Object.keys(operationLayouts));
  });

  it('amounts and times that no ledger has are an assertion', () => {
    const move = { op: 'mint', to: ada } as const;
    for (const amount of [-1, 1.5, most + 1, Number.NaN]) {
      expect(() => packOperation({ move: { ...move, amount }, time, entryHash })).to.throw('no amount');
    }
    expect(() => packOperation({ move: { ...move, amount: 1 }, time: 2 ** 48, entryHash })).to.throw();
    expect(() => packOperation({ move: { ...move, amount: 1 }, time, entryHash: 'c0' })).to.throw('32 bytes');
  });

  it('bytes that are none are an assertion', () => {
    const packed = packOperation({ move: { op: 'mint', to: ada, amount: 1 }, time, entryHash });
    expect(() => unpackOperations(packed.subarray(0, -1))).to.throw('cut off');
    expect(() => unpackOperations(Buffer.from([0]))).to.throw('no kind');
  });
});

describe('the head', () => {
  it('begins with the network’s name', () => {
    expect(hexOf(genesisHead('devnet'))).to.equal(sha256(Buffer.from('svc:settlement:v1:devnet')));
  });

  it('is SHA-256 of the head before and the whole operation', () => {
    for (const [move] of table) {
      const packed = packOperation({ move, time, entryHash });
      const head = genesisHead('devnet');
      expect(hexOf(nextHead(head, packed))).to.equal(sha256(Buffer.concat([head, packed])));
    }
  });
});

describe('batches', () => {
  const settlement = new Interface(contracts.Settlement.abi);
  const operations = fc.array(
    fc.constantFrom(...table).map(([move]) => packOperation({ move, time, entryHash })),
    { maxLength: 12 },
  );

  it('are the calldata that an ABI encoder makes, and are read again', () => {
    fc.assert(
      fc.property(operations, fc.integer({ min: 1, max: most }), (all, first) => {
        const prevHead = genesisHead('devnet');
        const data = encodeBatch({ first, prevHead, operations: all });
        expect(hexOf(data)).to.equal(
          settlement.encodeFunctionData('applyBatch', [first, prevHead, Buffer.concat(all)]),
        );
        const read = decodeBatch(data);
        expect({ first: read.first, prevHead: hexOf(read.prevHead) }).to.deep.equal({
          first,
          prevHead: hexOf(prevHead),
        });
        expect(read.operations.map(hexOf)).to.deep.equal(all.map(hexOf));
      }),
    );
  });

  it('of another call are an assertion', () => {
    const data = encodeBatch({ first: 1, prevHead: genesisHead('devnet'), operations: [] });
    const other = Buffer.from(data);
    other[0] = 0;
    for (const wrong of [other, data.subarray(0, 100), Buffer.alloc(0)]) {
      expect(() => decodeBatch(wrong)).to.throw('no call of applyBatch');
    }
  });

  it('are cut by number, gas and bytes, at the first bound that is reached', () => {
    const many = (move: Move, count: number) =>
      Array.from({ length: count }, () => packOperation({ move, time, entryHash }));
    const [transfer, withdraw] = [table[1]![0], table.at(-1)![0]];
    expect(cutBatch(many(transfer, 500))).to.equal(batchLimits.operations);
    expect(cutBatch(many(transfer, 3))).to.equal(3);
    expect(cutBatch([])).to.equal(0);
    const byGas = cutBatch(many(withdraw, 500));
    expect(byGas)
      .to.equal(Math.floor((batchLimits.gas - batchGas) / gasBounds.withdraw))
      .and.be.below(200);
    expect(gasLimitOf(many(withdraw, byGas))).to.be.at.most(batchLimits.gas);
    const widest = Math.max(...table.map(([{ op }]) => operationBytes(op)));
    expect(batchLimits.operations * widest, '200 operations never reach the bound in bytes').to.be.below(
      batchLimits.bytes,
    );
  });

  it('of the model’s postings carry every Token that the journal moves', () => {
    const amounts = (move: Move) => postingsOf(move).filter(([, delta]) => delta > 0);
    for (const [move] of table) {
      const { amount = 0, fee = 0 } = unpackOperations(packOperation({ move, time, entryHash } as StreamOperation))[0]!
        .move;
      expect(
        amounts(move).reduce((sum, [, delta]) => sum + delta, 0),
        move.op,
      ).to.equal(amount + fee);
    }
  });
});
