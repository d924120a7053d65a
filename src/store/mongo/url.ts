/** The operator's URL: its database name, and messages without its credentials. */

import { sha256Hex } from '../../core/canonical.js';
import { StoreRefused } from '../store.js';

/** The URL's database, else `svc`, with the network appended: networks never share data. */
export function databaseOf(url: string, network: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/i.exec(url)?.[1];
  return `${path ? decodeURIComponent(path) : 'svc'}-${network}`;
}

/** The most bytes of a database's name. */
const longestName = 63;

/** The database of a followed feed: the own database's name, and the first 64 bits of the home's hash. */
export function replicaDatabaseOf(own: string, home: string): string {
  const name = `${own}-peer-${sha256Hex(home).slice(0, 16)}`;
  if (Buffer.byteLength(name) <= longestName) return name;
  throw new StoreRefused(
    `the database ${own} (SVC_STORE) has a name that is too long for copies of followed feeds next to it`,
  );
}

/** Removes the URL, its user and its password from a text. */
export function withoutCredentials(text: string, url: string): string {
  const userInfo = /^mongodb(?:\+srv)?:\/\/([^/?]*)@/i.exec(url)?.[1];
  const secrets = userInfo ? [userInfo, ...userInfo.split(':')] : [];
  const spelled = secrets.flatMap((secret) => [secret, decoded(secret)]).filter((secret) => secret.length > 0);
  // Longest first, so that replacing a shorter form leaves no part of a longer one.
  const sorted = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  return sorted.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The URL is badly encoded, so there are no other forms to replace.
    return text;
  }
}
