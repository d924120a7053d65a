/** A home whose mirrors give its journal back (docs/reference/mirrors.md). */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { sha256Hex } from '../../../src/core/canonical.js';
import type { Did } from '../../../src/core/codecs/did.js';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import { unlessMissing } from '../../../src/core/durable-file.js';
import { createLog } from '../../../src/core/log.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { publishes } from '../../node/support/market.js';
import type { Person } from '../../node/support/person.js';
import { onMongo } from '../../node/support/shared-store.js';
import { isLong } from '../../support/long.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home, type HomeOptions } from './network.js';

/** Text that only its readers may see; no file of a mirror has it. */
const canary = (what: string) => `canary-${what}-QXJ7`;

/** What one might read in a piece: the bytes, and what they are if only compressed, behind the salt. */
function readingsOf(bytes: Buffer): string {
  try {
    return `${bytes.toString('latin1')}${inflateRawSync(bytes.subarray(24, -16)).toString('latin1')}`;
  } catch {
    return bytes.toString('latin1');
  }
}

/** A node that listens where it did before. */
const peerAt = (address: string): HomeOptions => ({
  variables: { SVC_LISTEN: address.replace(/\/p2p.*/, ''), SVC_PEERS_ALONE: '60' },
});

describe('A home with mirrors', () => {
  const homes: Home[] = [];
  const dirs: string[] = [];
  const logged: string[] = [];
  let options: HomeOptions;
  let home: Home;
  let mirrors: Home[];
  let ada: Person;
  let ben: Person;
  let backup: string;
  let erasedTexts: string[];
  /** A listing of before the backup. */
  let old: Body;

  const started = async (asked: HomeOptions = {}): Promise<Home> => {
    const made = await Home.start(asked);
    homes.push(made);
    return made;
  };
  const copyOf = async (dir: string): Promise<string> => {
    const copy = await mkdtemp(join(tmpdir(), 'svc-backup-'));
    dirs.push(copy);
    await cp(dir, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    return copy;
  };
  /** Waits until the mirrors have the journal as it is now, and their operators see it. */
  const mirrored = async () => {
    const { seq } = await home.node.store.head();
    for (const mirror of mirrors) {
      await until(`${mirror.did} has entry ${seq}`, () => home.peer(mirror), { is: (peer) => peer.mirrored === seq });
      await mirror.sees(home);
    }
  };
  const restart = async (): Promise<void> => {
    const log = createLog({ level: 'warn', destination: { write: (line) => void logged.push(line) } });
    home = await started({ ...options, dir: home.node.dir, parts: { log } });
    [ada, ben] = [ada.through(home.node.client), ben.through(home.node.client)];
  };
  /**
   * Stops the home, puts the backup in its place, and starts it.
   * @param meanwhile what happens to the mirrors while the home is stopped: a running one sends again what they lose
   */
  const setBack = async (meanwhile = async (): Promise<void> => {}): Promise<void> => {
    await home.stop();
    await meanwhile();
    await rm(home.node.dir, { recursive: true });
    await cp(backup, home.node.dir, { recursive: true });
    await restart();
  };
  /** The folders of the home at a mirror. */
  const folderAt = (mirror: Home, which: 'journal' | 'contents') =>
    join(mirror.node.dir, 'mirrors', peerIdOf(home.did as Did), which);
  const filesAt = async (mirror: Home): Promise<readonly string[]> => {
    const found = await Promise.all(
      (['journal', 'contents'] as const).map(async (which) =>
        (await readdir(folderAt(mirror, which))).map((name) => join(folderAt(mirror, which), name)),
      ),
    );
    return found.flat();
  };

  /** All that must be as before: entries with payloads, contents, balances, counts. */
  const whole = async (): Promise<Body> => {
    const { store } = home.node;
    const entries = await store.entries({ after: 0, limit: 10_000 });
    const contents = await Promise.all(
      (await store.contentsOf(entries)).map(async ({ hash }) => {
        const bytes = await store.content(hash);
        return [hash, bytes && sha256Hex(bytes)];
      }),
    );
    return { ...(await home.node.state()), entries, contents: Object.fromEntries(contents) };
  };

  const erases = async ({ listingId }: Body, place: string): Promise<void> => {
    const admin = await home.node.keyed({ scope: 'admin' });
    const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?resource=info-listing/${listingId}`));
    const { leaf } = leaves.find(({ pointer }: Body) => pointer === place);
    expectStatus(await admin.post(`/api/v1/admin/leaves/${leaf}/actions/redact`, { reason: 'asked for' }));
    erasedTexts.push(leaf);
  };

  /** A confidential contract, information with content, and a text that is erased. */
  const trades = async (round: string): Promise<void> => {
    const title = canary(`erased-${round}`);
    // Once as large as may be.
    const data = canary(`content-${round}`).repeat(round === '0' ? 25_000 : 1);
    const listing = await publishes(ada, { content: { format: 'text/csv', data } });
    const gone = await publishes(ada, { title });
    expectStatus(
      await ada.write('/api/v1/contracts', {
        ...{ provider: ben.did, terms: { title: canary(`terms-${round}`) }, payment: { totalAmount: 5 } },
        milestones: [{ id: 'one', amount: 5 }],
      }),
      [200, 201],
    );
    await ada.pays(ben.did, 1);
    await erases(gone, '/title');
    // A text that the backup has.
    if (round === '0') await erases(old, '/description');
    expectStatus(await home.node.client.get(`/api/v1/markets/info/${listing.listingId}/content`));
  };

  beforeEach(async function () {
    if (onMongo) this.skip();
    logged.length = 0;
    erasedTexts = [];
    home = await started();
    mirrors = [await started(), await started()];
    await acquaint([home, ...mirrors]);
    options = peerAt(await mirrors[0]!.addressOf(home));
    for (const mirror of mirrors) {
      await mirror.operator('peers.keep', { did: home.did, remove: false });
      await home.operator('peers.mirror', { did: mirror.did, remove: false });
    }
    [ada, ben] = [await home.node.rich(), await home.node.rich()];
    old = await publishes(ada, { description: canary('old') });
    await trades('before');
    await home.stop();
    backup = await copyOf(home.node.dir);
    await restart();
  });
  afterEach(async () => {
    await discard(homes.splice(0));
    for (const dir of dirs.splice(0)) await rm(dir, { recursive: true, force: true });
  });

  it('that is set back to a backup has its whole journal again, each time, and no mirror can read it', async () => {
    const addresses = await Promise.all(mirrors.map((mirror) => home.addressOf(mirror)));
    for (let round = 0; round < (isLong ? 100 : 3); round++) {
      await trades(String(round));
      await mirrored();
      const before = await whole();
      await setBack();
      const after = await whole();
      expect(after).to.deep.equal(before);
      for (const hash of erasedTexts) expect(await home.node.store.content(hash)).to.equal(undefined);
    }
    expect((await home.node.audit()).flaw).to.equal(undefined);
    expect(logged.join('')).to.include('the journal is whole again').and.not.include('does not return');
    // A lost disk is like an old backup, with the keys and the addresses of the peers.
    const before = await whole();
    await home.stop();
    for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm', 'peers']) {
      await rm(join(home.node.dir, name), { recursive: true, force: true });
    }
    const given = options;
    options = { variables: { ...given.variables, SVC_PEERS: addresses.join() } };
    await restart();
    expect(await whole()).to.deep.equal(before);
    for (const mirror of mirrors) await home.operator('peers.mirror', { did: mirror.did, remove: false });
    // It continues, and the peers see one journal.
    await ada.pays(ben.did, 1);
    await mirrored();
    await mirrors[0]!.isCurrentWith(home);
    const { seq } = await home.node.store.head();
    const metric = `svc_peer_mirrored_entries{peer="${mirrors[0]!.did}"} ${seq}`;
    expect((await home.node.client.get('/metrics')).text).to.include(metric);
    const held = Object.values((await whole()).contents).filter((bytes) => bytes !== undefined);
    for (const mirror of mirrors) {
      const contents = held.length + erasedTexts.length;
      expect(await readdir(folderAt(mirror, 'contents')), 'with the erasures').to.have.length(contents);
      const files = await filesAt(mirror);
      expect(files).to.have.length.above(10);
      const texts = await Promise.all(files.map(async (file) => `${file}\n${readingsOf(await readFile(file))}`));
      for (const text of ['canary-', 'QXJ7', ada.did, 'payload', 'info-listing']) {
        expect(
          texts.some((each) => each.includes(text)),
          text,
        ).to.equal(false);
      }
    }
  });

  it('of which one lies and one has lost pieces is told which, and has its journal from both', async () => {
    const [liar, loser] = mirrors as [Home, Home];
    const contents = (mirror: Home) => readdir(folderAt(mirror, 'contents'));
    await mirrored();
    const early = await contents(liar);
    await trades('later');
    await mirrored();
    const before = await whole();
    const fresh = (await contents(liar)).filter((name) => !early.includes(name));
    expect(fresh).to.have.length.above(2);
    const [changed, kept]: string[][] = [[], []];
    for (const [index, name] of fresh.entries()) [changed, kept][index % 2]!.push(name);
    await setBack(async () => {
      for (const name of changed!) {
        const file = join(folderAt(liar, 'contents'), name);
        const bytes = await readFile(file);
        bytes[30]! ^= 1;
        await writeFile(file, bytes);
      }
      for (const name of kept!) await rm(join(folderAt(loser, 'contents'), name));
      const [first] = await readdir(folderAt(loser, 'journal'));
      await rm(join(folderAt(loser, 'journal'), first!));
    });
    expect(await whole()).to.deep.equal(before);
    expect((await home.node.audit()).flaw).to.equal(undefined);
    for (const line of logged.filter((each) => each.includes('does not return a piece'))) {
      expect(line).to.include(line.includes('other bytes') ? liar.did : loser.did);
    }
    // What the loser has lost of the journal is sent to it again.
    await mirrored();
    await loser.stop();
    await rm(folderAt(loser, 'journal'), { recursive: true });
    mirrors = [await started({ dir: loser.node.dir, ...peerAt(await home.addressOf(loser)) })];
    // The home's last word of it is from before, so this waits for the pieces themselves.
    const pieces = () => unlessMissing(readdir(folderAt(loser, 'journal')));
    await until('the loser has pieces again', pieces, { is: (names) => names !== undefined && names.length > 0 });
    await mirrored();
  });

  it('that have all lost a content do not let it start, and say which', async () => {
    await trades('later');
    await mirrored();
    const losing = async () => {
      for (const mirror of mirrors) {
        const folder = folderAt(mirror, 'contents');
        for (const name of await readdir(folder)) await rm(join(folder, name));
      }
    };
    await setBack(losing).then(
      () => expect.fail('it starts'),
      (error: Error) =>
        expect(error.message).to.match(/restore a newer backup .*no mirror in reach has the text or content/),
    );
  });

  it('that keep it no more have nothing of it, and a restore then says so', async () => {
    await trades('later');
    await mirrored();
    for (const mirror of mirrors) {
      await mirror.operator('peers.keep', { did: home.did, remove: true });
      expect(await readdir(join(mirror.node.dir, 'mirrors'))).to.deep.equal([]);
    }
    await setBack().then(
      () => expect.fail('it starts'),
      (error: Error) => expect(error.message).to.match(/no mirror in reach has entry \d+ whole/),
    );
  });

  it('continues a restore only with them', async () => {
    await trades('later');
    await mirrored();
    await setBack(async () => {
      for (const mirror of mirrors) await rm(folderAt(mirror, 'contents'), { recursive: true });
    }).catch(() => {});
    const alone = { dir: home.node.dir, variables: { SVC_LISTEN: '', SVC_PEERS: '' } };
    await started(alone).then(
      () => expect.fail('it starts'),
      (error: Error) => expect(error.message).to.include('has not ended'),
    );
  });

  it('that continues alone from a backup is noticed by all, and writes nothing more', async () => {
    await ada.pays(ben.did, 1);
    await mirrored();
    const lost = await home.node.store.head();
    for (const mirror of mirrors) await mirror.stop();
    await home.stop();
    await rm(home.node.dir, { recursive: true });
    await cp(backup, home.node.dir, { recursive: true });
    options = { variables: { ...options.variables, SVC_PEERS_ALONE: '1' } };
    await restart();
    for (const person of [ada, ben]) person.nonce = (await person.wallet()).nextNonce;
    while ((await home.node.store.head()).seq <= lost.seq) await ada.pays(ben.did, 1);
    const again: Home[] = [];
    for (const mirror of mirrors) {
      again.push(await started({ dir: mirror.node.dir, ...peerAt(await home.addressOf(mirror)) }));
    }
    for (const mirror of again) {
      await until('the mirror knows of two journals', () => mirror.peer(home), {
        is: ({ status }) => status === 'forked',
      });
      expect(await readdir(folderAt(mirror, 'journal')), 'the lost one is there').to.satisfy((names: string[]) =>
        names.some((name) => name.endsWith(lost.chainHash)),
      );
    }
    expectStatus(await ada.write('/api/v1/transfers', { to: ben.did, amount: 1 }), 503);
    expect((await home.node.client.get('/readyz')).body.reasons.join()).to.match(/another journal|a longer journal/);
  });

  it('answers a write once enough of them have it, and starts once as many have answered', async () => {
    await home.stop();
    options = { variables: { ...options.variables, SVC_PEER_COPIES: '2', SVC_PEERS_ALONE: '2' } };
    await restart();
    await until('both are in reach', () => home.node.client.get('/readyz'), {
      is: ({ body }) => body.status === 'ready',
    });
    await ada.pays(ben.did, 1);
    const { seq } = await home.node.store.head();
    for (const mirror of mirrors) expect((await home.peer(mirror)).mirrored).to.be.at.least(seq);
    const [stays, goes] = mirrors as [Home, Home];
    await goes.stop();
    const body = { to: ben.did, amount: 1 };
    const late = expectStatus(await ada.write('/api/v1/transfers', body), 503);
    expect(late).to.include({ committed: true }).and.have.property('eventHash');
    const end = await home.node.store.head();
    expect(end.seq).to.be.above(seq);
    // Now that it is known to be away, nothing is committed.
    expect(expectStatus(await ada.write('/api/v1/transfers', body), 503)).not.to.have.property('committed');
    expect(await home.node.store.head()).to.deep.equal(end);
    expect((await home.node.client.get('/readyz')).body.reasons.join()).to.include(goes.did);
    // One of two may be away, because each write was at both.
    await home.stop();
    await restart();
    await home.stop();
    await stays.stop();
    await restart().then(
      () => expect.fail('it starts'),
      (error: Error) => expect(error.message).to.include('0 mirrors have answered, and 1 must'),
    );
  });
});
