import { expect } from 'chai';
import { feedBounds } from '../../../src/core/bounds.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { OwnCheckpoints } from '../../../src/peers/feed/own-checkpoints.js';
import type { LineWriter, PeerService } from '../../../src/peers/transport/transport.js';
import { until } from '../../support/until.js';
import { network } from '../../world/bench.js';
import { life } from '../../world/history.js';
import { signer } from '../../world/people.js';
import { type FollowingHome, follow, ServingHome } from './homes.js';

describe('The feed of a home', () => {
  let home: ServingHome | undefined;
  const following: FollowingHome[] = [];
  const started = async (...asked: Parameters<typeof follow>): Promise<FollowingHome> => {
    const follower = await follow(...asked);
    following.push(follower);
    return follower;
  };
  const reaches = ({ follower }: FollowingHome, seq: number) =>
    until(`entry ${seq} is followed`, () => follower.state, { is: ({ followed }) => followed >= seq });
  afterEach(async () => {
    for (const each of following.splice(0)) await each.close();
    await home?.close();
    home = undefined;
  });

  it('is followed, and continues with what is written next', async () => {
    const bench = await life();
    home = await ServingHome.open(bench);
    const { seq } = await bench.store.head();
    const follower = await started(home);
    await reaches(follower, seq);
    expect(follower.chain.head).to.deep.equal(await bench.store.head());
    await bench.mint('ada', 5);
    await reaches(follower, seq + 1);
    expect(follower.chain.head).to.deep.equal(await bench.store.head());
    await until('it is current', () => follower.follower.state.status === 'current');
    expect(follower.follower.state).to.include({ followed: seq + 1, head: seq + 1, stop: undefined });
    const { asOf } = follower.follower.state;
    await until('a sign of life', () => follower.follower.state.asOf! > asOf!);
  });

  it('tells its home again what it knows, where the home has lost entries that were followed', async () => {
    const bench = await life();
    home = await ServingHome.open(bench);
    const follower = await started(home);
    const { seq } = await bench.store.head();
    const { did } = home.signer;
    await reaches(follower, seq);
    expect(follower.heads.news.for(did)).to.equal(undefined);
    await home.close();
    await home.listen((_, reply) => reply.send(409).then(() => {}));
    await until('there is news', () => follower.heads.news.for(did)?.message.checkpoints.at(-1)?.seq === seq);
  });

  it('is resumed by number when the connection was lost, and after a restart', async () => {
    const bench = await life();
    home = await ServingHome.open(bench);
    const { seq } = await bench.store.head();
    const first = await started(home);
    await reaches(first, seq);
    await home.close();
    await until('the loss is noticed', () => first.follower.state.status === 'unreachable');
    await bench.mint('ada', 1);
    await home.listen();
    await reaches(first, seq + 1);
    await first.close();
    await until('the home notices', () => !home?.server.isRead);
    await bench.mint('ada', 2);
    const second = await started(home, { store: first.store });
    await reaches(second, seq + 2);
    expect(home.server.sent).to.equal(seq + 2);
    expect(second.chain.head).to.deep.equal(await bench.store.head());
  });

  describe('of which a line is not what the home should have sent', () => {
    /** Serves the feed with some lines replaced. */
    const tampered =
      (serving: ServingHome, change: (lines: readonly string[]) => string[]): PeerService['handle'] =>
      (request, reply) =>
        serving.server.serve(request, {
          ...{ send: (...sent) => reply.send(...sent) },
          open(): LineWriter {
            const writer = reply.open();
            return { write: (lines) => writer.write(change(lines)), end: () => writer.end() };
          },
        });

    const stopOf = async (change: (lines: readonly string[]) => string[]) => {
      const bench = await life();
      home = await ServingHome.open(bench);
      await home.listen(tampered(home, change));
      const follower = await started(home);
      await until('the feed has stopped', () => follower.stops.length > 0);
      return follower;
    };
    const swap = (text: string | RegExp, by: string, at: number) => (lines: readonly string[]) =>
      lines.map((line) => (line.startsWith(`{"seq":${at},`) ? line.replace(text, by) : line));

    it('is stopped at it, with the evidence, and not asked for again', async () => {
      const follower = await stopOf(swap('"seq":4', '"seq":5', 4));
      const { stop, followed, status } = follower.follower.state;
      expect(status).to.equal('stopped');
      expect(stop).to.deep.include({ seq: 4, what: 'its number is 5, after 3' });
      expect(stop!.line).to.match(/^\{"seq":5,/);
      expect(followed).to.equal(0);
      await home!.listen();
      follower.follower.resume();
      await reaches(follower, (await home!.bench.store.head()).seq);
    });

    it('stays stopped after a restart', async () => {
      const first = await stopOf(swap('"seq":4', '"seq":5', 4));
      await first.close();
      await home!.listen();
      const second = await started(home!, { store: first.store, stop: first.stops[0]! });
      expect(second.follower.state.status).to.equal('stopped');
      await home!.bench.mint('ada', 1);
      second.follower.resume();
      await reaches(second, (await home!.bench.store.head()).seq);
    });

    it('is stopped at a checkpoint that is not of the hashes before it', async () => {
      const follower = await stopOf(swap(/[0-9a-f]{64}/, 'f'.repeat(64), 4));
      expect(follower.stops[0]!.what).to.equal('the checkpoint after it is of another journal');
      expect(follower.follower.state.followed).to.equal(0);
    });

    it('is stopped after more entries than a batch may have', async () => {
      const hash = 'a'.repeat(64);
      const many = Array.from({ length: feedBounds.batchEntries + 1 }, (_, index) =>
        JSON.stringify({ seq: index + 1, entryHash: hash }),
      );
      const follower = await stopOf((lines) => [lines[0]!, ...many]);
      expect(follower.stops[0]).to.include({ seq: feedBounds.batchEntries + 1 });
      expect(follower.stops[0]!.what).to.include('too many entries');
    });

    for (const [name, change, what] of [
      ['has no checkpoint of its journal', 'another', 'the checkpoint after it is of another journal'],
      ['has a checkpoint that its key has not signed', 'forged', 'the checkpoint after it is not signed by the home'],
    ] as const)
      it(`follows nothing that ${name}`, async () => {
        const other = new OwnCheckpoints({ signer: signer('ada'), network, world: realEnvironment });
        const follower = await stopOf((lines) =>
          lines.map((line) => {
            if (!line.startsWith('{"checkpoint"') || lines.length === 1) return line;
            const { checkpoint, ...more } = JSON.parse(line);
            const { seq, chainHash } = checkpoint;
            const { sig } = other.at({ seq, chainHash });
            return JSON.stringify({
              ...more,
              checkpoint: change === 'forged' ? { ...checkpoint, sig } : { ...checkpoint, seq: seq - 1 },
            });
          }),
        );
        expect(follower.stops[0]!.what).to.equal(what);
        expect(follower.follower.state.followed).to.equal(0);
      });

    for (const line of ['{', '[]', '{"seq":1}', '{"checkpoint":{}}', 'null', '['.repeat(60_000)])
      it(`stops at ${line.slice(0, 20)}`, async () => {
        const follower = await stopOf((lines) => [lines[0]!, line]);
        expect(follower.stops[0]).to.include({ seq: 1, line });
      });
  });
});
