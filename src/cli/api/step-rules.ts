/** The steps of a resource with the rule that permitted each release or refund, and the reason that its signer gave. */
import { ApiError } from '../../../packages/client/src/errors.js';
import type { Http } from '../../../packages/client/src/http.js';
import { reasonOf, ruleOfStep } from '../../../packages/client/src/rule-met.js';
import type { Entry, MachineStep, Replies } from '../../../packages/client/src/wire.js';
import { sha256Hex } from '../../core/canonical.js';

interface StepPage {
  readonly steps: readonly MachineStep[];
}

const hashOfHex = (hex: string): string => sha256Hex(Buffer.from(hex, 'hex'));

/** For people: programs get the node's reply, which these are no part of. */
export async function withRules<Page extends StepPage>(
  page: Page,
  [kind = '', id = '']: readonly string[],
  http: Http,
) {
  try {
    const entries = await entriesOf(`${kind}/${id}`, page.steps, http);
    const view = kind === 'escrow' ? { ...(await http.get<Replies['getEscrow']>(`/escrows/${id}`, {})) } : undefined;
    const steps = page.steps.map((step) => {
      const entry = entries.get(step.eventHash);
      const reason = reasonOf(entry);
      return {
        ...step,
        rule: ruleOfStep(step, { entry, view, hashOfHex }),
        reason: reason === null ? 'erased' : reason,
      };
    });
    return { ...page, steps };
  } catch (error) {
    if (error instanceof ApiError) return page; // A key may read the steps and not the requests.
    throw error;
  }
}

/** The entries of these steps, by the hash of their event. */
async function entriesOf(resource: string, steps: readonly MachineStep[], http: Http) {
  const entries = new Map<string, Entry>();
  const last = steps.at(-1)?.seq ?? 0;
  for (let after = (steps[0]?.seq ?? 1) - 1; after < last; ) {
    const { events, next } = await http.get<Replies['listEvents']>('/events', { resource, after, limit: 100 });
    for (const entry of events) entries.set(entry.event.hash, entry);
    after = next ?? last;
  }
  return entries;
}
