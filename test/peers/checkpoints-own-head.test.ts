/** A home's start: it asks its peers for its own newest checkpoint before it writes. */
import { expect } from 'chai';
import { type Checkpoint, signCheckpoint } from '../../src/peers/checkpoint.js';
import {
  askOwnHead,
  type MirroredEnd,
  type OwnHeadOptions,
  type OwnHeadOutcome,
  type OwnHeadPeer,
} from '../../src/peers/own-head.js';
import { network } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { didOf } from '../world/people.js';
import { PaperHome, PaperJournal } from './support/paper.js';

const world = new FakeWorld();
const home = new PaperHome('node', world);
home.journal.grow(20, 'a');
const other = home.fork(3);
other.grow(17, 'b');

/** A peer that knows these checkpoints of our journal. */
class KnowingPeer implements OwnHeadPeer {
  readonly did: string;
  asked = 0;

  constructor(
    name: string,
    protected readonly known: readonly Checkpoint[],
  ) {
    this.did = didOf(name);
  }

  async end(_: AbortSignal): Promise<readonly unknown[]> {
    this.asked++;
    return JSON.parse(JSON.stringify(this.known));
  }

  readonly isMirror: boolean = false;

  async mirrored(): Promise<MirroredEnd> {
    return { end: undefined, unread: undefined };
  }
}

class AbsentPeer extends KnowingPeer {
  override async end(): Promise<never> {
    throw new TypeError('connection refused');
  }
}

/** Neither answers nor refuses. */
class SilentPeer extends KnowingPeer {
  override end(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new TypeError('given up')), { once: true });
    });
  }
}

const knowing = (name: string, ...seqs: readonly number[]) =>
  new KnowingPeer(
    name,
    seqs.map((seq) => home.checkpoint(seq)),
  );

const start = (entries: number, ...peers: readonly OwnHeadPeer[]) => startWith({}, entries, ...peers);

/** A start with so many entries on disk. */
async function startWith(options: Partial<OwnHeadOptions>, entries: number, ...peers: readonly OwnHeadPeer[]) {
  const journal = new PaperJournal();
  journal.copy(home.journal, entries);
  const store = {
    head: async () => journal.end,
    entries: (...asked: Parameters<PaperJournal['entries']>) => journal.entries(...asked),
  };
  const clock = new FakeWorld();
  const logged: string[] = [];
  const begun = clock.monotonic();
  const outcome = await clock.settle<OwnHeadOutcome>(
    askOwnHead({
      ...{ home: home.did, network, store, peers, world: clock, aloneMs: 10_000, mustAnswer: 0 },
      ...{ isDecided: () => false, ...options },
      log: (message) => logged.push(message),
    }),
  );
  return { outcome, logged, tookMs: clock.monotonic() - begun };
}

const expectRefused = (outcome: OwnHeadOutcome, why: RegExp) => {
  expect(outcome).to.have.property('outcome').that.is.oneOf(['refused', 'behind']);
  expect(outcome).to.have.property('why').that.matches(why);
};

describe('A start', () => {
  it('continues a journal that is as long as the longest that a peer knows', async () => {
    const { outcome, tookMs } = await start(20, knowing('one', 20), knowing('two', 7));
    expect(outcome).to.deep.equal({ outcome: 'level' });
    expect(tookMs).to.be.below(1_000);
    expect((await start(20, knowing('one'))).outcome).to.deep.equal({ outcome: 'level' });
    expect((await start(20)).outcome).to.deep.equal({ outcome: 'level' });
  });

  it('behind an old backup is refused while a peer in reach knows more, also if another answers first', async () => {
    const [less, more] = [knowing('less', 8), knowing('more', 20)];
    const { outcome } = await start(9, less, more);
    expectRefused(outcome, /knows this journal up to entry 20, and here it ends at entry 9.*restore a newer backup/);
    expect(outcome).to.have.property('why').that.includes(more.did);
    expect([less.asked, more.asked]).to.deep.equal([1, 1]);
    expectRefused((await start(0, more)).outcome, /ends at entry 0/);
  });

  it('is refused where a peer shows another journal of this key, within the own one or beyond it', async () => {
    const forked = new KnowingPeer('forked', [home.checkpoint(5, other)]);
    expectRefused((await start(8, forked)).outcome, /has signed two journals/);
    expectRefused((await start(2, forked)).outcome, /restore a newer backup/);
    expectRefused((await start(2, forked, knowing('one', 5))).outcome, /has signed two journals/);
  });

  it('is refused where what a peer follows is another journal, although the newest checkpoint is ours', async () => {
    const peer = new KnowingPeer('between', [home.checkpoint(20), home.checkpoint(4, other)]);
    expectRefused((await start(20, peer)).outcome, /has signed two journals/);
  });

  it('hears no more of a journal against which its operator has decided', async () => {
    const forked = new KnowingPeer('forked', [home.checkpoint(5, other)]);
    const isDecided = (time: number) => time <= world.now();
    expect((await startWith({ isDecided }, 8, forked)).outcome).to.deep.equal({ outcome: 'level' });
  });

  it('hears the checkpoint of a mirror whose pieces are out of reach', async () => {
    class Halved extends KnowingPeer {
      override async mirrored(): Promise<MirroredEnd> {
        throw new TypeError('no list');
      }
    }
    const halved = new Halved('halved', [home.checkpoint(20)]);
    expectRefused((await start(5, halved)).outcome, /restore a newer backup/);
    expect(halved.asked).to.equal(1);
  });

  it('takes what it can read of a mirror, which has not answered while it withholds a newer piece', async () => {
    class Withholding extends KnowingPeer {
      override readonly isMirror = true;
      override async mirrored(): Promise<MirroredEnd> {
        return { end: { ...home.journal.at(20), time: 1 }, unread: 'a piece' };
      }
    }
    const mirror = new Withholding('mirror', []);
    expectRefused((await startWith({ mustAnswer: 1 }, 5, mirror)).outcome, /0 mirrors have answered, and 1 must/);
    expectRefused((await start(5, mirror)).outcome, /restore a newer backup/);
  });

  it('believes nothing that its own key has not signed', async () => {
    const forged = { ...home.checkpoint(12), seq: 999 };
    const elsewhere = signCheckpoint(home.signer, home.journal.at(15), { network: 'testnet', time: world.now() });
    const { outcome, logged } = await start(9, new KnowingPeer('liar', [forged, elsewhere]));
    expect(outcome).to.deep.equal({ outcome: 'level' });
    expect(logged.join()).to.include('has not signed');
  });

  it('continues alone after ten seconds if no peer answers, and says so', async () => {
    const { outcome, logged, tookMs } = await start(5, new AbsentPeer('one', []), new SilentPeer('two', []));
    expect(outcome).to.deep.equal({ outcome: 'alone' });
    expect(tookMs).to.be.within(10_000, 10_500);
    expect(logged.join()).to.include('continues without peers');
  });

  it('waits two seconds for peers that are out of reach once one has answered, and longer for one that hangs', async () => {
    const gone = await start(9, knowing('here', 9), new AbsentPeer('gone', []));
    expect(gone.tookMs).to.be.within(2_000, 2_500);
    const hung = await start(9, knowing('here', 9), new SilentPeer('hung', []));
    expect(hung.tookMs).to.be.within(10_000, 10_500);
    expect(hung.outcome).to.deep.equal({ outcome: 'level' });
  });

  it('reaches a peer that comes up while it waits', async () => {
    class Late extends KnowingPeer {
      override async end(signal: AbortSignal) {
        if (this.asked++ < 12) throw new TypeError('connection refused');
        return super.end(signal);
      }
    }
    expectRefused((await start(5, new Late('late', [home.checkpoint(20)]))).outcome, /restore a newer backup/);
  });
});
