import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Proof, ProofAnchor } from '../chain/anchors/proof.js';
import { fromChain, openChain } from './chain-reader.js';
import { CommandFailed } from './failure.js';
import { withExamples } from './help.js';
import { fromInput } from './input.js';
import { count, facts, print, printJson, timeText } from './output.js';
import { type CommonOptions, withCommonOptions } from './settings.js';

interface VerifyProofOptions extends CommonOptions {
  readonly rpc?: string;
  readonly contract?: string;
}

export function addVerifyProof(program: Command): void {
  const command = withCommonOptions(program.command('verify-proof'))
    .description(
      'Check what GET /api/v1/events/{hash}/proof gave, without a node: the signature, the hashes, the way to the ' +
        'root of its anchor, and, with --rpc, that the root is on chain.',
    )
    .argument('<file>', 'the proof; - reads it from standard input')
    .option('--rpc <url>', 'JSON-RPC of the chain; without it nothing is asked of any chain')
    .option('--contract <address>', 'the Settlement contract that you trust; without it the one that the proof names')
    .action(run);
  withExamples(
    command,
    ['verify-proof proof.json --rpc https://rpc.example', 'everything'],
    ['verify-proof - --json', 'what can be said without a chain, for a program'],
  );
}

async function run(file: string, { rpc, contract, json = false }: VerifyProofOptions): Promise<void> {
  const proof = await readProof(file);
  const [{ flawOfProof, flawOnChain }, { violationInText: flawOfText }, { canonical }] = await Promise.all([
    import('../chain/anchors/proof.js'),
    import('../verify/entry-text.js'),
    import('../core/canonical.js'),
  ]);
  const core = { core: proof.entry, coreText: canonical(proof.entry), entryHash: proof.entryHash };
  const flaw =
    flawOfText({ ...core, payload: null, payloadText: null }) ?? flawOfProof(proof) ?? pinned(proof, contract);
  if (flaw) return conclude(proof, { json, flaw });
  if (rpc === undefined) return conclude(proof, { json, onChain: false });
  const { evm, close } = await openChain(rpc);
  try {
    const wrong = await fromChain(flawOnChain(proof, evm));
    return conclude(proof, wrong ? { json, flaw: wrong } : { json, onChain: true });
  } finally {
    await close();
  }
}

async function readProof(file: string): Promise<Proof> {
  const { parseProof } = await import('../chain/anchors/proof.js');
  const text = file === '-' ? await fromInput() : await readFile(file, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandFailed(`${file} is not JSON`);
  }
  const proof = parseProof(value);
  if (typeof proof === 'string') throw new CommandFailed(`${file} is no proof: ${proof}`);
  return proof;
}

const pinned = ({ anchor }: Proof, contract: string | undefined): string | undefined =>
  contract === undefined || anchor?.contract.toLowerCase() === contract.toLowerCase()
    ? undefined
    : `it is about the contract ${anchor?.contract}, and not ${contract}`;

type ProofVerdict =
  | { readonly json: boolean; readonly flaw: string }
  | { readonly json: boolean; readonly onChain: boolean };

function conclude(proof: Proof, verdict: ProofVerdict): void {
  const flaw = 'flaw' in verdict ? verdict.flaw : undefined;
  const onChain = 'onChain' in verdict && verdict.onChain;
  const { seq, entry } = proof;
  const { type, issuer, hash, home = null } = entry.event;
  if (verdict.json)
    printJson({ ok: flaw === undefined, onChain, seq, eventHash: hash, home, ...(flaw ? { flaw } : {}) });
  if (flaw) throw new CommandFailed(`the proof does not hold: ${flaw}`);
  if (verdict.json) return;
  const anchor = proof.anchor!;
  print(
    facts(
      [
        ['event', `${type} (${hash})`],
        ['signed by', issuer],
        ['home', home ?? 'none: an event of version 1'],
        ['entry', `${count(seq)} on ${proof.network}, ${timeText(entry.time)}`],
        ...whereOf(anchor),
      ],
      '  ',
    ),
  );
  print(
    onChain
      ? 'OK: the signature verifies, and the entry is under a root that is on chain.'
      : 'OK as far as it goes: the signature verifies and the entry is under the root; whether that is on chain, --rpc would tell.',
  );
}

const whereOf = ({ firstEntry, lastEntry, chainId, contract, txHash }: ProofAnchor): [string, string][] => [
  ['anchor', `entries ${count(firstEntry)} to ${count(lastEntry)}`],
  ['chain', `${chainId}, contract ${contract}`],
  ['transaction', txHash],
];
