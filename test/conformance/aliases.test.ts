/** Every other name that a request may use is described (docs/generated/aliases.md). */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { aliasesOf } from '../../scripts/generate/alias-page.js';
import { everyRoute } from '../../scripts/generate/routes.js';
import { openApiOf } from '../../src/http/openapi/openapi.js';

type Schema = { readonly [key: string]: unknown };

describe('Other names', () => {
  const routes = everyRoute();
  const document = openApiOf(routes, { version: '0', network: 'devnet' });
  const page = readFileSync('docs/generated/aliases.md', 'utf8');
  const { schemas } = document.components as { readonly schemas: { readonly [name: string]: Schema } };

  /** All descriptions of an operation's request, with those of the components that it refers to. */
  function descriptions(value: unknown, seen = new Set<string>()): string {
    if (typeof value !== 'object' || value === null) return '';
    const { $ref, description = '' } = value as Schema;
    const inside = Object.values(value);
    const name = typeof $ref === 'string' ? $ref.split('/').at(-1)! : undefined;
    if (name !== undefined && !seen.has(name)) {
      seen.add(name);
      inside.push(schemas[name]);
    }
    return [String(description), ...inside.map((each) => descriptions(each, seen))].join('\n');
  }

  it('are in the description of their operation, and on the page', () => {
    let found = 0;
    for (const route of routes) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      const operation = document.paths[path]![route.method.toLowerCase()]!;
      const { body, query } = aliasesOf(route);
      const inBody = descriptions(operation.requestBody);
      for (const { given, means, row } of body) {
        const isText = row[0].startsWith('a text');
        const said = isText
          ? `A text in its place is its \`${means}\`.`
          : means === '*'
            ? `members of \`${given}\``
            : `\`${given}\` for \`${means}\``;
        expect(inBody, `${route.name}: ${row.join(' ')}`).to.include(said);
      }
      const parameters = operation.parameters as readonly { readonly name: string; readonly description?: string }[];
      for (const { given, means } of query) {
        const parameter = parameters.find(({ name }) => name === means);
        expect(parameter?.description, `${route.name} ${given}`).to.include(`Also accepted: \`${given}\`.`);
      }
      for (const { row } of [...body, ...query]) {
        expect(page.replace(/ +/g, ' ')).to.include(`| ${row.join(' | ')} |`);
        found += 1;
      }
    }
    expect(found).to.be.above(50);
    for (const known of [
      'pricing.basePrice',
      'pricing.model',
      'bidding.bidDeadline',
      'plan.details.*',
      'contentFormat',
    ]) {
      expect(page).to.include(`\`${known}\``);
    }
    expect(page).to.include('a text as `content`');
  });

  it('are not in the descriptions of replies and of events, which have none', () => {
    const forms = /Also accepted|A text in its place/;
    for (const [name, schema] of Object.entries(schemas)) {
      if (!/(Request|Input)$/.test(name)) expect(JSON.stringify(schema), name).not.to.match(forms);
    }
    expect(readFileSync('docs/generated/events.md', 'utf8')).not.to.match(forms);
  });
});
