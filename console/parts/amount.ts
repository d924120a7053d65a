/** The amount that a view of a resource is about. */
import type { JsonObject } from '../api/types.ts';

/** The amount of a resource in Tokens: of a contract without escrow what it plans; undefined if it has none yet. */
export function amountOf(view: JsonObject): number | undefined {
  const { amount, price, payment, milestones, money } = view;
  if (typeof amount === 'number' && amount > 0) return amount;
  const planned = typeof payment === 'object' && payment !== null ? (payment as JsonObject).totalAmount : undefined;
  const found = [planned, sumOf(milestones), price, money].find((each): each is number => typeof each === 'number');
  return found ?? (typeof amount === 'number' && milestones === undefined ? amount : undefined);
}

/** What the milestones cost together; undefined if nothing. */
function sumOf(milestones: unknown): number | undefined {
  if (!Array.isArray(milestones)) return undefined;
  return milestones.reduce((sum: number, { amount }: JsonObject) => sum + Number(amount ?? 0), 0) || undefined;
}
