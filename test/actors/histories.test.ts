/** The journals of every release replay under this program, to the same state (design.md, The one path). */
import { expect } from 'chai';
import { catalogue } from '../../src/machines/catalogue.js';
import { readRecording, recordings, replayed } from '../histories/recording.js';

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

    it(`${file}: a changed input is noticed`, () => {
      const entries = recording.entries.map((entry) => {
        const { payload } = entry;
        if (payload?.action !== 'transfer') return entry;
        const changed = { ...payload, input: { ...payload.input, amount: 31 } };
        return { ...entry, payload: changed };
      });
      expect(replayed({ ...recording, entries })).to.match(/^entry \d+, transfer\.sent: its moves are not/);
    });
  }

  it('know every event that the catalogue can give', () => {
    const known = new Set(all.flatMap(({ entries }) => entries.map(({ core }) => core.event.type)));
    // What happens with another request only is no entry's event.
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
