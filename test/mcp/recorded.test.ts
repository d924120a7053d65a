/**
 * Whole sessions as they were recorded, with each answer to the letter: ids, keys, hashes and times are numbered in the order in which
 * they appear. After a change that is meant, `SVC_RECORD=1` writes them anew.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { TestNode } from '../node/support/node.js';
import { revisions, TestAgent } from './support/agent.js';

interface Step {
  /** A tool, or an act of the seller. */
  readonly calls: string;
  readonly with: object;
  readonly answers?: readonly string[];
  readonly asked?: readonly string[];
}

/** What differs from run to run. */
const varying: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['did', /did:svc:z[1-9A-HJ-NP-Za-km-z]+/g],
  ['address', /\bsvc1[1-9A-HJ-NP-Za-km-z]+/g],
  ['handle', /\b[0-9a-f]{16}-\d+\b/g],
  ['hash', /\b(?:0x)?[0-9a-f]{64}\b/g],
  ['id', /\b(?:lst|ord|esc)-[0-9A-Za-z]{20,30}\b/g],
  ['time', /\b1\d{12}\b/g],
];

/** Numbers what varies, and finds it again by its number. */
class Names {
  readonly #known = new Map<string, string>();
  readonly #values = new Map<string, string>();

  named(text: string): string {
    return varying.reduce(
      (rest, [name, pattern]) =>
        rest.replace(pattern, (value) => {
          if (name === 'time') return '<time>';
          const known =
            this.#known.get(value) ??
            `<${name} ${[...this.#known.values()].filter((each) => each.startsWith(`<${name}`)).length + 1}>`;
          this.#known.set(value, known);
          this.#values.set(known, value);
          return known;
        }),
      text,
    );
  }

  filled(input: object): object {
    return JSON.parse(
      JSON.stringify(input).replace(/<[a-z]+ \d+>/g, (name) => this.#values.get(name) ?? name),
    ) as object;
  }
}

const folder = 'test/mcp/recorded';
const isRecording = process.env.SVC_RECORD !== undefined;

describe('Recorded sessions over MCP', () => {
  for (const file of readdirSync(folder)) {
    for (const revision of revisions) {
      it(`${file} in ${revision}`, async () => {
        const path = join(folder, file);
        const steps = JSON.parse(readFileSync(path, 'utf8')) as readonly Step[];
        const node = await TestNode.start();
        const agent = await TestAgent.make(node, 50);
        try {
          const host = await agent.host({ revision });
          const { did, passphrase } = await node.person();
          const seller = new Client({ url: node.url }).as({ did, passphrase });
          const names = new Names();
          const acts: { readonly [name: string]: (input: never) => Promise<unknown> } = {
            'seller publishes': (more: object) =>
              seller.markets.info.create({ ...infoListing.create.example, ...more } as never),
            'seller delivers': ({ orderId, ...more }: { orderId: string }) =>
              seller.infoOrders.deliver(orderId, more as never),
          };
          const found: Step[] = [];
          for (const { calls, with: input } of steps) {
            const filled = names.filled(input);
            if (acts[calls]) {
              await acts[calls](filled as never);
              found.push({ calls, with: input });
              continue;
            }
            const before = host.asked.length;
            const { blocks } = await host.call(calls, filled);
            const asked = host.asked.slice(before).map((text) => names.named(text));
            const answers = blocks.map((text) => names.named(text));
            found.push({ calls, with: input, answers, ...(asked.length > 0 && { asked }) });
          }
          if (isRecording) writeFileSync(path, `${JSON.stringify(found, null, 2)}\n`);
          else expect(found).to.deep.equal(steps);
        } finally {
          await agent.discard();
          await node.discard();
        }
      });
    }
  }
});
