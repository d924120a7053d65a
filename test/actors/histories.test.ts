/**
 * The journals of every release replay under this program, to the same state
 * (docs/reference/events-and-entries.md#definition-versions).
 */
import { expect } from 'chai';
import { noSettlement } from '../../src/chain/settlement/settlement.js';
import { eventViews } from '../../src/http/context/event-view.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { Moderations } from '../../src/projections/moderations.js';
import { storedPayloadOf } from '../../src/store/payload.js';
import { hashOfPublished, type PublishedPayload } from '../../src/verify/published-payload.js';
import { Replay } from '../../src/verify/replay.js';
import { readRecording, recordings, replayed } from '../histories/recording.js';
import { ada, ben, cyd, dan } from '../world/people.js';

const people = [ada, ben, cyd, dan];

interface Happens {
  readonly event: string;
  readonly eventInPlace?: string;
  readonly who: readonly string[];
}

describe('histories of releases', () => {
  const all = recordings().map((file) => ({ file, ...readRecording(file) }));

  for (const { file, outcome, ...recording } of all) {
    it(`${file} replays to the state that it left`, () => {
      expect(recording.entries.length).to.equal(outcome.entries);
      expect(replayed(recording)).to.deep.equal(outcome);
    });

    it(`${file}: words of contracts, disputes, orders and claims are for their parties alone`, async () => {
      const replay = new Replay(catalogue, recording.network);
      for (const entry of recording.entries) replay.apply(entry);
      const resources = new Map([...replay.resources()].map((each) => [`${each.kind}/${each.id}`, each]));
      const committed = { resource: (kind: string, id: string) => resources.get(`${kind}/${id}`) };
      const moderations = new Moderations({ texts: async () => new Map() } as never);
      const shown = eventViews({ catalogue, committed, settlement: noSettlement, moderations } as never);
      const kinds = new Set<string>();
      for (const entry of recording.entries) {
        const { confidential } = storedPayloadOf(entry.payloadText);
        if (!confidential) continue;
        kinds.add(entry.payload.kind);
        const { payload, ...view } = await shown(entry);
        expect(view, `entry ${entry.seq}`).not.to.have.any.keys('confidential', 'salt');
        const { input } = (payload ?? { input: {} }) as { readonly input: object };
        for (const name of Object.keys(confidential)) expect(input).not.to.have.property(name);
        const { issuer } = entry.core.event;
        if (!people.includes(issuer)) continue;
        const own = (await shown(entry, issuer)) as unknown as PublishedPayload;
        expect(own.confidential, `entry ${entry.seq}`).to.have.members(Object.keys(confidential));
        expect(hashOfPublished(own)).to.deep.equal({ hash: entry.core.event.payloadHash });
      }
      expect([...kinds]).to.include.members(['contract', 'dispute', 'escrow', 'info-order', 'task-order']);
    });

    it(`${file}: a changed input is noticed`, () => {
      const entries = recording.entries.map((entry) => {
        const { payload } = entry;
        if (payload.action !== 'transfer') return entry;
        const changed = { ...payload, input: { ...payload.input, amount: 31 } };
        return { ...entry, payload: changed };
      });
      expect(replayed({ ...recording, entries })).to.match(/^entry \d+, transfer\.sent: its moves are not/);
    });
  }

  it('know every event that the catalogue can give', () => {
    const known = new Set(all.flatMap(({ entries }) => entries.map(({ core }) => core.event.type)));
    // Transitions that only a workflow causes are not the event of any entry.
    const isAsked = (who: readonly string[] = ['anyone']) => who.some((role) => role !== 'workflow');
    const possible = Object.values(catalogue.definitions).flatMap((definition) => [
      ...(definition.form === 'machine' && !definition.create.internal && isAsked(definition.create.who)
        ? [definition.create.event]
        : []),
      ...Object.values(definition.actions as { [action: string]: Happens })
        .filter(({ who }) => isAsked(who))
        .flatMap(({ event, eventInPlace = event }) => [event, eventInPlace]),
    ]);
    expect(
      possible.filter((event) => !known.has(event)),
      'record them: npm run record-history',
    ).to.deep.equal([]);
  });
});
