import { expect } from 'chai';
import sinon from 'sinon';
import { realEnvironment } from '../../../src/core/environment.js';
import { openWriting, prepareDirectory } from '../../../src/store/sqlite/durable.js';
import type { Fault } from '../../../src/store/sqlite/job.js';
import { migrateSchema } from '../../../src/store/sqlite/schema.js';
import { WriteQueue } from '../../../src/store/sqlite/write-queue.js';
import { Writer } from '../../../src/store/sqlite/writer.js';
import { StoreFault } from '../../../src/store/store.js';
import { EntryBuilder } from '../entries.js';
import { rejection } from '../fixture.js';
import { Directory, seqsOf, writers } from './support.js';

const ada = 'did:svc:ada';

const faults: Record<Fault, RegExp> = {
  write: /disk is full/,
  commit: /COMMIT failed/,
  die: /gone|died/,
};

describe('a SQLite store whose writing fails', () => {
  const directory = new Directory();

  it('has a writer that fails from then on, whatever the cause was and whether it would pass', () => {
    prepareDirectory(directory.path);
    const connection = openWriting(directory.path);
    migrateSchema(connection);
    const writer = new Writer(connection);
    const put = { do: 'put', name: 'table', id: 'id', value: '{}', revision: 0 } as const;
    writer.break('commit');
    expect(() => writer.write([put])).to.throw(StoreFault, /COMMIT failed/);
    expect(() => writer.write([put])).to.throw(StoreFault, /COMMIT failed/);
    writer.close();
  });

  it('sends nothing more to a writer that failed once', async () => {
    const write = sinon.stub().resolves({ outcomes: [true], commits: 1 });
    write.onFirstCall().rejects(new StoreFault('full'));
    const queue = new WriteQueue({ write, gathering: { enough: 2, patienceMs: 0 } }, realEnvironment);
    const job = { do: 'delete', name: 'table', id: 'id' } as const;
    const asked = [queue.push(job), queue.push(job), queue.push(job)];
    for (const each of asked.slice(0, 2)) expect(await rejection(each)).to.be.instanceOf(StoreFault);
    expect(await rejection(queue.push(job))).to.be.instanceOf(StoreFault);
    expect(await rejection(asked[2]!)).to.be.instanceOf(StoreFault);
    sinon.assert.calledOnce(write);
  });

  for (const writer of writers) {
    for (const [fault, message] of Object.entries(faults) as [Fault, RegExp][]) {
      it(`rejects everything from then on and still reads: ${fault}, writer ${writer}`, async () => {
        const store = await directory.open(writer);
        const builder = new EntryBuilder();
        // Uses up the file's free pages, so that the next entries need new ones.
        await store.append(Array.from({ length: 20 }, () => builder.mint(ada, 1)));
        await store.break(fault);
        const asked = Array.from({ length: 20 }, () => store.append([builder.mint(ada, 1)]));
        for (const each of asked) {
          const error = await rejection(each);
          expect(error).to.be.instanceOf(StoreFault);
          expect(error.message).to.match(message);
        }
        for (const late of [
          store.append([builder.mint(ada, 1)]),
          store.appendReceipts([]),
          store.putLocal('table', 'id', {}, 0),
          store.deleteLocal('table', 'id'),
        ]) {
          expect(await rejection(late)).to.be.instanceOf(StoreFault);
        }
        expect(await store.lost).to.be.instanceOf(StoreFault);
        expect(await store.account(ada)).to.include({ available: 20 });
        expect(await store.head()).to.include({ seq: 20 });
        expect((await store.entries({ after: 0, limit: 100 })).length).to.equal(20);
      });

      it(`continues after a restart from what was acknowledged: ${fault}, writer ${writer}`, async () => {
        const builder = new EntryBuilder();
        const broken = await directory.open(writer);
        await broken.append([builder.mint(ada, 1)]);
        await broken.break(fault);
        const lost = builder.fork();
        await rejection(broken.append(Array.from({ length: 20 }, () => lost.mint(ada, 1))));
        await broken.close();
        const store = await directory.open(writer);
        expect(seqsOf(await store.append([builder.mint(ada, 1)]))).to.deep.equal([2]);
        expect(await store.totals()).to.include({ supply: 2, available: 2 });
      });
    }
  }
});
