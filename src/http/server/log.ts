/**
 * The log: pino, one JSON object a line, with whatever unlocks something taken out.
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
  'cookie',
];

/** Pino redacts by path, not by name at any depth: three levels are what we ever log. */
const paths = secretNames.flatMap((name) => {
  const member = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${member}`, `*.*${member}`];
});

const keyInText = /svck_[1-9A-HJ-NP-Za-km-z]+/g;

export interface LogOptions {
  /** @default 'silent', which is what tests want */
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
      // An API key inside a message or a stack is out of redaction's reach.
      streamWrite: (line: string) => (line.includes('svck_') ? line.replace(keyInText, 'svck_[secret]') : line),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
