import { expect } from 'chai';
import { signCheckpoint, violationOfEquivocation } from '../../../src/peers/checkpoint.js';
import { FollowedChain } from '../../../src/peers/followed-chain.js';
import { chainHashOf, noHash } from '../../../src/store/entry.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { network } from '../../world/bench.js';
import { signer } from '../../world/people.js';

const home = signer('home');
type Link = { readonly seq: number; readonly entryHash: string; readonly chainHash: string };

/** The links of a journal whose entry hashes begin with these digits. */
function journal(digits: string): readonly Link[] {
  const links: Link[] = [];
  for (const [index, digit] of [...digits].entries()) {
    const [seq, entryHash] = [index + 1, digit.repeat(64)];
    links.push({ seq, entryHash, chainHash: chainHashOf(seq, links.at(-1)?.chainHash ?? noHash, entryHash) });
  }
  return links;
}
const checkpointOf = (links: readonly Link[]) => signCheckpoint(home, links.at(-1)!, { network, time: links.length });

describe('A feed that is read again', () => {
  let store: MemoryStore;
  let chain: FollowedChain;
  const open = (from?: { seq: number; chainHash: string }) => FollowedChain.open(store, home.did, network, from);
  const takes = async (links: readonly Link[]) => {
    const checkpoint = checkpointOf(links);
    const proof = chain.contradiction(links, checkpoint);
    if (!proof) await chain.extend(links, checkpoint);
    return proof;
  };

  beforeEach(async () => {
    store = new MemoryStore();
    chain = await open();
    expect(await takes(journal('123'))).to.equal(undefined);
  });

  it('is the same journal, of which the newest checkpoint stays', async () => {
    chain.readAgain();
    expect(chain.head.seq).to.equal(0);
    expect(await takes(journal('12'))).to.equal(undefined);
    expect(chain.checkpoint?.seq).to.equal(3);
    const [more, checkpoint] = [journal('1234').slice(2), checkpointOf(journal('1234'))];
    expect(chain.contradiction(more, checkpoint)).to.equal(undefined);
    await chain.extend(more, checkpoint);
    expect((await open()).head).to.deep.include({ seq: 4 });
  });

  for (const [what, digits] of [
    ['at the entry that was followed', '1a3'],
    ['beyond it', '1a345'],
  ] as const) {
    it(`is another journal: the proof is found, ${what}, and what was known is kept`, async () => {
      chain = await open({ seq: 0, chainHash: noHash });
      const proof = await takes(journal(digits));
      expect(proof && violationOfEquivocation(proof)).to.equal(undefined);
      expect(proof).to.not.equal(undefined);
      expect((await open()).checkpoint).to.deep.equal(checkpointOf(journal('123')));
      expect(chain.head.seq).to.equal(0);
    });
  }
});
