/** Listings and orders as callers ask for them. */
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { expectStatus } from './answers.js';
import type { Body, Reply } from './client.js';
import type { Person } from './person.js';

export const infoPath = '/api/v1/markets/info';

/** The body that publishes information; `more` takes precedence. */
export const dataset = (more: Body = {}): Body => ({ ...infoListing.create.example, ...more });

export const publishes = async (seller: Person, more: Body = {}): Promise<Body> =>
  expectStatus(await seller.write(infoPath, dataset(more)), 201);

/** An action on a listing, or on an order below it. */
export const onListing = (who: Person, { listingId }: Body, action: string, body: Body = {}): Promise<Reply> =>
  who.write(`${infoPath}/${listingId}/actions/${action}`, body);

export const buys = async (buyer: Person, listing: Body, body: Body = {}): Promise<Body> =>
  expectStatus(await onListing(buyer, listing, 'purchase', body), 201);

/** The delivery where a test does not need a particular one. */
const accessUrl = 'https://example.org/rain.csv';

/** An action on an order, given by its view. */
export const onOrder = (who: Person, { listingId, orderId }: Body, action: string, body?: Body): Promise<Reply> =>
  onListing(who, { listingId }, action, { orderId, ...(body ?? (action === 'deliver' ? { accessUrl } : {})) });
