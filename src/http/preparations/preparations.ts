/** What is done with keys before the law is asked, by kind and action. */
import type { Desk } from '../desk.js';
import type { NewId, Preparations } from '../routes/derived.js';
import { delivering, publishing, purchasing } from './info-content.js';

export const preparationsOf = (desk: Desk, newId: NewId): { readonly [kind: string]: Preparations } => ({
  'info-listing': { create: publishing(desk) },
  'info-order': { create: purchasing(desk), deliver: delivering(desk, newId) },
});
