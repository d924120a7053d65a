/** The output of a start once the node answers: text for people, or one line of JSON. */
import process from 'node:process';
import { version } from '../core/version.js';
import type { Config } from '../node/config/config.js';
import type { RunningNode } from '../node/dependencies.js';
import { facts } from './output.js';

const docsOf = (url: string): string => `${url}/docs`;
const consoleOf = (url: string): string => `${url}/console`;

export function banner(config: Config, { url, did, isNew, passphraseFile }: RunningNode): string {
  const lines = [
    `svc-node ${version} on ${config.network}`,
    '',
    facts(
      {
        API: `${url}/api/v1`,
        Console: consoleOf(url),
        Docs: docsOf(url),
        Guide: `${url}/guide`,
        Node: did,
        Data: config.dataDir,
      },
      '  ',
    ),
    '',
  ];
  if (isNew && passphraseFile !== undefined) {
    lines.push(`First start: the node created its key, and wrote the passphrase to ${passphraseFile}.`, '');
  } else if (isNew) {
    lines.push('First start: the node created its key, with the passphrase that you gave.', '');
  }
  if (config.loopback) {
    lines.push(
      'Requests from this machine need no API key, for play money only. Whoever reaches this port through a tunnel or a',
      'TCP proxy has the same access: with SVC_LOOPBACK=off every caller of the API needs a key.',
      '',
    );
  }
  lines.push('Stop with Ctrl-C (or SIGTERM).');
  return lines.join('\n');
}

/** The output while the start waits for the database. */
export const waitingFor = (why: string, url: string): string =>
  `Waiting for the database: ${why}.\nMeanwhile ${url}/healthz shows that the process is alive, and ${url}/readyz why it is not ready.\n`;

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
