/**
 * Which files and functions of the node run for one request, from its arrival to its reply: V8's precise coverage of a
 * live request to a node in this process, after others of the same kind. Code that runs at the same time for other
 * reasons (timers, followers of the journal) is excluded by repetition: a function counts if each of the requests ran
 * it.
 */
import { Session } from 'node:inspector/promises';
import { TestNode } from '../../test/node/support/node.js';
import type { Person } from '../../test/node/support/person.js';
import { aTask, tasksPath } from '../../test/node/support/requester.js';

export interface Path {
  readonly request: string;
  /** Sources of `src` in which at least one function ran, without those that only a worker thread runs. */
  readonly files: readonly string[];
  readonly functions: number;
}

type Body = { readonly [name: string]: unknown };
/** Prepares one request. The function that it returns sends it. */
type Prepare = (rich: () => Promise<Person>) => Promise<() => Promise<Body>>;

const requests: { readonly [name: string]: Prepare } = {
  'POST /transfers': async (rich) => {
    const [from, to] = [await rich(), await rich()];
    return () => from.does('/api/v1/transfers', { to: to.did, amount: 1 });
  },
  'POST /escrows/{escrowId}/actions/release': async (rich) => {
    const [depositor, beneficiary] = [await rich(), await rich()];
    const { escrowId } = await depositor.does('/api/v1/escrows', {
      beneficiary: beneficiary.did,
      amount: 10,
      releaseRules: [{ type: 'manual' }],
      autoFund: true,
    });
    return () => depositor.does(`/api/v1/escrows/${escrowId}/actions/release`, { amount: 10 });
  },
  'POST /markets/tasks/{taskId}/bids/{bidId}/actions/accept': async (rich) => {
    const [requester, bidder] = [await rich(), await rich()];
    const { listingId } = await requester.does(tasksPath, aTask);
    const { bidId } = await bidder.does(`${tasksPath}/${listingId}/bids`, { price: 40 });
    return () => requester.does(`${tasksPath}/${listingId}/bids/${bidId}/actions/accept`);
  },
};

const warmUps = 3;
const measured = 5;

interface Ran {
  readonly file: string;
  /** `file:offset`, because names are not unique. */
  readonly place: string;
}

/** The functions that ran since the last call. */
async function ranSince(session: Session): Promise<readonly Ran[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, functions }) => {
    const file = /\/dist\/(src\/.*)\.js$/.exec(url)?.[1];
    if (file === undefined) return [];
    return functions
      .filter(({ ranges }) => ranges[0]!.count > 0)
      .map(({ ranges }) => ({ file: `${file}.ts`, place: `${file}:${ranges[0]!.startOffset}` }));
  });
}

async function pathOf(session: Session, node: TestNode, request: string): Promise<Path> {
  const prepare = requests[request]!;
  const rounds: (readonly Ran[])[] = [];
  for (let round = 0; round < warmUps + measured; round++) {
    const send = await prepare(() => node.rich(1_000));
    await ranSince(session);
    await send();
    rounds.push(await ranSince(session));
  }
  const [first, ...others] = rounds.slice(warmUps);
  const places = others.map((round) => new Set(round.map(({ place }) => place)));
  const always = first!.filter(({ place }) => places.every((round) => round.has(place)));
  return { request, files: [...new Set(always.map(({ file }) => file))].sort(), functions: always.length };
}

/** @param chain `none`, or `embedded`: then replies wait for their settlement */
export async function pathsOf(chain: 'none' | 'embedded'): Promise<readonly Path[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const node = await TestNode.start({ variables: { SVC_CHAIN: chain } });
  try {
    const paths: Path[] = [];
    for (const request of Object.keys(requests)) paths.push(await pathOf(session, node, request));
    return paths;
  } finally {
    await node.discard();
    session.disconnect();
  }
}
