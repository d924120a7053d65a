/** The members of an object that somebody else has written: short values beside their names, the rest as JSON. */
import type { JsonObject } from '../api/types.ts';
import { count, instant, safeUrl, words } from '../format/format.ts';
import { JsonText } from './json.tsx';
import { type Fact, Facts } from './layout.tsx';
import { Did, Elsewhere } from './text.tsx';

const isTime = (name: string, value: unknown): value is number =>
  /(At|deadline|Deadline|By)$/.test(name) && typeof value === 'number' && value > 1e11;

function shortly(name: string, value: unknown) {
  if (isTime(name, value)) return instant(value);
  if (typeof value === 'number') return count(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') {
    if (/^did:svc:z[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(value)) return <Did did={value} />;
    return safeUrl(value) ? <Elsewhere url={value} /> : <span class="plain-text">{value}</span>;
  }
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(', ') : undefined;
}

export function Members({ of, label }: { of: JsonObject; label: string }) {
  const entries = Object.entries(of).map(([name, value]) => [name, value, shortly(name, value)] as const);
  const short: Fact[] = entries.map(([name, , text]) => [words(name), text]);
  const long = entries.filter(([, value, text]) => text === undefined && value !== null);
  return (
    <>
      <Facts facts={short} />
      {long.map(([name, value]) => (
        <JsonText key={name} value={{ [name]: value }} label={`${label}: ${name}`} />
      ))}
    </>
  );
}
