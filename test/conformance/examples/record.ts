/**
 * Writes `src/http/openapi/examples.ts`: a request and its reply for each operation, as a node answered them on the
 * conformance walk; and `scripts/generate/events/examples.json`: an entry for each type of event. The clock stands still
 * and the randomness is seeded, so another run writes the same files.
 *
 *     npm run record-examples
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MovableClock } from '../../../packages/fake-node/src/movable-clock.js';
import { eventTypes } from '../../../scripts/generate/events/event-types.js';
import type { RecordedExample } from '../../../src/http/openapi/recorded.js';
import { expectStatus } from '../../node/support/answers.js';
import { FakeChain } from '../../node/support/chain.js';
import { requestOf } from '../../node/support/client.js';
import { TestNode } from '../../node/support/node.js';
import { withToyDeals } from '../../world/toy-deal.js';
import { derivedExercises, ownExercises } from '../exercises.js';
import { type EventExamples, eventExamples } from './events.js';
import { exampleOf } from './recorded.js';

export const examplesFile = join('src', 'http', 'openapi', 'examples.ts');
export const eventsFile = join('scripts', 'generate', 'events', 'examples.json');

/** A date years ahead, so that the expiry in an example has not passed when someone sends it. */
const standsAt = Date.UTC(2035, 0, 15, 12);

class StillWorld extends MovableClock {
  #draws = 0;

  override now(): number {
    return standsAt + this.ahead;
  }

  override random(bytes: number): Uint8Array {
    const drawn = Array.from({ length: Math.ceil(bytes / 32) }, () =>
      createHash('sha256')
        .update(`example ${this.#draws++}`)
        .digest(),
    );
    return new Uint8Array(Buffer.concat(drawn).subarray(0, bytes));
  }
}

/** Replaces this run's address, folder and console build. */
const placeless = <Example>(example: Example, { url, dir }: TestNode): Example =>
  JSON.parse(
    JSON.stringify(example)
      .replaceAll(url, 'http://127.0.0.1:9528')
      .replaceAll(dir, '/var/lib/svc-node')
      .replace(/index-[\w-]{8}\.js/, 'index-BnAAsbNH.js'),
  );

interface Recording {
  readonly operations: ReadonlyMap<string, RecordedExample>;
  readonly events: EventExamples;
}

async function recorded(): Promise<Recording> {
  const chain = new FakeChain();
  chain.verdict = 'late';
  const node = await TestNode.start({
    world: new StillWorld(),
    parts: { settlement: chain, onChain: chain, catalogue: withToyDeals },
  });
  node.world.hold();
  const found = new Map<string, RecordedExample>();
  try {
    const [ada, ben] = [await node.rich(1_000), await node.person()];
    const admin = await node.keyed({ scope: 'admin' });
    const exercises = { ...(await derivedExercises(node)), ...ownExercises({ node, ada, ben, admin }) };
    for (const { name, success } of node.running.routes) {
      // The report of a finished audit, because a running one shows other figures at each read.
      if (name === 'getAudit') await exercises.getAuditReport!();
      const reply = await exercises[name]!();
      expectStatus(reply, success.status);
      const request = requestOf.get(reply);
      if (request) found.set(name, placeless(exampleOf(name, request, reply), node));
    }
    return { operations: found, events: await eventExamples(node) };
  } finally {
    await node.discard();
  }
}

function moduleOf(examples: ReadonlyMap<string, RecordedExample>): string {
  const lines = [...examples]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, example]) => `  ${name}: ${JSON.stringify(JSON.stringify(example))},`);
  return `// Written by npm run record-examples; what is changed here is lost.
/** JSON of a request and its reply, by operation. */
export const examples: { readonly [operation: string]: string } = {
${lines.join('\n')}
};
`;
}

const eventsTextOf = (events: EventExamples): string => {
  const lines = [...events]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, entry]) => `  ${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
};

const { operations, events } = await recorded();
writeFileSync(examplesFile, moduleOf(operations));
writeFileSync(eventsFile, eventsTextOf(events));
process.stdout.write(
  `${operations.size} examples in ${examplesFile}, ${events.size} in ${eventsFile}, of ${eventTypes().length} types\n`,
);
