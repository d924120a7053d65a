/** Guesses a confidential value from hashes that all may read, knowing everything else. */
import { hash } from 'node:crypto';
import { canonical, type Json, type JsonObject } from '../../src/core/canonical.js';
import { isLeaf, type Leaf } from '../../src/core/leaf.js';

export const sha256 = (text: string | Uint8Array): string => hash('sha256', text, 'hex');

export const numbers: readonly number[] = Array.from({ length: 10_000 }, (_, index) => index + 1);

const verbs =
  'pay send deliver accept refuse return finish start repair translate write draw build test check call'.split(' ');
const things = 'the house the car the report the map the data the song the picture the letter the code the plan'.split(
  ' the ',
);
const whens = 'now today tomorrow soon later again never twice by Monday in May before noon at night this week'.split(
  ' ',
);
const extras = Array.from({ length: 100 }, (_, index) => String(index));

/** 100,000 phrases as people write them, the same in every run. */
export const phrases: readonly string[] = (() => {
  const made: string[] = [];
  for (const verb of verbs)
    for (const thing of things)
      for (const when of whens) for (const extra of extras) made.push(`${verb} ${thing} ${when} ${extra}`);
  return made.slice(0, 100_000);
})();

/** A value in a text, with what stands around it. */
export interface Hole {
  /** Names on the way to it, without the places in lists: `payment.totalAmount`. */
  readonly at: string;
  readonly was: number | Leaf;
  readonly before: string;
  readonly after: string;
}

const marker = 'the guess stands here';

/** Each number that is guessed, and each leaf, in the RFC 8785 form of a value. @param whole makes the whole of a changed one */
export function holesIn(value: Json, whole: (changed: Json) => Json = (changed) => changed): Hole[] {
  const holes: Hole[] = [];
  const visit = (each: Json, at: readonly string[], changed: (other: Json) => Json): void => {
    const isNumber = typeof each === 'number' && Number.isInteger(each) && each >= 1 && each <= numbers.length;
    if (isNumber || isLeaf(each)) {
      const [before, after] = canonical(whole(changed(marker))).split(JSON.stringify(marker)) as [string, string];
      holes.push({ at: at.join('.'), was: each, before, after });
    } else if (Array.isArray(each)) {
      for (const [index, inner] of (each as Json[]).entries())
        visit(inner, at, (other) => changed(each.with(index, other)));
    } else if (typeof each === 'object' && each !== null) {
      for (const [name, inner] of Object.entries(each as JsonObject))
        if (inner !== undefined)
          visit(inner, [...at, name], (other) => changed({ ...(each as object), [name]: other }));
    }
  };
  visit(value, [], (other) => other);
  return holes;
}

/** The reference to the leaf of a text, as JSON. @param salt hex */
export function leafText(text: string, salt: string): string {
  const bytes = Buffer.from(salt + Buffer.from(JSON.stringify(text)).toString('hex'), 'hex');
  return `{"leaf":"${sha256(bytes)}","size":${bytes.length - salt.length / 2}}`;
}
