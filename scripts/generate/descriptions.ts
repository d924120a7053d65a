/** Calls of what takes a description, quoted texts, and single characters. */
const tokens = /\b(?:described|optional|nullable)\(|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|[\s\S]/g;

/** A bracket that is open. */
interface Bracket {
  readonly isDescribed: boolean;
  isPastSchema: boolean;
}

/** @returns the source without the second arguments of `described(schema, text)` and `optional(schema, text)`: a description decides nothing */
export function withoutDescriptions(source: string): string {
  const open: Bracket[] = [];
  let kept = '';
  for (const [token] of source.matchAll(tokens)) {
    const last = open.at(-1);
    if (/[([{]$/.test(token) && !/^['"`]/.test(token)) {
      open.push({ isDescribed: token.length > 1, isPastSchema: false });
    } else if (/^[)\]}]$/.test(token)) open.pop();
    else if (token === ',' && last?.isDescribed) last.isPastSchema = true;
    if (!open.some(({ isPastSchema }) => isPastSchema)) kept += token;
  }
  return kept;
}
