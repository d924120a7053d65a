/** A dump is read as it comes in, however it is cut. */
import { expect } from 'chai';
import { HexResult } from '../../../src/chain/devnet/hex-result.js';

const read = (text: string, pieceLength: number): HexResult => {
  const result = new HexResult();
  for (let at = 0; at < text.length; at += pieceLength) result.take(Buffer.from(text.slice(at, at + pieceLength)));
  return result;
};

describe('a result in hex', () => {
  const dump = Buffer.from(Array.from({ length: 1_000 }, (_, n) => (n * 7) % 256));
  const answer = `{"jsonrpc":"2.0","id":1,"result":"0x${dump.toString('hex')}"}`;

  it('is the same bytes, whatever pieces it comes in', () => {
    for (const length of [1, 2, 3, 37, 64, 1_999, answer.length]) {
      expect(read(answer, length).bytes?.equals(dump), `pieces of ${length}`).to.equal(true);
    }
    expect(read(`{ "result" : "0x" , "id":1}`, 4).bytes).to.deep.equal(Buffer.alloc(0));
  });

  it('that is cut off is none', () => {
    expect(read(answer.slice(0, -2), 100).bytes).to.equal(undefined);
    expect(read(answer.slice(0, 20), 100).bytes).to.equal(undefined);
  });

  it('is told from an error, or another result, which stay as they are', () => {
    for (const other of ['{"id":1,"error":{"message":"\\"result\\":\\"0x12\\""}}', '{"id":1,"result":true}']) {
      expect(read(other, 5).bytes).to.equal(undefined);
      expect(read(other, 5).rest).to.equal(other);
    }
  });
});
