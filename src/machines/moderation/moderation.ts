/**
 * What the operator hides (docs/reference/moderation.md): the journal says what, why and by whom. The id is what is
 * hidden: a listing, also of another home (`<id>~<home>`), the DID whose profile it is, or the hash of a text.
 */
import { refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { defineReducer } from '../kernel/definition.js';

export const moderationKind = 'moderation';

/** The label of what is hidden at present. */
export const hiddenLabel = 'hidden';

const reason = is.described(is.text(1_000, 1), 'Why; all callers can read it.');
const operator = is.described(is.text(200, 1), 'Who decides it, as the operator writes it; all callers can read it.');

const showInput = is.object({ reason, operator });
const hideInput = is.object({
  reason,
  operator,
  owners: is.described(
    is.list(is.did, 1, 100),
    'DIDs that still see it: of the seller, the profile, or the parties of a text.',
  ),
});

export interface ModerationContext extends is.TypeOf<typeof hideInput> {
  readonly hidden: boolean;
}

export const moderation = defineReducer<ModerationContext>({
  kind: moderationKind,
  revision: 1,
  roles: {},
  labels: ({ hidden }) => (hidden ? [hiddenLabel] : []),
  actions: {
    hide: {
      event: 'moderation.hidden',
      who: ['operator'],
      input: hideInput,
      reduce: (context, { input }: { input: is.TypeOf<typeof hideInput> }) =>
        context?.hidden ? refuse('CONFLICT', 'it is hidden already') : { ...input, hidden: true },
    },
    show: {
      event: 'moderation.shown',
      who: ['operator'],
      input: showInput,
      reduce: (context, { input }: { input: is.TypeOf<typeof showInput> }) =>
        context?.hidden ? { ...context, ...input, hidden: false } : refuse('CONFLICT', 'it is not hidden'),
    },
  },
});
