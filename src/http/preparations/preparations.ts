/** What is done to a request before the law is asked, with keys or out of the configuration, by kind and action. */
import type { Desk } from '../desk.js';
import type { NewId, Preparations } from '../routes/derived.js';
import { drafting, submitting } from './contract.js';
import { delivering, publishing, purchasing } from './info-content.js';
import { deliveringTask, judging } from './task-order.js';

export const preparationsOf = (
  desk: Desk,
  newId: NewId,
  arbiterDid: string | undefined,
): { readonly [kind: string]: Preparations } => ({
  'info-listing': { create: publishing(desk) },
  'info-order': { create: purchasing(desk), deliver: delivering(desk, newId) },
  'task-order': { deliver: deliveringTask(desk, newId), confirm: judging },
  contract: { create: drafting(arbiterDid), submit: submitting(desk, newId) },
});
