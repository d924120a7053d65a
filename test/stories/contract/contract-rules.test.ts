/**
 * The rules of contracts to the millisecond, without the preparation that a route does
 * (docs/reference/contracts-and-disputes.md, docs/reference/reputation.md). Ada is the client, Ben the provider, Cyd the
 * arbiter.
 */
import { expect } from 'chai';
import type { Accepted } from '../../../src/actors/command.js';
import { dayMs } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal } from '../../../src/core/refusal.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import { permittedActions } from '../../../src/machines/kernel/permitted.js';
import type { Resource } from '../../../src/machines/kernel/resource.js';
import { dealRecordIdOf } from '../../../src/machines/reputation/record.js';
import { accepted, Bench, codeOf } from '../../world/bench.js';
import { delivered, envelopeOf } from '../../world/envelope.js';
import { ada, ben, cyd } from '../../world/people.js';

const hourMs = 3_600_000;
const id = 'ctr-1';
const wrongNow = 'CONTRACT_INVALID_STATE';

interface Agreed {
  readonly stageIn?: number | null;
  readonly endIn?: number | null;
  readonly stages?: 0 | 1;
  readonly reviewDays?: number;
}

class ContractStory {
  private constructor(readonly bench: Bench) {}

  /** Given an active contract of 101 Tokens, with one milestone or none; deadlines are that many ms ahead. */
  static async active({ stageIn = null, endIn = null, stages = 1, reviewDays }: Agreed = {}): Promise<ContractStory> {
    const story = new ContractStory(await Bench.open({}, { ada: 1_000 }));
    const at = (ms: number) => story.bench.world.now() + ms;
    await story.does('ada', 'create', {
      provider: ben,
      terms: { arbiter: cyd, ...(endIn === null ? {} : { deadline: at(endIn) }), ...(reviewDays && { reviewDays }) },
      payment: { totalAmount: 101 },
      milestones: [{ id: 'one', amount: 30, ...(stageIn === null ? {} : { deadline: at(stageIn) }) }].slice(0, stages),
    });
    for (const who of ['ada', 'ben']) await story.does(who, 'sign');
    await story.does('ada', 'activate', { amount: 101 });
    return story;
  }

  static async disputed(): Promise<ContractStory> {
    const story = await ContractStory.active();
    await story.does('ben', 'dispute', { reason: 'other' });
    return story;
  }

  ask(who: string, action: string, body: JsonObject = {}) {
    const ids = { activate: { escrow: 'esc-1' }, dispute: { dispute: 'dsp-1' } }[action];
    return this.bench.ask(who, 'contract', id, action, body, ids ? { ids } : {});
  }

  async does(who: string, action: string, body: JsonObject = {}): Promise<Accepted> {
    return accepted(await this.ask(who, action, body));
  }

  async refuses(code: string, who: string, action: string, body: JsonObject = {}): Promise<void> {
    const before = this.bench.dump();
    expect(codeOf(await this.ask(who, action, body)), `${who}: ${action}`).to.equal(code);
    expect(this.bench.dump(), 'a refusal changes nothing').to.equal(before);
  }

  async stage(...actions: ('submit' | 'approve' | 'reject')[]): Promise<void> {
    for (const each of actions) await this.does(each === 'submit' ? 'ben' : 'ada', each, { milestoneId: 'one' });
  }

  waits(ms: number): Promise<void> {
    return this.bench.world.advance(ms);
  }

  clock = async (action = 'overdue'): Promise<string> => codeOf(await this.bench.operate('contract', id, action));

  /** Whether the view says that the client may terminate. Checks that a request gives the same result. */
  async clientMayTerminate(): Promise<boolean> {
    const contract = this.bench.store.tables.snapshot('contract', id) as unknown as Resource;
    const { client } = permittedActions(this.bench.catalogue.definitions.contract as AnyResource, contract, {
      time: this.bench.world.now(),
    });
    const isShown = client?.some(({ action }) => action === 'terminate') ?? false;
    if (isShown) await this.does('ada', 'terminate');
    else await this.refuses(wrongNow, 'ada', 'terminate');
    return isShown;
  }

  /** The provider's fulfillment score, if the contract's end recorded one. */
  fulfillment(): number | undefined {
    const record = this.bench.store.tables.snapshot('reputation', dealRecordIdOf(id, 'fulfillment', ben));
    return record?.context.score as number | undefined;
  }

  /** Then client and provider have these Tokens, nothing is locked, and the journal is sound. */
  async has(client: number, provider: number): Promise<void> {
    expect(await this.bench.balances('ada')).to.deep.equal([client, 0, 0]);
    expect(await this.bench.balances('ben')).to.deep.equal([provider, 0, 0]);
    expect((await this.bench.audit()).flaw?.what).to.equal(undefined);
  }
}

describe('contract: a submission in time', () => {
  const weekMs = 7 * dayMs;

  it('is approved and paid by the clock 7 days later, and not before; complete then pays the rest', async () => {
    const story = await ContractStory.active({ endIn: hourMs });
    await story.stage('submit');
    await story.waits(weekMs - 1);
    expect(await story.clock('settle')).to.equal(wrongNow);
    await story.waits(1);
    expect(await story.clock('settle')).to.equal('accepted');
    expect(await story.bench.balances('ben')).to.deep.equal([30, 0, 0]);
    expect(await story.clock('settle')).to.equal(wrongNow);
    await story.does('ada', 'complete');
    await story.has(899, 101);
  });

  it('stays paid when the client terminates past the deadline: only the rest goes back', async () => {
    const story = await ContractStory.active({ endIn: hourMs });
    await story.stage('submit');
    await story.waits(weekMs);
    await story.clock('settle');
    expect(await story.clientMayTerminate()).to.equal(true);
    await story.has(970, 30);
  });

  it('keeps the client from terminating past the deadline, also before the clock has come, and is named', async () => {
    const story = await ContractStory.active({ endIn: hourMs });
    await story.stage('submit');
    for (const ms of [2 * hourMs, 2 * weekMs]) {
      await story.waits(ms);
      expect(await story.clientMayTerminate()).to.equal(false);
    }
    const refusal = await story.ask('ada', 'terminate');
    expect(isRefusal(refusal) && refusal.detail).to.match(/one is paid unless it is rejected by \d{4}-/);
  });

  it('does not lose its protection to a rejection: the provider has 7 days to submit again', async () => {
    const story = await ContractStory.active({ endIn: hourMs });
    await story.stage('submit');
    await story.waits(2 * hourMs);
    await story.stage('reject');
    expect(await story.clientMayTerminate()).to.equal(false);
    await story.waits(weekMs - 1);
    expect(await story.clientMayTerminate()).to.equal(false);
    await story.stage('submit');
    expect(await story.clientMayTerminate()).to.equal(false);
    await story.waits(weekMs);
    expect(await story.clock('settle')).to.equal('accepted');
  });

  it('loses it 7 days after the rejection', async () => {
    const story = await ContractStory.active({ endIn: hourMs });
    await story.stage('submit', 'reject');
    await story.waits(weekMs);
    expect(await story.clientMayTerminate()).to.equal(true);
    await story.has(1_000, 0);
  });

  it('has one such window past the deadline: a rejection of what came in it gives no other', async () => {
    for (const rejectedAfterMs of [0, 2 * hourMs]) {
      const story = await ContractStory.active({ endIn: hourMs });
      await story.stage('submit');
      await story.waits(rejectedAfterMs);
      await story.stage('reject');
      await story.waits(2 * hourMs);
      await story.stage('submit');
      expect(await story.clientMayTerminate()).to.equal(false);
      await story.stage('reject');
      expect(await story.clientMayTerminate()).to.equal(true);
      await story.has(1_000, 0);
    }
  });

  it('has a new window at each rejection up to the deadline', async () => {
    const story = await ContractStory.active({ endIn: 20 * dayMs });
    for (let i = 0; i < 2; i++) {
      await story.stage('submit', 'reject');
      await story.waits(6 * dayMs);
    }
    await story.stage('submit');
    await story.waits(8 * dayMs + 1);
    await story.stage('reject');
    expect(await story.clientMayTerminate()).to.equal(false);
  });

  for (const deadline of ['stageIn', 'endIn'] as const) {
    it(`is not one that was late, however often it is rejected and submitted again (${deadline})`, async () => {
      for (const last of ['submit', 'reject'] as const) {
        const story = await ContractStory.active({ [deadline]: hourMs });
        await story.waits(hourMs + 1);
        await story.stage('submit', 'reject', 'submit', 'reject', 'submit');
        if (last === 'reject') await story.stage('reject');
        await story.waits(weekMs);
        expect(await story.clock('settle')).to.equal(wrongNow);
        expect(await story.clientMayTerminate(), `after ${last}`).to.equal(true);
        await story.has(1_000, 0);
      }
    });
  }

  it('is one up to the deadline: a later one is not paid by itself, and the client may terminate', async () => {
    for (const [late, may] of [
      [0, false],
      [1, true],
    ] as const) {
      const story = await ContractStory.active({ endIn: hourMs, stageIn: dayMs });
      await story.waits(hourMs + late);
      await story.stage('submit');
      await story.waits(weekMs);
      expect(await story.clock('settle')).to.equal(may ? wrongNow : 'accepted');
      if (may) expect(await story.clientMayTerminate()).to.equal(true);
    }
  });

  it('waits as many days as the terms say', async () => {
    const story = await ContractStory.active({ endIn: hourMs, reviewDays: 30 });
    await story.stage('submit');
    await story.waits(30 * dayMs - 1);
    expect(await story.clock('settle')).to.equal(wrongNow);
    await story.waits(1);
    expect(await story.clock('settle')).to.equal('accepted');
  });

  for (const answered of [[], ['reject']] as const) {
    it(`has its whole time again when a dispute resumes${answered.length > 0 ? ', rejected' : ''}`, async () => {
      const story = await ContractStory.active({ endIn: hourMs });
      await story.stage('submit', ...answered);
      await story.waits(6 * dayMs);
      await story.does('ben', 'dispute', { reason: 'other' });
      await story.waits(10 * dayMs);
      expect(await story.clock('settle')).to.equal(wrongNow);
      await story.does('cyd', 'resolve', { resolution: 'resume' });
      await story.waits(weekMs - 1);
      expect(await story.clock('settle')).to.equal(wrongNow);
      expect(await story.clientMayTerminate()).to.equal(false);
      await story.waits(1);
      if (answered.length > 0) expect(await story.clientMayTerminate()).to.equal(true);
      else expect(await story.clock('settle')).to.equal('accepted');
    });
  }

  it('does not keep the client from terminating with the provider’s consent', async () => {
    const story = await ContractStory.active({ endIn: hourMs });
    await story.stage('submit');
    await story.does('ben', 'consent');
    expect(await story.clientMayTerminate()).to.equal(true);
    await story.has(1_000, 0);
  });
});

describe('contract: a milestone’s own deadline', () => {
  for (const [early, may] of [
    [1, false],
    [0, true],
  ] as const) {
    it(`${may ? 'permits' : 'does not permit'} the client to terminate ${early} ms before it has passed`, async () => {
      const story = await ContractStory.active({ stageIn: hourMs, endIn: dayMs });
      await story.waits(hourMs - early);
      expect(await story.clientMayTerminate()).to.equal(may);
    });
  }

  it('does not permit it if the milestone was submitted, approved, or rejected within 7 days', async () => {
    for (const [actions, may] of [
      [['submit'], false],
      [['submit', 'approve'], false],
      [['submit', 'reject'], false],
    ] as const) {
      const story = await ContractStory.active({ stageIn: hourMs, endIn: dayMs });
      await story.stage(...actions);
      await story.waits(hourMs);
      expect(await story.clientMayTerminate(), actions.join()).to.equal(may);
    }
  });

  it('is recorded by the clock once, also for a rejected milestone; not for one that waits for an answer', async () => {
    const story = await ContractStory.active({ stageIn: hourMs });
    await story.stage('submit');
    await story.waits(hourMs);
    expect(await story.clock()).to.equal(wrongNow);
    await story.stage('reject');
    expect(await story.clock()).to.equal('accepted');
    expect(await story.clock()).to.equal(wrongNow);
  });
});

describe('contract: what is submitted at the last moment', () => {
  const both = { stageIn: 2 * hourMs, endIn: hourMs };
  for (const [what, deadlines, score, afterMs] of [
    ['of the stage is in time', { stageIn: hourMs }, 1_000, hourMs],
    ['of the stage, and a millisecond, is late', { stageIn: hourMs }, 500, hourMs + 1],
    ['of the contract is in time', { endIn: hourMs }, 1_000, hourMs],
    ['of the contract, and a millisecond, is late', { endIn: hourMs }, 500, hourMs + 1],
    ['of a contract that ends before its stage is in time', both, 1_000, hourMs],
    ['of a contract that ends before its stage, and a millisecond, is late', both, 500, hourMs + 1],
  ] as const) {
    it(what, async () => {
      const story = await ContractStory.active(deadlines);
      await story.waits(afterMs);
      await story.stage('submit');
      // The client's review time does not count as the provider's delay.
      await story.waits(dayMs);
      await story.stage('approve');
      await story.does('ada', 'complete');
      expect(story.fulfillment()).to.equal(score);
      await story.has(899, 101);
    });
  }

  for (const [when, afterMs, score] of [
    ['within 7 days is in time', 7 * dayMs - 1, 1_000],
    ['after 7 days is late', 7 * dayMs, 500],
  ] as const) {
    it(`counts as of the accepted submission: what was rejected and submitted again ${when}`, async () => {
      const story = await ContractStory.active({ stageIn: hourMs });
      await story.stage('submit', 'reject');
      await story.waits(afterMs);
      await story.stage('submit', 'approve');
      await story.does('ada', 'complete');
      expect(story.fulfillment()).to.equal(score);
    });
  }

  for (const [late, score] of [
    [0, 1_000],
    [1, 500],
  ] as const) {
    it(`a contract without milestones that ends ${late} ms after its deadline is fulfillment of ${score}`, async () => {
      const story = await ContractStory.active({ stages: 0, endIn: hourMs });
      await story.waits(hourMs + late);
      await story.does('ada', 'complete');
      expect(story.fulfillment()).to.equal(score);
    });
  }
});

describe('contract: an envelope that no route has completed', () => {
  it('is accepted from its provider, signed, for this milestone, and no other', async () => {
    const story = await ContractStory.active();
    const submit = ({ envelope, envelopeDigest }: { envelope: JsonObject; envelopeDigest?: string }) =>
      ['ben', 'submit', { milestoneId: 'one', delivery: { envelope }, envelopeDigest }] as const;
    const sound = envelopeOf('ben', `${id}/one`);
    for (const delivery of [
      { envelope: sound },
      delivered({ ...sound, signature: undefined }),
      delivered(envelopeOf('ada', `${id}/one`)),
      delivered(envelopeOf('ben', `${id}/one`, { by: 'ada' })),
      delivered(envelopeOf('ben', `${id}/two`)),
    ]) {
      await story.refuses('CONTRACT_MILESTONE_INVALID', ...submit(delivery));
    }
    await story.does(...submit(delivered(sound)));
  });
});

describe('contract: the end of its dispute', () => {
  const half = { resolution: 'split', providerPayment: 50, clientRefund: 51 };

  it('is the fallback for either party alone from 60 days on, by its name or spelt out, not a millisecond before', async () => {
    for (const asked of [half, { resolution: 'fallback' }]) {
      const story = await ContractStory.disputed();
      await story.waits(60 * dayMs - 1);
      if (asked === half) await story.does('ada', 'resolve', half);
      else await story.refuses('CONFLICT', 'ada', 'resolve', asked);
      expect(story.bench.store.tables.snapshot('contract', id)?.state).to.equal('disputed');
      await story.waits(1);
      await story.does('ada', 'resolve', asked);
      await story.has(950, 50);
      expect(story.fulfillment(), 'no party’s loss').to.equal(1_000);
    }
  });

  it('keeps the arbiter and the ruling', async () => {
    const story = await ContractStory.disputed();
    await story.does('cyd', 'resolve', { resolution: 'release', note: 'as agreed' });
    const { note, ruledBy } = story.bench.told(story.bench.store.tables.snapshot('dispute', 'dsp-1')!.context);
    expect([note, ruledBy]).to.deep.equal(['as agreed', cyd]);
  });

  it('makes no record if both ask for the money back; if the arbiter gives it, it does', async () => {
    const agreed = await ContractStory.disputed();
    for (const who of ['ada', 'ben']) await agreed.does(who, 'resolve', { resolution: 'refund' });
    expect(agreed.fulfillment()).to.equal(undefined);
    await agreed.has(1_000, 0);
    const ruled = await ContractStory.disputed();
    await ruled.does('cyd', 'resolve', { resolution: 'refund' });
    expect(ruled.fulfillment()).to.equal(200);
    await ruled.has(1_000, 0);
  });

  it('makes none if it continues: no record, no Token moved, and its proposals do not count in the next dispute', async () => {
    const story = await ContractStory.disputed();
    await story.does('ben', 'resolve', { resolution: 'release' });
    await story.does('cyd', 'resolve', { resolution: 'resume' });
    expect(story.fulfillment()).to.equal(undefined);
    expect(await story.bench.balances('ada')).to.deep.equal([899, 0, 101]);
    accepted(
      await story.bench.ask('ada', 'contract', id, 'dispute', { reason: 'other' }, { ids: { dispute: 'dsp-2' } }),
    );
    await story.does('ada', 'resolve', { resolution: 'release' });
    expect(story.bench.store.tables.snapshot('contract', id)?.state).to.equal('disputed');
    await story.does('ben', 'resolve', { resolution: 'release' });
    expect(story.fulfillment()).to.equal(1_000);
    const lost = story.bench.store.tables.snapshot('reputation', dealRecordIdOf(id, 'fulfillment', ada));
    expect(lost, 'what both ask for is no party’s loss').to.equal(undefined);
    await story.has(899, 101);
  });
});
