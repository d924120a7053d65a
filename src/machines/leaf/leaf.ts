/**
 * Leaves that were erased (docs/reference/erasure.md): the journal says which, why and by whom. The id is the leaf's
 * hash, so that a leaf is erased once.
 */
import { isRefusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { defineReducer } from '../kernel/definition.js';
import type { Workflow } from '../kernel/resource.js';

export const leafKind = 'leaf';

/** Characters of a reason at most. */
export const reasonLength = 1_000;

export const erasureInput = is.object({
  reason: is.described(is.text(reasonLength, 1), 'Why it is erased; all callers can read it.'),
  operator: is.described(is.text(200, 1), 'Who erases it, as the operator writes it; all callers can read it.'),
  resource: is.described(
    is.object({
      kind: is.described(is.text(64, 1), 'Its kind.'),
      id: is.described(is.text(200, 1), 'Its id.'),
    }),
    'The resource that the text came with.',
  ),
});
export type ErasureInput = is.TypeOf<typeof erasureInput>;

export const leaf = defineReducer<ErasureInput>({
  kind: leafKind,
  revision: 1,
  roles: {},
  actions: {
    redact: {
      event: 'leaf.redacted',
      who: ['operator'],
      input: erasureInput,
      reduce(context, { id, input }: { id: string; input: ErasureInput }) {
        if (context) return refuse('CONFLICT', 'the text was erased already');
        return isRefusal(is.parse(is.hash, id)) ? refuse('UNPROCESSABLE', `${id} is no leaf`) : input;
      },
    },
  },
});

/** Reads the resource, so that it does not change while the search index forgets the text. */
export const redacting: Workflow = {
  revision: 1,
  subCommands(request, read) {
    const { kind, id } = (request.input as unknown as ErasureInput).resource;
    read(kind, id);
    return [request];
  },
};
