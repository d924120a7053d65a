import { expect } from 'chai';
import { realEnvironment } from '../../../src/core/environment.js';
import { isWithheld } from '../../../src/machines/kernel/withheld.js';
import { OwnCheckpoints } from '../../../src/peers/feed/own-checkpoints.js';
import type { LineWriter, PeerService } from '../../../src/peers/transport/transport.js';
import { wholeLife } from '../../histories/whole-life.js';
import { until } from '../../support/until.js';
import { network } from '../../world/bench.js';
import { life } from '../../world/history.js';
import { ada, signer } from '../../world/people.js';
import { strangersFeed } from '../lies/feed.js';
import { type FollowingHome, follow, ServingHome } from './homes.js';

describe('The feed of a home', function () {
  this.timeout(60_000);
  let home: ServingHome | undefined;
  const following: FollowingHome[] = [];
  const started = async (...asked: Parameters<typeof follow>): Promise<FollowingHome> => {
    const follower = await follow(...asked);
    following.push(follower);
    return follower;
  };
  const reaches = ({ follower }: FollowingHome, seq: number) =>
    until(`entry ${seq} is adopted`, () => follower.state, { is: ({ adopted }) => adopted >= seq });
  afterEach(async () => {
    for (const each of following.splice(0)) await each.close();
    await home?.close();
    home = undefined;
  });

  it('is executed again by its follower, and continues with what is written next', async () => {
    const bench = await life();
    home = await ServingHome.open(bench);
    const { seq } = await bench.store.head();
    const follower = await started(home);
    await reaches(follower, seq);
    expect(await follower.store.head()).to.deep.equal(await bench.store.head());
    await bench.mint('ada', 5);
    await reaches(follower, seq + 1);
    expect(await follower.store.head()).to.deep.equal(await bench.store.head());
    expect(await follower.store.totals()).to.deep.equal(await bench.store.totals());
    await until('it is current', () => follower.follower.state.status === 'current');
    const { did } = home.signer;
    await until('readers see how old it is', () => follower.heads.adopted(did)?.seq === seq + 1);
    expect(follower.follower.state).to.include({ adopted: seq + 1, head: seq + 1, stop: undefined });
  });

  it('tells its home again what it knows, where the home has lost entries that were followed', async () => {
    const bench = await life();
    home = await ServingHome.open(bench);
    const follower = await started(home);
    const { seq } = await bench.store.head();
    const { did } = home.signer;
    await reaches(follower, seq);
    await until('its end is known', () => follower.heads.adopted(did)?.seq === seq);
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
    const second = await started(home, { replicas: first.replicas.survivor() });
    await reaches(second, seq + 2);
    expect(home.server.sent).to.equal(seq + 2);
    expect(await second.store.head()).to.deep.equal(await bench.store.head());
  });

  it('shows confidential payloads to the homes of parties only', async () => {
    const bench = await wholeLife();
    const { seq } = await bench.store.head();
    const hidden = async (residents: readonly string[]) => {
      const serving = await ServingHome.open(bench, residents);
      const follower = await follow(serving);
      await reaches(follower, seq);
      const kinds = new Set<string>();
      for (const { kind, id } of strangersFeed(bench).flatMap(({ entry }) => entry.core.versions)) {
        const [there, here] = [await bench.store.load(kind, id), await follower.store.load(kind, id)];
        expect({ ...here, context: {} }, `${kind}/${id}`).to.deep.equal({ ...there, context: {} });
        if (isWithheld(here!.context)) kinds.add(kind);
        else expect(here!.context).to.deep.equal(there!.context);
      }
      expect(await follower.store.totals()).to.deep.equal(await bench.store.totals());
      const { withheld } = follower.follower.state;
      await follower.close();
      await serving.close();
      return { kinds: [...kinds].sort(), withheld, counted: serving.server.withheld };
    };
    const strangers = await hidden([]);
    expect(strangers.kinds).to.deep.equal([
      ...['capability-listing', 'contract', 'dispute', 'info-listing', 'info-order', 'task-listing', 'task-order'],
    ]);
    expect(strangers.withheld).to.equal(strangers.counted).and.to.be.above(40);
    const parties = await hidden([ada]);
    expect(parties.withheld).to.be.within(1, 40);
  });

  it('waits for an update if an entry is of a later release, and continues after it', async () => {
    const bench = await life();
    home = await ServingHome.open(bench);
    const { seq } = await bench.store.head();
    const { escrow: _, ...definitions } = bench.catalogue.definitions;
    const earlier = await started(home, { catalogue: { ...bench.catalogue, definitions } });
    await until('the feed has stopped', () => earlier.stops.length > 0);
    const { status, stop, adopted } = earlier.follower.state;
    expect(status).to.equal('outdated');
    expect(stop).to.include({ seq: adopted + 1, cause: 'unknown-version' });
    expect(stop!.what).to.match(/escrow/);
    expect(adopted).to.be.above(0);
    await earlier.close();
    const updated = await started(home, { replicas: earlier.replicas.survivor() });
    await reaches(updated, seq);
    expect(home.server.sent).to.be.below(2 * seq);
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
      const follower = await stopOf(swap(/"payload":"/, '"payload":" ', 4));
      const { stop, adopted, status } = follower.follower.state;
      expect(status).to.equal('stopped');
      expect(stop).to.deep.include({ seq: 4, cause: 'violation', what: 'payloadHash is not the hash of the payload' });
      expect(stop!.line).to.match(/^\{"seq":4,/);
      expect(stop!.checkpoint).to.deep.include({ home: home!.signer.did });
      expect(adopted).to.equal(3);
      expect((await follower.store.head()).seq).to.equal(3);
      await home!.listen();
      follower.follower.resume();
      await reaches(follower, (await home!.bench.store.head()).seq);
    });

    it('stays stopped after a restart', async () => {
      const first = await stopOf(swap(/"payload":"/, '"payload":" ', 4));
      await first.close();
      await home!.listen();
      const second = await started(home!, { replicas: first.replicas.survivor(), stop: first.stops[0]! });
      expect(second.follower.state.status).to.equal('stopped');
      await home!.bench.mint('ada', 1);
      second.follower.resume();
      await reaches(second, (await home!.bench.store.head()).seq);
    });

    for (const [name, change, what] of [
      ['has no checkpoint of its journal', 'another', 'the checkpoint after it is of another journal'],
      ['has a checkpoint that its key has not signed', 'forged', 'the checkpoint after it is not signed by the home'],
    ] as const)
      it(`adopts nothing that ${name}`, async () => {
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
        expect(follower.follower.state.adopted).to.equal(0);
      });

    for (const line of ['{', '[]', '{"seq":1}', '{"checkpoint":{}}', 'null', `${'['.repeat(100_000)}`])
      it(`stops at ${line.slice(0, 20)}`, async () => {
        const follower = await stopOf((lines) => [lines[0]!, line]);
        expect(follower.stops[0]).to.include({ seq: 1, cause: 'violation', line });
      });
  });
});
