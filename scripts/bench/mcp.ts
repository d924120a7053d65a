/** An assistant's server with the protocol's own client: reads, and acts from the dry run to the journal. */
import { join } from 'node:path';
import { InMemoryTransport, Client as McpClient } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Client } from '../../packages/client/src/client.js';
import { realEnvironment as environment } from '../../packages/client/src/environment.js';
import { Http } from '../../packages/client/src/http.js';
import { keys } from '../../packages/client/src/signing/key.js';
import { Agent } from '../../packages/mcp/src/agent.js';
import { serverFactory } from '../../packages/mcp/src/server.js';
import { realEnvironment as world } from '../../src/core/environment.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { startNode } from './support/contest.js';
import { options } from './support/options.js';
import { Founder, scratch } from './support/people.js';
import { atMost, median, millis, percentile, table } from './support/report.js';

const tokens = 1_000_000_000;
/** Acts that are on disk already, as after some weeks. */
const older = 200;

export async function mcp(): Promise<void> {
  const dir = await scratch();
  const founder = await Founder.open(dir);
  const [[seller], [holder]] = [await founder.people(1, tokens), await founder.holders(1, tokens)];
  await founder.close();
  const { child, url } = await startNode(dir);
  const { listingId } = await new Client({ url })
    .as(seller!)
    .markets.info.create({ ...infoListing.create.example, stock: 1_000_000 } as never);
  const key = await keys.fromSeed(Buffer.from(holder!.seed!, 'hex'));
  const http = new Http({ url, readTimeoutMs: 10_000, writeTimeoutMs: 30_000, environment });
  const limits = { askAbove: tokens, askAboveDaily: tokens };
  const agent = new Agent({ key, http, folder: join(dir, 'agent.mcp'), limits });
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(serverFactory({ agent, version: 'bench', mayElicit: false }), { transport: far as never });
  const client = new McpClient(
    { name: 'bench', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(near);
  const call = async (name: string, input: object): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: { ...input } });
    return (content as { text: string }[])[0]!.text;
  };

  let handle: string | undefined;
  const act = async (): Promise<void> => {
    const input = { action: 'info-order.create', input: { listingId } };
    const proposed = await call('propose', handle === undefined ? input : { again: handle });
    [handle] = /[0-9a-f]{16}-\d+/.exec(proposed)!;
    await call('commit', { proposal: handle });
  };
  for (let done = 0; done < older; done++) await act();
  const reads = await timesOf(() => call('read', { id: listingId }));
  const searches = await timesOf(() => call('search', { text: 'rainfall' }));
  const acts = await timesOf(act);
  await client.close();
  await child.stop();
  table('An assistant over MCP', [
    atMost('a read of a resource, with what may be done with it: median', median(reads), 15, millis),
    { what: '… 99 of 100', measured: millis(percentile(reads, 0.99)) },
    { what: 'a search: median', measured: millis(median(searches)) },
    atMost(`an act, proposed and committed, after ${older} others: median`, median(acts), 30, millis),
    { what: '… 99 of 100', measured: millis(percentile(acts, 0.99)) },
  ]);
}

/** One after the other, as an assistant calls. */
async function timesOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (const end = world.monotonic() + options.seconds * options.rounds * 1_000; world.monotonic() < end; ) {
    const before = world.monotonic();
    await work();
    times.push(world.monotonic() - before);
  }
  return times;
}
