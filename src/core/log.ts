/**
 * The log: pino, one JSON object per line, with all secrets redacted.
 */
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

const secretNames = [
  'passphrase',
  'password',
  'key',
  'apiKey',
  'secret',
  'secrets',
  'seed',
  'privateKey',
  'contentKeyHex',
  'accessToken',
  'accessUrl',
  'token',
  'authorization',
  '["x-api-key"]',
  '["svc-reader"]',
  'cookie',
];

/** Pino redacts by path, not by name at any depth: nothing that we log is deeper than three levels. */
const paths = secretNames.flatMap((name) => {
  const member = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${member}`, `*.*${member}`];
});

const keyInText = /svck_[1-9A-HJ-NP-Za-km-z]+/g;

export interface LogOptions {
  /** @default 'silent', for tests */
  readonly level?: string;
  /** @default standard output */
  readonly destination?: DestinationStream;
}

export function createLog({ level = 'silent', destination }: LogOptions = {}): Log {
  const options = {
    level,
    base: null,
    redact: { paths, censor: '[secret]' },
    hooks: {
      // Redaction does not reach an API key inside a message or a stack trace.
      streamWrite: (line: string) => (line.includes('svck_') ? line.replace(keyInText, 'svck_[secret]') : line),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
