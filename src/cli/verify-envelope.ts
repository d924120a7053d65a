import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { isJsonObject, type JsonObject } from '../core/canonical.js';
import { CommandFailed } from './failure.js';
import { withExamples } from './help.js';
import { readJson } from './input.js';
import { timeText } from './output.js';
import { type CommonOptions, withCommonOptions } from './settings.js';
import { concludeCheck } from './verdict.js';

interface VerifyEnvelopeOptions extends CommonOptions {
  readonly content?: string;
  readonly home: string;
}

export function addVerifyEnvelope(program: Command): void {
  const command = withCommonOptions(
    program.command('verify-envelope').summary('Check a deliverable’s signature, without a node'),
  )
    .description(
      'Check a deliverable envelope without a node: that its producer has signed it, and, with --content, that this is ' +
        'what was delivered. Takes the envelope, or anything that holds one as `envelope`. Of one with erased texts, it ' +
        'checks the signature of the stated digest.',
    )
    .argument('<file>', 'the envelope as JSON; - reads it from standard input')
    .option('--content <file>', 'what was delivered: its hash and size must be those of the envelope')
    .requiredOption('--home <did>', 'DID of the node whose journal has the delivery: `did` of GET /node')
    .action(run);
  withExamples(
    command,
    ['verify-envelope envelope.json --home did:svc:z6Mk… --content rain.csv', 'signature, hash and size'],
    ['verify-envelope - --home did:svc:z6Mk… --json', 'the signature alone, for a program'],
  );
}

async function run(
  file: string,
  { content, home, network = 'devnet', json = false }: VerifyEnvelopeOptions,
): Promise<void> {
  const envelope = await readEnvelope(file);
  const [{ flawOfStructure, flawOfWhole, wholeDigestOf }, { placeText }, { sha256Hex }] = await Promise.all([
    import('../machines/deliverable/envelope.js'),
    import('../machines/kernel/attest.js'),
    import('../core/canonical.js'),
  ]);
  const bytes = content === undefined ? undefined : await readFile(content);
  const isOther = bytes && sha256Hex(bytes) !== envelope.contentHash;
  const isCut = bytes && envelope.size !== undefined && bytes.length !== envelope.size;
  const by = {
    producer: String(envelope.producer),
    contextId: String(envelope.contextId),
    place: placeText(network, home),
  };
  const erased = envelope.erased as readonly string[] | undefined;
  const flaw =
    (erased ? flawOfStructure(envelope, by) : flawOfWhole(envelope, by)) ??
    (isOther ? `${content} has another hash` : isCut ? `${content} has another size` : undefined);
  // What the whole was can no longer be said of one with erased texts.
  const whole: { erased?: readonly string[]; envelopeDigest?: string } = erased
    ? { erased }
    : { envelopeDigest: wholeDigestOf(envelope) };
  concludeCheck({
    what: 'envelope',
    ...{ json, flaw },
    members: whole,
    facts: () => ({
      envelope: String(envelope.id),
      for: String(envelope.contextId),
      'signed by': String(envelope.producer),
      on: timeText(Number(envelope.createdAt)),
      content: String(envelope.contentHash),
      erased: erased?.join(', '),
      digest: whole.envelopeDigest,
    }),
    ok: content === undefined ? 'OK: the signature verifies.' : 'OK: the signature verifies, and this is the content.',
  });
}

async function readEnvelope(file: string): Promise<JsonObject> {
  const value = await readJson(file);
  const envelope = isJsonObject(value) && isJsonObject(value.envelope) ? value.envelope : value;
  if (!isJsonObject(envelope)) throw new CommandFailed(`${file} holds no envelope`);
  return envelope;
}
