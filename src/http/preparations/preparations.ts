/** What is done to a request before the law is asked, with keys or out of the configuration, by kind and action. */
import * as a from '../../machines/kernel/shape.js';
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

/** By kind: what the preparation of its creation tells its maker alone, and once. */
export const toldOnce: { readonly [kind: string]: a.Members } = {
  'info-listing': { contentKeyHex: a.described(a.text, 'Key of the encrypted content, 32 bytes in hex: keep it.') },
};
