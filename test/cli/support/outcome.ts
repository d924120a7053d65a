/** What a command has come to. */
import { expect } from 'chai';
import { scratch } from '../../support/scratch.js';
import { type Ended, json, svcNode } from './command.js';

/** What a command that succeeds prints as JSON. */
export async function ok(ending: Promise<Ended>): Promise<Record<string, unknown>> {
  const end = await ending;
  expect(end.code, end.stderr).to.equal(0);
  return json(end);
}

/** The one line of a command that fails. */
export async function refusal(ending: Promise<Ended>): Promise<string> {
  const end = await ending;
  expect(end).to.include({ code: 1, stdout: '' });
  expect(end.stderr).to.match(/^svc-node: [^\n]+\n$/);
  return end.stderr;
}

/** The report of an audit of a data directory, or of the database of a URL. */
export const auditOf = (place: string) =>
  place.includes('://')
    ? ok(svcNode(['audit', '--json', '--data', scratch()], { env: { SVC_STORE: place } }))
    : ok(svcNode(['audit', '--json', '--data', place]));
