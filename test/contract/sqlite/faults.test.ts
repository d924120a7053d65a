import { expect } from 'chai';
import type { Fault } from '../../../src/store/sqlite/job.js';
import { StoreFault } from '../../../src/store/store.js';
import { Scribe } from '../entries.js';
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

  for (const writer of writers) {
    for (const [fault, message] of Object.entries(faults) as [Fault, RegExp][]) {
      it(`rejects everything from then on and goes on reading: ${fault}, writer ${writer}`, async () => {
        const store = await directory.open(writer);
        const scribe = new Scribe();
        // The writer's free pages are used up, so that the next entries need new ones.
        await store.append(Array.from({ length: 20 }, () => scribe.mint(ada, 1)));
        await store.break(fault);
        const asked = Array.from({ length: 20 }, () => store.append([scribe.mint(ada, 1)]));
        for (const each of asked) {
          const error = await rejection(each);
          expect(error).to.be.instanceOf(StoreFault);
          expect(error.message).to.match(message);
        }
        for (const late of [
          store.append([scribe.mint(ada, 1)]),
          store.appendReceipts([]),
          store.putLocal('table', 'id', {}, 0),
          store.deleteLocal('table', 'id'),
        ]) {
          expect(await rejection(late)).to.be.instanceOf(StoreFault);
        }
        expect(await store.account(ada)).to.include({ available: 20 });
        expect(await store.head()).to.include({ seq: 20 });
        expect((await store.entries({ after: 0, limit: 100 })).length).to.equal(20);
      });

      it(`goes on after a restart from what was acknowledged: ${fault}, writer ${writer}`, async () => {
        const scribe = new Scribe();
        const broken = await directory.open(writer);
        await broken.append([scribe.mint(ada, 1)]);
        await broken.break(fault);
        const lost = scribe.fork();
        await rejection(broken.append(Array.from({ length: 20 }, () => lost.mint(ada, 1))));
        await broken.close();
        const store = await directory.open(writer);
        expect(seqsOf(await store.append([scribe.mint(ada, 1)]))).to.deep.equal([2]);
        expect(await store.totals()).to.include({ supply: 2, available: 2 });
      });
    }
  }
});
