/** What a start says once the node answers: for people a page, for programs a line. */
import process from 'node:process';
import type { Config } from '../config.js';
import type { RunningNode } from '../node-ground.js';
import { version } from '../version.js';
import { facts } from './output.js';

const docsOf = (url: string): string => `${url}/docs`;
const consoleOf = (url: string): string => `${url}/console`;

export function banner(config: Config, { url, did, isNew, passphraseFile }: RunningNode): string {
  const lines = [
    `svc-node ${version} on ${config.network}`,
    '',
    facts(
      [
        ['API', `${url}/api/v1`],
        ['Console', consoleOf(url)],
        ['Docs', docsOf(url)],
        ['Node', did],
        ['Data', config.dataDir],
      ],
      '  ',
    ),
    '',
  ];
  if (isNew && passphraseFile !== undefined) {
    lines.push(`First start: the node made its key, and wrote the passphrase to ${passphraseFile}.`, '');
  } else if (isNew) {
    lines.push('First start: the node made its key, under the passphrase that you gave.', '');
  }
  lines.push('Stop with Ctrl-C (or SIGTERM).');
  return lines.join('\n');
}

export const startedJson = (config: Config, { url, did, isNew, passphraseFile }: RunningNode) => ({
  url,
  console: consoleOf(url),
  docs: docsOf(url),
  did,
  network: config.network,
  dataDir: config.dataDir,
  pid: process.pid,
  isNew,
  passphraseFile: passphraseFile ?? null,
});
