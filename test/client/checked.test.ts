/** Waiting until an act at another home is checked, whatever that home shows. */
import { expect } from 'chai';
import { ApiError, Client, NotReachedError, UncheckedError } from '../../packages/client/src/index.js';
import { type Answer, failureOf, ok, problem, url } from './script.js';

const home = 'did:svc:z6MkHome';
const entry = (followed: number, violation: string | null = null): object => ({
  seq: 7,
  checked: { followed, violation },
});

describe('client: an act at another home', () => {
  /** Gives these answers, the last one again and again. A time limit ends after 20 pauses. */
  function waits(answers: readonly Answer[]) {
    const asked: string[] = [];
    const pauses: number[] = [];
    let late = () => {};
    const client = new Client({
      url,
      fetch: async (address) => {
        asked.push(address.slice(url.length));
        const answer = answers[Math.min(asked.length, answers.length) - 1]!;
        if (answer instanceof Error) throw answer;
        return (answer as Response).clone();
      },
      environment: {
        random: () => 0.5,
        wait: async (delayMs, signal) => {
          if (delayMs === 60_000)
            await new Promise<void>((resolve) => {
              late = resolve;
              signal?.addEventListener('abort', () => resolve(), { once: true });
            });
          else if (pauses.push(delayMs) === 20) late();
          signal?.throwIfAborted();
        },
      },
    });
    return { asked, pauses, checked: client.events.untilChecked('ab', home) };
  }

  it('is waited for until the node has followed its entry, with pauses that grow', async () => {
    const { asked, pauses, checked } = waits([
      ...[problem(404, 'NOT_FOUND'), new TypeError('fetch failed'), ok(entry(0)), ok(entry(0)), ok(entry(1))],
    ]);
    expect(await checked).to.deep.equal(entry(1));
    expect(new Set(asked)).to.deep.equal(new Set([`/api/v1/events/ab~${encodeURIComponent(home)}`]));
    expect(pauses.at(-1)).to.be.above(pauses[0]!);
  });

  it('is given up at once where the home shows what is not in its journal', async () => {
    for (const lie of [entry(0, 'it is of the event cd'), entry(1, 'a signature is wrong')]) {
      const { asked, checked } = waits([ok(lie)]);
      expect(await failureOf(checked)).to.be.instanceOf(UncheckedError);
      expect(asked).to.have.length(1);
    }
    const { checked } = waits([ok({ seq: 7 })]);
    expect((await failureOf(checked)).message).to.contain('the node asked is of that home');
  });

  it('is given up after its time where the home never shows it, or is gone', async () => {
    for (const [answer, says] of [
      [ok(entry(0)), 'not followed'],
      [problem(404, 'NOT_FOUND'), 'not shown'],
      [problem(503, 'SERVICE_UNAVAILABLE'), 'not shown'],
      [new TypeError('fetch failed'), 'not shown'],
    ] as const) {
      const error = await failureOf(waits([answer]).checked);
      expect(error).to.be.instanceOf(NotReachedError);
      expect(error.message).to.contain(`was still ${says}`);
    }
  });

  it('is not waited for if the node refuses the question', async () => {
    const { asked, checked } = waits([problem(400, 'INVALID_REQUEST')]);
    expect(await failureOf(checked)).to.be.instanceOf(ApiError);
    expect(asked).to.have.length(1);
  });
});
