import type { Command } from 'commander';
import type { Proof, ProofAnchor } from '../chain/anchors/proof.js';
import { askChain, openChain } from './chain-reader.js';
import { CommandFailed } from './failure.js';
import { withExamples } from './help.js';
import { readJson } from './input.js';
import { count, type Facts, timeText } from './output.js';
import { type CommonOptions, withCommonOptions } from './settings.js';
import { concludeCheck } from './verdict.js';
import { verifyAuditReport } from './verify-audit-report.js';
import { verifyResourceProof, violationOfContract } from './verify-resource-proof.js';

interface VerifyProofOptions extends CommonOptions {
  readonly rpc?: string;
  readonly contract?: string;
  readonly first?: string;
}

export function addVerifyProof(program: Command): void {
  const command = withCommonOptions(
    program.command('verify-proof').summary('Check a proof of an event, without a node'),
  )
    .description(
      'Check a proof without a node: of an event (GET /api/v1/events/{hash}/proof), of a whole resource (…/machines/' +
        '{kind}/{id}/proof, or Download proof in the console), or an audit report. Signatures, hashes, steps, the way ' +
        'to the roots of anchors, and, with --rpc, that the roots are on chain.',
    )
    .argument('<file>', 'the proof; - reads it from standard input')
    .option('--rpc <url>', 'JSON-RPC of the chain; without it no chain is asked')
    .option('--contract <address>', 'the Settlement contract that you trust; without it the one that the proof names')
    .option('--first <file>', 'the proof of entry 1: whose journal it is')
    .action(run);
  withExamples(
    command,
    ['verify-proof proof.json --rpc https://rpc.example', 'everything'],
    ['verify-proof proof.json --first first.json --rpc https://rpc.example', 'and that the journal is its home’s'],
    ['verify-proof - --json', 'what can be said without a chain, for a program'],
  );
}

async function run(file: string, { rpc, contract, first, json = false }: VerifyProofOptions): Promise<void> {
  const value = await readJson(file);
  const { isResourceProof } = await import('../verify/resource-proof.js');
  if (isResourceProof(value)) {
    // The proof of a resource already contains entry 1.
    if (first !== undefined) throw new CommandFailed('--first goes with the proof of one event');
    return verifyResourceProof(value, file, { rpc, contract, json });
  }
  const { isAuditReport } = await import('../verify/audit-report.js');
  if (isAuditReport(value)) return verifyAuditReport(value, json);
  const proof = await proofFrom(value, file);
  const beginning = first === undefined ? undefined : await readProof(first);
  const flaw =
    (await violationOffline(proof, contract)) ??
    (beginning && (await violationOfBeginning(proof, beginning))) ??
    (await violationAlone(proof));
  if (flaw) return concludeProof(proof, { json, flaw });
  const journal = beginning ? beginning.entry.event.home : null;
  if (rpc === undefined) return concludeProof(proof, { json, onChain: false, journal });
  const { violationOnChain } = await import('../chain/anchors/proof.js');
  const { evm, close } = await openChain(rpc);
  try {
    let wrong = await askChain(violationOnChain(proof, evm));
    if (!wrong && beginning) wrong = ofFirst(await askChain(violationOnChain(beginning, evm)));
    return concludeProof(proof, wrong ? { json, flaw: wrong } : { json, onChain: true, journal });
  } finally {
    await close();
  }
}

async function violationOffline(proof: Proof, contract: string | undefined): Promise<string | undefined> {
  const [{ violationOfProof }, { violationInText }, { canonical }] = await Promise.all([
    import('../chain/anchors/proof.js'),
    import('../verify/entry-text.js'),
    import('../core/canonical.js'),
  ]);
  const { entry: core, entryHash } = proof;
  const text = { core, coreText: canonical(core), entryHash, payloadText: null };
  return violationInText(text) ?? violationOfProof(proof) ?? violationOfContract([proof.anchor], contract);
}

/**
 * Checks an entry without entry 1 of its journal. If it is entry 1 itself, the home's own key must have signed it.
 */
async function violationAlone({ seq, entry }: Proof): Promise<string | undefined> {
  const { HomeRule } = await import('../store/home-rule.js');
  return seq === 1 ? new HomeRule().violationOf(entry, true) : undefined;
}

/**
 * Checks that the proven entry belongs to the journal that began with `first`, which must be anchored in the same
 * contract.
 */
async function violationOfBeginning(proof: Proof, first: Proof): Promise<string | undefined> {
  if (first.seq !== 1) return `--first is about entry ${first.seq}`;
  const { contract, chainId } = proof.anchor!;
  const flaw = (await violationOffline(first, contract)) ?? (await violationAlone(first));
  if (flaw) return ofFirst(flaw);
  if (first.anchor!.chainId !== chainId) return ofFirst(`it is anchored on chain ${first.anchor!.chainId}`);
  const { HomeRule } = await import('../store/home-rule.js');
  const rule = new HomeRule();
  rule.saw(first.entry);
  if (proof.seq === 1) return proof.entryHash === first.entryHash ? undefined : '--first is another entry 1';
  return rule.violationOf(proof.entry);
}

const ofFirst = (flaw: string | undefined): string | undefined => flaw && `the proof of entry 1: ${flaw}`;

const readProof = async (file: string): Promise<Proof> => proofFrom(await readJson(file), file);

async function proofFrom(value: unknown, file: string): Promise<Proof> {
  const { parseProof } = await import('../chain/anchors/proof.js');
  const proof = parseProof(value);
  if (typeof proof === 'string') throw new CommandFailed(`${file} is not a proof: ${proof}`);
  return proof;
}

interface ProofVerdict {
  readonly json: boolean;
  readonly flaw?: string;
  readonly onChain?: boolean;
  /** Home of the journal, from its first entry; null if that was not given. */
  readonly journal?: string | null;
}

const concludeProof = (
  { seq, entry, network, anchor }: Proof,
  { json, flaw, onChain = false, journal = null }: ProofVerdict,
): void => {
  const { type, issuer, hash, home } = entry.event;
  concludeCheck({
    what: 'proof',
    ...{ json, flaw },
    members: { onChain, seq, eventHash: hash, home, journal },
    facts: () => ({
      event: `${type} (${hash})`,
      'signed by': issuer,
      home,
      journal: journal ?? 'not checked whose it is: give the proof of entry 1 (--first)',
      entry: `${count(seq)} on ${network}, ${timeText(entry.time)}`,
      ...factsOfAnchor(anchor!),
    }),
    ok: onChain
      ? 'OK: the signature verifies, and the entry is under a root that is on chain.'
      : 'OK as far as it goes: the signature verifies and the entry is under the root; --rpc checks whether the root is on chain.',
  });
};

const factsOfAnchor = ({ firstEntry, lastEntry, chainId, contract, txHash }: ProofAnchor): Facts => ({
  anchor: `entries ${count(firstEntry)} to ${count(lastEntry)}`,
  chain: `${chainId}, contract ${contract}`,
  transaction: txHash,
});
