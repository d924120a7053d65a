import { expect } from 'chai';
import { chainHashOf } from '../../src/store/entry.js';
import { Replay, replayOne } from '../../src/verify/replay.js';
import { network } from '../world/bench.js';
import { life } from '../world/history.js';
import { ada, didOf } from '../world/people.js';

describe('replay', () => {
  it('gives after every entry what the store held then', async () => {
    const bench = await life();
    const replay = new Replay(bench.catalogue, network);
    for (const entry of await bench.store.entries({ after: 0, limit: 1_000 })) {
      expect(replay.apply(entry)).to.equal(undefined);
      for (const { kind, id, version } of entry.core.versions) {
        expect(replay.resource(kind, id)).to.include({ version, lastHash: entry.core.event.hash });
      }
    }
    for (const resource of replay.resources()) {
      expect(await bench.store.load(resource.kind, resource.id)).to.deep.equal(resource);
    }
    const { supply, fees } = await bench.store.totals();
    expect(replay.totals).to.deep.equal({ supply, fees });
  });

  it('a violation applies nothing: the correct entry still fits', async () => {
    const bench = await life();
    const replay = new Replay(bench.catalogue, network);
    const entries = await bench.store.entries({ after: 0, limit: 1_000 });
    for (const entry of entries) {
      const before = replay.head;
      expect(replay.apply({ ...entry, chainHash: 'f'.repeat(64) })).to.be.a('string');
      const seq = entry.seq + 1;
      const chainHash = chainHashOf(seq, entry.prevEntry, entry.entryHash);
      expect(replay.apply({ ...entry, seq, chainHash })).to.equal(`its number is ${seq}, after ${entry.seq - 1}`);
      expect(replay.head).to.deep.equal(before);
      expect(replay.apply(entry)).to.equal(undefined);
    }
  });

  it('of one plain reducer’s own entries gives its snapshot', async () => {
    const bench = await life();
    const entries = await bench.store.entries({ after: 0, limit: 1_000, resource: `identity/${ada}` });
    expect(entries).to.have.length(1);
    const pages = async function* () {
      yield entries;
    };
    const again = await replayOne(
      {
        catalogue: bench.catalogue,
        network,
        home: didOf('node'),
        kind: 'identity',
        id: ada,
      },
      pages(),
    );
    expect(again).to.deep.equal(bench.store.tables.snapshot('identity', ada));
  });

  it('of one reducer reads page by page, so that a long history does not block others', async () => {
    const bench = await life();
    const [entry] = await bench.store.entries({ after: 0, limit: 1, resource: `identity/${ada}` });
    let read = 0;
    const pages = async function* () {
      for (; read < 10; ) {
        read++;
        yield [{ ...entry!, entryHash: 'f'.repeat(64) }];
      }
    };
    const replayed = replayOne(
      {
        catalogue: bench.catalogue,
        network,
        home: didOf('node'),
        kind: 'identity',
        id: ada,
      },
      pages(),
    );
    await replayed.then(
      () => expect.fail('it was to be refused'),
      (error: Error) => expect(error.message).to.match(/entryHash/),
    );
    expect(read).to.equal(1);
  });
});
