/**
 * `<market>-listing.create`: a listing's id is unique across all markets, because searches, statistics and references
 * use it without the market.
 */
import { refuse } from '../../core/refusal.js';
import type { Workflow } from '../kernel/resource.js';
import { overListings } from './kinds.js';

/** @param kinds every kind of listing */
export const publishing = (kinds: readonly string[]): { readonly [action: string]: Workflow } =>
  Object.fromEntries(kinds.map((kind) => [`${kind}.create`, overListings(kinds, partsAmong)]));

const partsAmong =
  (kinds: readonly string[]): Workflow['subCommands'] =>
  (request, read) => {
    // Reads all kinds before it refuses, so that one more attempt loads them all.
    const taken = kinds.filter((kind) => read(kind, request.id) !== undefined);
    return taken.length > 0 ? refuse('CONFLICT', `listing ${request.id} exists already`) : [request];
  };
