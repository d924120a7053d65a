/** The commands of the control socket that hide and show (docs/reference/moderation.md#how-to-hide). */
import type { SystemWriter } from '../../actors/system.js';
import { bounds } from '../../core/bounds.js';
import { parseAccount } from '../../core/codecs/address.js';
import { leavesIn } from '../../core/leaf.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { AdminLog } from '../../http/access/admin-log.js';
import type { ApiContext } from '../../http/context/api-context.js';
import { searchedOf } from '../../machines/catalogue.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import { isVisible, partiesOf } from '../../machines/kernel/visibility.js';
import { moderationKind } from '../../machines/moderation/moderation.js';
import { cardId } from '../../peers/cards/foreign-cards.js';
import type { HiddenTarget } from '../../projections/moderations.js';
import { act } from './act.js';
import type { ControlHandlers } from './control.js';

export type ModeratedParts = Pick<ApiContext, 'catalogue' | 'committed' | 'cards' | 'moderations' | 'store'>;

const decision = is.object({ target: is.text(300, 1), reason: is.text(1_000, 1), operator: is.text(200, 1) });

export function moderationHandlers(
  parts: ModeratedParts,
  { system, adminLog, by }: { readonly system: SystemWriter; readonly adminLog: AdminLog; readonly by: string },
): ControlHandlers {
  const { moderations } = parts;
  const decide = (action: 'hide' | 'show') =>
    act(decision, async ({ target: text, reason, operator }) => {
      const named = await targetIn(text, parts);
      if (isRefusal(named)) return named;
      const { target, owners } = named;
      if (action === 'hide' && !moderations.of(target) && moderations.all.length >= bounds.hiddenTargets)
        return refuse('UNPROCESSABLE', `${bounds.hiddenTargets} are hidden already, which is the most`);
      return adminLog.around<object>({ act: `moderation.${action}`, by, details: { target, reason } }, async () => {
        const input = { reason, operator, ...(action === 'hide' ? { owners: [...owners] } : {}) };
        const done = await system.execute({ kind: moderationKind, id: target, action, input });
        return isRefusal(done) ? done : { target, seq: done.entry.seq };
      });
    });
  return {
    'moderation.hide': decide('hide'),
    'moderation.show': decide('show'),
    'moderation.list': act(is.object({}), async () => ({ hidden: moderations.all })),
  };
}

/** What a text names: a DID, the hash of a text, or a listing of this or another home. */
async function targetIn(
  text: string,
  parts: ModeratedParts,
): Promise<Pick<HiddenTarget, 'target' | 'owners'> | Refusal> {
  const { catalogue, committed, cards, moderations } = parts;
  const did = text.length < 128 ? parseAccount(text) : undefined;
  if (did !== undefined) return { target: did, owners: [did] };
  const hidden = moderations.of(text);
  if (hidden) return hidden;
  if (!isRefusal(is.parse(is.hash, text))) return textNamed(text, parts);
  const kinds = searchedOf(catalogue);
  const id = cards.ownIdIn(text) ?? text;
  for (const { kind, search } of kinds) {
    const own = await committed.resource(kind, id);
    if (own && !isVisible(catalogue.definitions[kind] as AnyResource, own, undefined))
      return refuse('UNPROCESSABLE', `${id} is private: only its parties see it`);
    if (own) return { target: id, owners: [search!.of(own.state, own.context as never).owner] };
  }
  const card = await cards.find(kinds, text);
  if (!card || isRefusal(card))
    return card ?? refuse('LISTING_NOT_FOUND', `${text} is no DID, and no listing or text that is known here`);
  const { home, resource } = card;
  const { search } = kinds.find(({ kind }) => kind === resource.kind)!;
  return { target: cardId(resource.id, home), owners: [search!.of(resource.state, resource.context as never).owner] };
}

/** A text of this home. Who wrote it still sees it, whom it is addressed to, and all parties of its resource. */
async function textNamed(
  hash: string,
  { catalogue, committed, store }: ModeratedParts,
): Promise<Pick<HiddenTarget, 'target' | 'owners'> | Refusal> {
  const entry = await store.broughtBy(hash);
  if (!entry || !leavesIn(entry.payload.input).has(hash)) return refuse('NOT_FOUND', `no text ${hash}`);
  const { kind, id, input } = entry.payload;
  const definition = catalogue.definitions[kind];
  const resource = definition?.form === 'machine' ? await committed.resource(kind, id) : undefined;
  const parties = resource ? partiesOf(definition as AnyResource, resource.context) : [];
  const named = Object.values(input).filter((each) => !isRefusal(is.parse(is.did, each)));
  return { target: hash, owners: [...new Set([entry.core.event.issuer, ...parties, ...(named as string[])])] };
}
