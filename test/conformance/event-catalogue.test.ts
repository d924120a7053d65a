/** The catalogue of event types (docs/generated/events.md) has all that a journal can have, with examples that are valid. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { exampleName, readEventExamples } from '../../scripts/generate/events/event-page.js';
import { eventTypes } from '../../scripts/generate/events/event-types.js';
import { everyRoute, network } from '../../scripts/generate/routes.js';
import { openApiOf } from '../../src/http/openapi/openapi.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { readRecording, recordings } from '../histories/recording.js';
import type { Body } from '../node/support/client.js';
import { validatorsOf } from './document-validators.js';

const page = readFileSync(join('docs', 'generated', 'events.md'), 'utf8');
const sections = new Set([...page.matchAll(/^## `(.+)`$/gm)].map(([, type]) => type!));

/** Event types of a definition that a caller, the clock or the operator can ask for; those of workflows are parts of others. */
function typesOf(definition: (typeof catalogue.definitions)[string]): string[] {
  const asked = Object.values<Body>(definition.actions).filter(({ who }) => who.join() !== 'workflow');
  const acted = asked.flatMap(({ event, eventInPlace }) => [event, eventInPlace].filter(Boolean));
  const isMade = definition.form === 'machine' && definition.create.who?.join() !== 'workflow';
  return isMade ? [definition.create.event, ...acted] : acted;
}

describe('Event catalogue', () => {
  it('has a section for each type of each definition, and no other', () => {
    const types = Object.values(catalogue.definitions).flatMap(typesOf);
    expect([...sections].sort(), 'npm run generate').to.deep.equal([...new Set(types)].sort());
  });

  it('has every type that a recorded journal has', () => {
    for (const file of recordings()) {
      const types = readRecording(file).entries.map(({ core }) => core.event.type);
      expect(types.length).to.be.greaterThan(50);
      expect([...sections]).to.include.members([...new Set(types)]);
    }
  });

  it('has an example of each type and kind that fits the schemas of entry and payload', () => {
    const document = openApiOf(everyRoute(), { version: '0.0.0', network });
    const expectValid = validatorsOf(JSON.parse(JSON.stringify(document)));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const examples = readEventExamples();
    for (const each of eventTypes()) {
      const name = exampleName(each);
      const example = examples[name] as Body;
      expect(example, `${name}: npm run record-examples`).to.be.an('object');
      expect([example.event.type, example.payload.kind, example.payload.action], name).to.deep.equal([
        each.type,
        each.kind,
        each.action,
      ]);
      expectValid(['components', 'schemas', 'Entry'], example);
      const validate = ajv.compile(each.input);
      validate(example.payload.input);
      const flaws = validate.errors?.map(({ instancePath, message, params }) => [instancePath, message, params]) ?? [];
      expect(flaws, `the payload of ${name}`).to.deep.equal([]);
    }
    expect(Object.keys(examples)).to.have.members(eventTypes().map(exampleName));
  });

  it('says of each member of a payload what it is', () => {
    for (const { type, input } of eventTypes()) {
      for (const [name, member] of Object.entries<Body>(input.properties as Body)) {
        expect(member.description, `${type} ${name}`).to.be.a('string').that.is.not.empty;
      }
    }
  });

  it('is linked from webhooks, the index, and the description of the stream', () => {
    const read = (...path: string[]) => readFileSync(join('docs', ...path), 'utf8');
    expect(read('webhooks.md')).to.include('](generated/events.md)');
    expect(read('README.md')).to.include('](generated/events.md)');
    const { paths } = JSON.parse(read('generated', 'openapi.json'));
    expect(paths['/api/v1/events/stream'].get.description).to.include('](/guide/generated.events)');
  });
});
