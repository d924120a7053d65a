/** Transfers and purchases signed with keys of their callers, against those that the node signs. */
import { type Contestant, contest, cpuOf, startNode } from './support/contest.js';
import { Founder, scratch } from './support/people.js';
import { purchases } from './support/purchases.js';
import { atMost, micros, table, times } from './support/report.js';

const lines = 64;
const tokens = 1_000_000_000;

export async function keys(): Promise<void> {
  const dir = await scratch();
  const founder = await Founder.open(dir);
  const [people, holders] = [await founder.people(lines, tokens), await founder.holders(lines, tokens)];
  await founder.close();
  const { child, pid, url } = await startNode(dir);
  const of = (site: typeof people, plan: Contestant['plan']): Contestant => ({
    ...{ site: { url, pid, people: site }, plan, nodes: [child], lines },
  });
  const { kept, keptBusy, submitted, prepared } = await contest({
    kept: of(people, { do: 'transfers' }),
    keptBusy: of(people, { do: 'transfers', isBusy: true }),
    submitted: of(holders, { do: 'submit' }),
    prepared: of(holders, { do: 'prepare-and-submit' }),
  });
  await child.stop();
  // An operation of the load is one request, and such a transfer takes two.
  const whole = 2;
  table('Transfers with keys of their callers', [
    ...kept.figures('signed by the node'),
    ...submitted.figures('signed by the caller'),
    atMost('signed by the caller: CPU, of the node’s own', submitted.ratio(kept, cpuOf), 1.25, times),
    { what: '… with the load as busy for both', measured: times(submitted.ratio(keptBusy, cpuOf)) },
    { what: 'prepared and signed by the caller: CPU a transfer', measured: micros(whole * prepared.cpu) },
    atMost(
      'prepared and signed by the caller: CPU, of the node’s own',
      whole * prepared.ratio(kept, cpuOf),
      1.7,
      times,
    ),
    { what: '… with the load as busy for both', measured: times(whole * prepared.ratio(keptBusy, cpuOf)) },
  ]);
  table('Purchases at another home', await purchases());
}
