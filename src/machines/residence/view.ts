/** A residence as readers see it, and its schema (docs/reference/moving.md). */
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/definition.js';
import { versionFields } from '../kernel/version-fields.js';
import type { ResidenceContext } from './machine.js';

export const statuses = ['here', 'away'] as const;

const form = publicForm<Resource<ResidenceContext>>({
  did: [a.described(a.did, 'The DID that lives there.'), ({ context }) => context.did],
  id: [a.described(a.did, 'The same as `did`.'), ({ id }) => id],
  status: [
    a.described(a.oneOf(...statuses), '`here`: at the home of this journal; `away`: at another one.'),
    ({ state }) => state,
  ],
  home: [a.described(a.did, 'DID of the home.'), ({ context }) => context.home],
  epoch: [a.described(a.count, 'Number of the move that led there.'), ({ context }) => context.epoch],
  ...versionFields,
});

export const { view } = form;
export const viewSchema = a.named('Residence', form.schema);
