/**
 * What the agent has proposed and done, one private file each in a folder beside its key. A handle is the beginning of the hash of
 * what is wanted, so that the same wish finds its proposal in any process and after any crash, and a number that no other one gets,
 * so that what is forgotten is never made again. Two wishes with one beginning would be one proposal, whose own request is what is
 * shown and signed: 64 bits are enough.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical, sha256Hex } from '../../../src/core/canonical.js';
import { isMissing, makeFolder, replaceFile, strangersIn, writeFileDurably } from '../../../src/core/durable-file.js';
import type { ClientEnvironment } from '../../client/src/environment.js';
import type { SignedWrite } from '../../client/src/signing/key-writes.js';
import { mcpBounds } from './bounds.js';
import { ToolRefusal } from './data-block.js';
import { FolderLock } from './lock.js';

/** What is wanted: all that is signed follows from it. */
export interface Intent {
  readonly did: string;
  /** `kind.action`. */
  readonly action: string;
  readonly input: { readonly [member: string]: unknown };
}

export interface AgentProposal {
  readonly handle: string;
  readonly intent: Intent;
  /** Epoch ms of the dry run. */
  readonly proposedAt: number;
  /** Tokens that it may cost: signed as `most`. */
  readonly most: number;
  /** Version of the resource that it was proposed on, where the action names it. */
  readonly resourcePrev?: string | null | undefined;
  /** Who gets Tokens, as the dry run says. */
  readonly to?: readonly string[];
  /** What the other party calls its listing. */
  readonly about?: string | undefined;
  readonly state: 'open' | 'declined' | 'sent' | 'done' | 'refused';
  /** By `svc-node mcp approve`: a signature of the agent's key, until a time. */
  readonly approval?: { readonly until: number; readonly sig: string } | undefined;
  /** Whether a person said yes; acts without count for the sum of a day. */
  readonly isConfirmed?: boolean;
  /** On disk before it is sent. */
  readonly write?: SignedWrite | undefined;
  readonly sentAt?: number;
  /** A node can have taken an event that it says it has refused: none is signed for this proposal over one of these. */
  readonly refusedEvents?: readonly RefusedEvent[] | undefined;
  /** The owner has declined the same wish before. */
  readonly wasDeclined?: boolean | undefined;
  readonly result?: CommittedResult;
  /** Of an HTTP call that was paid. */
  readonly answer?: HttpAnswer | undefined;
}

export interface RefusedEvent {
  readonly hash: string;
  readonly nonce: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

export interface CommittedResult {
  readonly kind: string;
  readonly id: string;
  readonly ids: { readonly [part: string]: string };
  readonly eventHash: string;
  readonly state: string | null;
}

const handleText = /^[0-9a-f]{16}-[1-9][0-9]{0,14}$/;

export const intentHash = (intent: Intent): string => sha256Hex(canonical(intent as never));

export const handleFor = (intent: Intent, number: number | ''): string =>
  `${intentHash(intent).slice(0, 16)}-${number}`;

export const handleNumber = (handle: string): number => Number(handle.split('-')[1]);

/** What the bounds and limits count, with the number of the handle and the length of the answer. */
type ProposalRecord = Omit<AgentProposal, 'intent' | 'answer'> & {
  readonly number: number;
  readonly characters: number;
};

export class Proposals {
  readonly #lock: FolderLock;
  /** What is done or declined stays as it is, and is read once. */
  #ended = new Map<string, ProposalRecord>();

  /** @param folder is made if it does not exist */
  constructor(
    private readonly folder: string,
    private readonly environment: ClientEnvironment,
  ) {
    makeFolder(folder);
    const stranger = strangersIn(folder, 'the folder');
    if (stranger !== undefined) throw new ToolRefusal(stranger);
    this.#lock = new FolderLock(folder, environment);
  }

  /** No other process reads or writes meanwhile. */
  hold<T>(work: () => Promise<T>): Promise<T> {
    return this.#lock.hold(work);
  }

  find(handle: string): AgentProposal | undefined {
    const found = this.#read(handle);
    // A file that says something else than its handle was changed by hand.
    if (found && handleFor(found.intent, handleNumber(handle)) !== handle)
      throw new ToolRefusal(`The file of ${handle} is not that of this proposal: nothing is signed.`);
    return found;
  }

  known(handle: string): AgentProposal {
    const found = this.find(handle);
    if (found) return found;
    throw new ToolRefusal(
      `There is no proposal ${JSON.stringify(handle.slice(0, 40))}, or it is forgotten: propose makes one.`,
    );
  }

  /** The first of a wish. @param after only one that was made after this one */
  of(intent: Intent, after?: AgentProposal): AgentProposal | undefined {
    const [least, its] = [after ? handleNumber(after.handle) : 0, handleFor(intent, '')];
    const later = this.#handles().filter((handle) => handle.startsWith(its) && handleNumber(handle) > least);
    for (const handle of later.sort((one, other) => handleNumber(one) - handleNumber(other))) {
      const found = this.find(handle);
      if (found) return found;
    }
    return undefined;
  }

  /** Saves a new one, and forgets the oldest where there are too many. Called while they are held. */
  async add(proposal: Omit<AgentProposal, 'handle'>): Promise<AgentProposal> {
    const number = Math.max(0, ...this.#handles().map(handleNumber)) + 1;
    const added = await this.save({ ...proposal, handle: handleFor(proposal.intent, number) });
    await this.#makeRoom();
    return added;
  }

  /** What is sent is on disk once it resolves. Another state may be lost with the power: then it is as before it, or proposed again. */
  async save(proposal: AgentProposal): Promise<AgentProposal> {
    const { handle, state, refusedEvents } = proposal;
    const [path, text] = [this.#path(handle), JSON.stringify(proposal)];
    if (state === 'open' && !refusedEvents) {
      const whole = join(this.folder, `.${handle}.json.tmp`);
      writeFileSync(whole, text, { mode: 0o600 });
      renameSync(whole, path);
    } else await (state === 'sent' ? writeFileDurably : replaceFile)(path, text);
    return proposal;
  }

  /** Those that are sent, oldest first: each event names the one before it. */
  sent(): readonly AgentProposal[] {
    const sent = this.#records().flatMap(({ handle, state }) => (state === 'sent' ? (this.find(handle) ?? []) : []));
    const nonce = ({ write }: AgentProposal) => write?.event.nonce ?? 0;
    return sent.sort((one, other) => nonce(one) - nonce(other));
  }

  /** Tokens of acts that no person has confirmed, within a day. */
  spentUnasked(): number {
    const since = this.environment.now() - mcpBounds.dayMs;
    const counted = this.#records().filter(
      ({ state, isConfirmed, sentAt = 0 }) => ['sent', 'done'].includes(state) && !isConfirmed && sentAt > since,
    );
    return counted.reduce((sum, { most }) => sum + most, 0);
  }

  /** The oldest go. Those of a day stay, which count for its sum, and events that may still take effect. */
  async #makeRoom(): Promise<void> {
    // What a killed process left: no other one writes now.
    for (const name of readdirSync(this.folder))
      if (/^\.[0-9a-f]{16}-.*\.tmp$/.test(name)) rmSync(join(this.folder, name), { force: true });
    const before = this.environment.now() - mcpBounds.dayMs;
    const isOld = ({ proposedAt, sentAt = proposedAt }: ProposalRecord) => sentAt < before;
    const isOpen = ({ state, refusedEvents }: ProposalRecord) => ['open', 'refused'].includes(state) && !refusedEvents;
    const newest = [...this.#records()].sort((one, other) => other.number - one.number);
    const ended = newest.filter((each) => !isOpen(each) && !(each.state === 'sent' && each.write));
    const open = newest.filter(isOpen).slice(mcpBounds.openProposals);
    const over = ended.slice(mcpBounds.endedProposals).filter(isOld);
    for (const { handle } of [...open, ...over]) rmSync(this.#path(handle), { force: true });
    let characters = 0;
    for (const each of ended.slice(0, mcpBounds.endedProposals)) {
      characters += each.characters;
      if (characters <= mcpBounds.keptCharacters || each.characters === 0 || !isOld(each)) continue;
      this.#ended.delete(each.handle);
      await this.save({ ...this.known(each.handle), answer: undefined });
    }
  }

  #records(): readonly ProposalRecord[] {
    const records = this.#handles().flatMap((handle) => this.#ended.get(handle) ?? this.#recordOf(handle) ?? []);
    const ended = records.filter(({ state }) => state === 'done' || state === 'declined');
    this.#ended = new Map(ended.map((each) => [each.handle, each]));
    return records;
  }

  #recordOf(handle: string): ProposalRecord | undefined {
    const found = this.#read(handle);
    if (!found) return undefined;
    const { intent: _, answer, ...record } = found;
    return { ...record, handle, number: handleNumber(handle), characters: answer?.text.length ?? 0 };
  }

  #read(handle: string): AgentProposal | undefined {
    if (!handleText.test(handle)) return undefined;
    try {
      return JSON.parse(readFileSync(this.#path(handle), 'utf8')) as AgentProposal;
    } catch (error) {
      // Not JSON where the power failed while it was open: all other states are whole.
      if (isMissing(error) || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #handles(): readonly string[] {
    const names = readdirSync(this.folder).filter((name) => name.endsWith('.json'));
    return names.map((name) => name.slice(0, -5)).filter((name) => handleText.test(name));
  }

  #path(handle: string): string {
    return join(this.folder, `${handle}.json`);
  }
}
