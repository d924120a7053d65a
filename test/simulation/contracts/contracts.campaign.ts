/**
 * Random sessions of four people over contracts with milestones and disputes, compared with a model: each request is accepted
 * or refused as the model says, no Token is created or lost, and all escrowed Tokens can still be paid out.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { isLong } from '../../support/long.js';
import { Session, session, soundSession } from './session.js';

/** Requests that must have been accepted in some session: otherwise the sessions don't get far enough. */
const wanted = [
  ...['update', 'sign', 'activate', 'submit', 'approve', 'reject', 'complete', 'consent', 'dispute'],
  ...['resolve resume active', 'resolve resume disputed'],
];
/** Requests that many sessions reach by chance. */
const wantedInLong = [
  ...['resolve release completed', 'resolve refund terminated', 'resolve split completed', 'terminate'],
  ...['resolve release disputed', 'resolve refund disputed', 'resolve split disputed'],
];

describe('Contracts and their disputes, at random', () => {
  it('go as their model says, conserve Tokens, and strand none', async () => {
    const granted = new Set<string>();
    await fc.assert(
      fc.asyncProperty(session, async (commands) => {
        const people = await Session.open();
        for (const each of commands) await people.run(each);
        await people.rest();
        for (const each of people.granted) granted.add(each);
      }),
      { numRuns: isLong ? 500 : 30, examples: [[[...soundSession]]] },
    );
    const missed = [...wanted, ...(isLong ? wantedInLong : [])].filter((each) => !granted.has(each));
    expect(missed, 'granted in no session').to.deep.equal([]);
  });
});
