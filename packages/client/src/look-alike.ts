/**
 * Whether two names look the same: case, accents, blanks, marks and what has no form do not count, and letters count as
 * the Latin ones that they look like. The pairs are those of Latin, Greek and Cyrillic letters in Unicode's confusables.txt
 * (UTS #39), in both cases, and the digits 0 and 1.
 */

/** Latin letters, and what looks like them; in the first row, what looks like the digit 1. */
const rows = [
  '1Il|ΙІӀǀ',
  ...['aαɑаΑА', 'bΒВЬ', 'cсϲϹС', 'dԁԀ', 'eеҽΕЕ', 'gɡԌ', 'hһΗН', 'iıιіӏɪɩ', 'jјϳЈͿ', 'kκкΚК', 'mмΜМ', 'nΝ', 'o0οоσΟО'],
  ...['pρрΡР', 'qԛԚ', 'rг', 'sѕЅ', 'tтΤТ', 'uυʋ', 'vνѵѴ', 'wԝԜѡ', 'xχхΧХ', 'yγуүΥУҮʏ', 'zΖ'],
];
const latin = new Map(rows.flatMap(([letter = '', ...others]) => others.map((other) => [other, letter] as const)));

const formless = /[\p{M}\p{P}\p{Z}\p{C}]|\p{DI}/gu;
const asLatin = (text: string): string => Array.from(text, (letter) => latin.get(letter) ?? letter).join('');

/** Two names look the same if they have one of these in common: as they are written, and in capitals. */
export function looksOf(name: string): readonly string[] {
  const plain = name.normalize('NFKD').replace(formless, '') || name;
  const written = asLatin(plain).toLowerCase().replaceAll('rn', 'm').replaceAll('vv', 'w');
  return [written, asLatin(plain.toUpperCase()).toUpperCase()];
}

/** The DIDs with a name, by what their names look like. */
export class NamesAlike {
  readonly #dids = new Map<string, Set<string>>();

  constructor(names: Iterable<readonly [did: string, name: string]>) {
    for (const [did, name] of names) this.#add(did, name);
  }

  #add(did: string, name: string): void {
    for (const [at, look] of looksOf(name).entries()) {
      const dids = this.#dids.get(`${at} ${look}`) ?? new Set();
      this.#dids.set(`${at} ${look}`, dids.add(did));
    }
  }

  /** Another DID whose name looks like this one. */
  other(did: string, name: string): string | undefined {
    const alike = looksOf(name).flatMap((look, at) => [...(this.#dids.get(`${at} ${look}`) ?? [])]);
    return alike.find((each) => each !== did);
  }
}
