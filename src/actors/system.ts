/**
 * System entries (docs/reference/events-and-entries.md#system-entries): clock, faucet, freeze. They are signed by a key
 * that the node's own key has appointed in the journal, so that an auditor can verify who may act as `clock`.
 */

import { isRefusal, type Refusal } from '../core/refusal.js';
import type { Signer } from '../keys/signing.js';
import type { Request } from '../machines/kernel/resource.js';
import type { Accepted, Command } from './command.js';
import type { WritePath } from './write-path.js';

export interface SystemRequest extends Request, Pick<Command, 'idempotency'> {}

export class SystemWriter {
  constructor(
    private readonly actors: WritePath,
    readonly signer: Signer,
  ) {}

  /** Appoints the system key by an event of the node's key, once per journal. */
  async appoint(node: Signer): Promise<Refusal | undefined> {
    const resource = await this.actors.committed.resource('node', node.did);
    const appointed = (resource?.context as { system?: readonly string[] } | undefined)?.system ?? [];
    if (appointed.includes(this.signer.did)) return undefined;
    const accepted = await this.actors.execute({
      kind: 'node',
      id: node.did,
      action: 'appoint',
      input: { system: this.signer.did },
      signer: node.did,
      unlock: () => node,
    });
    return isRefusal(accepted) ? accepted : undefined;
  }

  execute(request: SystemRequest): Promise<Accepted | Refusal> {
    return this.actors.execute({ ...request, signer: this.signer.did, unlock: () => this.signer, system: true });
  }
}
