/** The meaning of each bound in the configuration of a node (docs/reference/limits.md). */
import { bounds, type faucetQuotas, type rateLimits } from '../../core/bounds.js';
import * as a from '../../core/schema/shape.js';

const { bodyBytes, jsonDepth, pageLimit, pageOffset, nonceAhead } = bounds;
export const limits = { bodyBytes, jsonDepth, pageLimit, pageOffset, nonceAhead };

export const countsIn = <Name extends string>(meanings: { readonly [N in Name]: string }): a.ObjectSchema =>
  a.object(
    Object.fromEntries(Object.entries<string>(meanings).map(([name, says]) => [name, a.described(a.count, says)])),
  );

export const limitMeanings: { readonly [name in keyof typeof limits]: string } = {
  bodyBytes: 'The longest body, in bytes.',
  jsonDepth: 'How deep its JSON may be nested.',
  pageLimit: 'The most elements on a page.',
  pageOffset: 'The largest `offset` of a list.',
  nonceAhead: 'How far ahead of its predecessor a nonce may wait.',
};
export const rateMeanings: { readonly [name in keyof typeof rateLimits]: string } = {
  windowSeconds: 'Length of a window, in seconds.',
  originReads: 'Reads of one address in a window.',
  originWrites: 'Writes of one address in a window.',
  keyReads: 'Reads of one API key in a window.',
  keyWrites: 'Writes of one API key in a window.',
  passphraseFailures: 'Wrong passphrases of one caller for one DID in a window.',
  passphraseFailuresPerDid: 'Wrong passphrases of all callers for one DID in a window.',
  kdfRuns: 'Passphrases of one caller in a window that had to be checked.',
};
export const faucetMeanings: { readonly [name in keyof typeof faucetQuotas]: string } = {
  tokens: 'Tokens of one claim.',
  recipientCooldownMs: 'Milliseconds between two claims for one DID.',
  perDid: 'Claims for one DID in `perDidWindowMs`.',
  perDidWindowMs: 'Length of that window, in milliseconds.',
  perOriginDaily: 'Claims of one address in a day.',
  perSiteDaily: 'Claims of one IPv6 /48 in a day.',
  perProviderDaily: 'Claims of one IPv6 /32 in a day.',
  networkDailyTokens: 'Tokens of all claims in a day.',
};
