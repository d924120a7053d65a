/** Canonical JSON (RFC 8785): the form in which events and entries are hashed. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
