/** Homes whose clocks disagree: each judges its own, and no one stops another. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { JumpingClock } from '../../support/jumping-clock.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from './network.js';

const minuteMs = 60_000;
const yearMs = 400 * 86_400_000;

describe('Homes whose clocks disagree', () => {
  const homes: Home[] = [];
  let alba: Home;
  let brig: Home;

  const readiness = async (home: Home): Promise<Body> => (await home.node.client.get('/readyz')).body;
  const reasons = async (home: Home): Promise<string> => (await readiness(home)).reasons.join('; ');
  const writes = async (home: Home) =>
    (await home.node.client.post('/api/v1/identities', { passphrase: 'correct horse battery' })).status === 201;
  const worldOf = ({ node }: Home) => node.world as JumpingClock;

  /** Starts the home again with this error of its clock, on a machine that has booted since. */
  async function startedAgain(home: Home, jumpMs: number): Promise<Home> {
    await home.stop();
    rmSync(join(home.node.dir, 'clock.json'), { force: true });
    const again = await Home.start({ dir: home.node.dir, world: new JumpingClock(jumpMs) });
    homes[homes.indexOf(home)] = again;
    return again;
  }

  before(async () => {
    [alba, brig] = [await Home.start({ world: new JumpingClock() }), await Home.start({ world: new JumpingClock() })];
    homes.push(alba, brig);
    await acquaint(homes);
    await alba.sees(brig);
    await brig.sees(alba);
  });
  after(() => discard(homes));

  it('show how far they are apart, and the one that is right writes on', async () => {
    worldOf(brig).jumpMs = 11 * minuteMs;
    const seen = await until('its status says why', () => alba.peer(brig), {
      is: ({ status }) => status === 'clock-ahead',
    });
    expect(seen.clockAheadMs).to.be.within(10.9 * minuteMs, 11.1 * minuteMs);
    expect(await reasons(alba)).to.equal(`the clock of ${brig.did} is 11 minutes ahead of this one`);
    expect([await writes(alba), await writes(brig)]).to.deep.equal([true, false]);
    expect(await reasons(brig)).to.match(/this machine’s clock has jumped 11 minutes ahead/);
    const behind = await until('the other side, too', () => brig.peer(alba), {
      is: ({ clockAheadMs }) => (clockAheadMs ?? 0) < -10 * minuteMs,
    });
    expect(behind.status).to.equal('current');
    worldOf(brig).jumpMs = 0;
    await until('they agree', () => alba.peer(brig), { is: ({ status }) => status === 'current' });
    await until('no reason is left', () => readiness(alba), { is: ({ status }) => status === 'ready' });
    expect(await writes(brig)).to.equal(true);
  });

  it('are two: neither is held at its start, because one clock proves nothing against another', async () => {
    brig = await startedAgain(brig, yearMs);
    expectStatus(await brig.node.client.get('/readyz'), 200);
    expect(await writes(brig)).to.equal(true);
    brig = await startedAgain(brig, 0);
  });

  it('are three: the wrong one is held at its start, and writes when its clock is set right', async () => {
    const cove = await Home.start({ world: new JumpingClock() });
    homes.push(cove);
    await acquaint(homes);
    await Promise.all([brig.sees(cove), brig.sees(alba), alba.sees(cove)]);
    const wrong = await startedAgain(brig, -yearMs);
    expect(await reasons(wrong)).to.match(/400 days behind most of the clocks of its peers and processes/);
    expect(await writes(wrong)).to.equal(false);
    expect(await writes(alba)).to.equal(true);
    worldOf(wrong).jumpMs = 0;
    expect(await writes(wrong)).to.equal(true);
    expect(await writes(cove)).to.equal(true);
  });
});
