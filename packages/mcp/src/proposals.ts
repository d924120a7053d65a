/**
 * What the agent has proposed and done, one private file each in a folder beside its key. A handle follows from what is wanted, so
 * the same wish is the same proposal, in any process and after any crash; `again` counts it up.
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
  readonly resourcePrev?: string | null;
  /** Who gets Tokens, as the dry run says. */
  readonly to?: readonly string[];
  /** What the other party calls its listing. */
  readonly about?: string;
  readonly state: 'open' | 'declined' | 'sent' | 'done' | 'refused';
  /** By `svc-node mcp approve`: a signature of the agent's key, until a time. */
  readonly approval?: { readonly until: number; readonly sig: string };
  /** Whether a person said yes; acts without count for the sum of a day. */
  readonly isConfirmed?: boolean;
  /** On disk before it is sent. */
  readonly write?: SignedWrite;
  readonly sentAt?: number;
  /** A node can have taken an event that it says it has refused: none is signed for this proposal over one of these. */
  readonly refusedEvents?: readonly RefusedEvent[];
  /** The owner has declined the same wish before. */
  readonly wasDeclined?: boolean;
  readonly result?: CommittedResult;
  /** Of an HTTP call that was paid. */
  readonly answer?: HttpAnswer;
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

const handleText = /^[0-9a-f]{16}-[1-9][0-9]{0,5}$/;

export const intentHash = (intent: Intent): string => sha256Hex(canonical(intent as never));

const handleOf = (intent: Intent, count: number): string => `${intentHash(intent).slice(0, 16)}-${count}`;

/** The handle of the same wish, once more. */
export const nextHandle = ({ handle, intent }: AgentProposal): string => handleOf(intent, countIn(handle) + 1);

const countIn = (handle: string): number => Number(handle.split('-')[1]);

export const firstHandle = (intent: Intent): string => handleOf(intent, 1);

/** Undefined if the power failed while it was open: all other states are whole. */
function parsedProposal(text: string): AgentProposal | undefined {
  try {
    return JSON.parse(text) as AgentProposal;
  } catch {
    return undefined;
  }
}

/** What the limits count. */
interface ProposalRecord
  extends Pick<AgentProposal, 'handle' | 'state' | 'most' | 'proposedAt' | 'sentAt' | 'isConfirmed'> {
  /** Nothing was signed for it. */
  readonly mayGo: boolean;
}

const recordOf = (found: AgentProposal | undefined): ProposalRecord | undefined => {
  if (!found) return undefined;
  const { handle, state, most, proposedAt, sentAt, isConfirmed, refusedEvents } = found;
  return {
    handle,
    state,
    most,
    proposedAt,
    mayGo: ['open', 'refused'].includes(state) && !refusedEvents,
    ...(sentAt !== undefined && { sentAt }),
    ...(isConfirmed && { isConfirmed }),
  };
};

export class Proposals {
  readonly #lock: FolderLock;
  #ended: ReadonlyMap<string, ProposalRecord> = new Map();

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

  async find(handle: string): Promise<AgentProposal | undefined> {
    if (!handleText.test(handle)) return undefined;
    let text: string;
    try {
      text = readFileSync(this.#path(handle), 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const found = parsedProposal(text);
    if (!found) return undefined;
    // A file that says something else than its handle was changed by hand.
    if (handleOf(found.intent, countIn(handle)) !== handle)
      throw new ToolRefusal(`The file of ${handle} is not that of this proposal: nothing is signed.`);
    return found;
  }

  async known(handle: string): Promise<AgentProposal> {
    const found = await this.find(handle);
    if (!found)
      throw new ToolRefusal(`There is no proposal ${JSON.stringify(handle.slice(0, 40))}: propose makes one.`);
    return found;
  }

  /** What is sent or has ended is on disk once it resolves. What is open may be lost with the power: it is proposed again. */
  async save(proposal: AgentProposal): Promise<AgentProposal> {
    const { handle, state, refusedEvents } = proposal;
    const [path, text] = [this.#path(handle), JSON.stringify(proposal)];
    if (state === 'open' && !refusedEvents) {
      const whole = join(this.folder, `${handle}.${this.environment.newKey()}`);
      writeFileSync(whole, text, { mode: 0o600 });
      renameSync(whole, path);
    } else await (state === 'sent' ? writeFileDurably : replaceFile)(path, text);
    return proposal;
  }

  /** Those that are sent, oldest first: each event names the one before it. */
  async sent(): Promise<readonly AgentProposal[]> {
    const sent = (await this.#records()).filter(({ state }) => state === 'sent');
    const found = (await Promise.all(sent.map(({ handle }) => this.find(handle)))).filter((each) => each !== undefined);
    const nonce = ({ write }: AgentProposal) => write?.event.nonce ?? 0;
    return found.sort((one, other) => nonce(one) - nonce(other));
  }

  /** What is done or declined stays as it is, and is read once. */
  async #records(): Promise<readonly ProposalRecord[]> {
    const handles = this.#handles();
    const records = handles.map(async (handle) => this.#ended.get(handle) ?? recordOf(await this.find(handle)));
    const found = (await Promise.all(records)).filter((each) => each !== undefined);
    const ended = found.filter(({ state }) => state === 'done' || state === 'declined');
    this.#ended = new Map(ended.map((each) => [each.handle, each]));
    return found;
  }

  /** Tokens of acts that no person has confirmed, within a day. */
  async spentUnasked(): Promise<number> {
    const since = this.environment.now() - mcpBounds.dayMs;
    const counted = (await this.#records()).filter(
      ({ state, isConfirmed, sentAt = 0 }) => ['sent', 'done'].includes(state) && !isConfirmed && sentAt > since,
    );
    return counted.reduce((sum, { most }) => sum + most, 0);
  }

  /** Makes room for one more: the oldest for which nothing was signed go. What was done or declined is known for ever. */
  async makeRoom(): Promise<void> {
    if (this.#handles().length < mcpBounds.proposals) return;
    const open = (await this.#records()).filter(({ mayGo }) => mayGo);
    if (open.length < mcpBounds.proposals) return;
    const oldest = open.sort((one, other) => one.proposedAt - other.proposedAt).slice(0, mcpBounds.proposals / 10);
    for (const { handle } of oldest) rmSync(this.#path(handle), { force: true });
  }

  #handles(): readonly string[] {
    const names = readdirSync(this.folder);
    return names.flatMap((name) =>
      name.endsWith('.json') && handleText.test(name.slice(0, -5)) ? [name.slice(0, -5)] : [],
    );
  }

  #path(handle: string): string {
    return join(this.folder, `${handle}.json`);
  }
}
