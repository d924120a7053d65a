import type { Command } from 'commander';
import type { EquivocationProof } from '../peers/checkpoint.js';
import { CommandFailed } from './failure.js';
import { withExamples } from './help.js';
import { readJson } from './input.js';
import { count, type Facts, timeText } from './output.js';
import { type CommonOptions, withCommonOptions } from './settings.js';
import { concludeCheck } from './verdict.js';

export function addVerifyEquivocation(program: Command): void {
  const command = withCommonOptions(
    program.command('verify-equivocation').summary('Check a proof of two journals, without a node'),
  )
    .description(
      'Check a proof that a home has signed two journals, without a node: both checkpoints are signed by the key of the ' +
        'home, and they can’t both be of one journal. Takes the proof, or anything that holds one as `proof`.',
    )
    .argument('<file>', 'the proof as JSON; - reads it from standard input')
    .action(run);
  withExamples(
    command,
    ['verify-equivocation proof.json', 'who has signed what, and when'],
    ['verify-equivocation - --json', 'the same for a program'],
  );
}

async function run(file: string, { json = false }: CommonOptions): Promise<void> {
  const { equivocationForm, violationOfEquivocation, parseForm } = await import('../peers/checkpoint.js');
  const proof = parseForm(equivocationForm, await readProof(file));
  if (typeof proof === 'string') throw new CommandFailed(`${file} is not a proof of equivocation: ${proof}`);
  const flaw = violationOfEquivocation(proof);
  const { home, network, seq } = proof.first;
  concludeCheck({
    what: 'proof',
    ...{ json, flaw },
    members: { home, network, seq },
    facts: () => factsOf(proof),
    ok: `OK: the key of this home has signed two journals that differ at entry ${count(seq)} or before it.`,
  });
}

const factsOf = ({ first, second, links }: EquivocationProof): Facts => ({
  home: first.home,
  network: first.network,
  'one journal': `entry ${count(first.seq)} has ${first.chainHash}, signed on ${timeText(first.time)}`,
  another: `entry ${count(first.seq)} has ${links?.chainHash ?? second.chainHash}, signed on ${timeText(second.time)}`,
  'linked by': links && `${count(links.entryHashes.length)} entry hashes to entry ${count(second.seq)}`,
});

async function readProof(file: string): Promise<unknown> {
  const value = await readJson(file);
  const holder = value as { readonly proof?: unknown } | null;
  return typeof holder === 'object' && holder?.proof !== undefined ? holder.proof : value;
}
