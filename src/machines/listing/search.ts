/**
 * The searchable content of a listing (docs/reference/markets.md#search), for all markets.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Searched } from '../kernel/searched.js';
import { isOffered, type ListingContext } from './machine.js';
import { leadPrice } from './pricing.js';

const weights = { title: 4, tags: 3, category: 2, description: 1 } as const;

/** The price facet: bands by number of digits. */
function priceBand(price: number): string {
  if (price === 0) return '0';
  const least = 10 ** (String(price).length - 1);
  return `${least}-${least * 10 - 1}`;
}

/** As searches state their values: in NFC, trimmed. */
const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((each) => typeof each === 'string')
    .map((each) => each.normalize('NFC').trim())
    .filter((each) => each !== '');

const member = (value: unknown, name: string): unknown => (value as JsonObject | null | undefined)?.[name];

/** Bounds for members that publish does not validate. Skills beyond the count or the length are not searchable. */
const mostSkills = 32;
const longestSkill = 64;

/** The skills next to the task or inside it, as words or as objects with a `name`. */
function skills({ skills: listed, task }: JsonObject): string[] {
  const inside = member(task, 'skills');
  const words = (Array.isArray(inside) ? inside : [inside]).map((each) => member(each, 'name') ?? each);
  return [
    ...texts(listed),
    ...texts(words)
      .filter((word) => word.length <= longestSkill)
      .slice(0, mostSkills),
  ];
}

/** @param state a listing in a final state no longer expires */
export function searched(state: string, context: ListingContext): Searched {
  const { marketType, title, description, category, tags, own, pricing } = context;
  const price = leadPrice(pricing);
  const typeName = `${marketType}Type`;
  const types = texts(own[typeName]);
  const labels: { readonly [name: string]: readonly string[] } = {
    market: [marketType],
    category: [category],
    tag: tags,
    type: types,
    [typeName]: types,
    skill: skills(own),
    contentFormat: texts(member(own.content, 'format')),
    accessMethod: texts(member(own.accessMethod ?? own.access, 'type')),
    price: [priceBand(price)],
  };
  return {
    texts: [
      [title, weights.title],
      [tags.join('\n'), weights.tags],
      [category, weights.category],
      [description, weights.description],
    ],
    labels: Object.entries(labels).flatMap(([name, values]) => [...new Set(values)].map((value) => `${name}:${value}`)),
    market: marketType,
    owner: context.seller,
    visibility: context.visibility,
    expiresAt: isOffered(state) ? context.expiresAt : null,
    price,
  };
}
