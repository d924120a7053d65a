/** Reads the output of `strace -f -y -o`: which bytes went where, what was synced, in which order. */

interface Call {
  readonly name: string;
  /** Path of the first argument, or `socket:[…]`. */
  readonly target: string;
  readonly text: string;
  readonly ok: boolean;
  /** Lines where the call started and returned. A call interrupted by others has two. */
  readonly start: number;
  readonly end: number;
}

const whole = /^(\d+) +[\d:.]+ (\w+)\((.*)\) += (-?\d+)/;
const begun = /^(\d+) +[\d:.]+ (\w+)\((.*) <unfinished \.\.\.>$/;
const resumed = /^(\d+) +[\d:.]+ <\.\.\. (\w+) resumed>(.*)\) += (-?\d+)/;

function callsOf(trace: string): Call[] {
  const calls: Call[] = [];
  const open = new Map<string, { readonly text: string; readonly start: number }>();
  for (const [line, each] of trace.split('\n').entries()) {
    const start = begun.exec(each);
    if (start) open.set(`${start[1]} ${start[2]}`, { text: start[3]!, start: line });
    const end = whole.exec(each) ?? resumed.exec(each);
    if (!end) continue;
    const [, pid, name, rest, result] = end;
    const before = each.includes(' resumed>') ? open.get(`${pid} ${name}`) : undefined;
    const text = (before?.text ?? '') + rest;
    const target = /^\d+<([^>]*)>/.exec(text)?.[1] ?? '';
    calls.push({ name: name!, target, text, ok: Number(result) >= 0, start: before?.start ?? line, end: line });
  }
  return calls;
}

const isLog = ({ target }: Call): boolean => target.endsWith('/journal.db-wal');
const isSync = ({ name }: Call): boolean => name === 'fsync' || name === 'fdatasync';
const isReply = ({ target, text }: Call): boolean => target.startsWith('socket:') && /HTTP\/1\.1 2\d\d /.test(text);

/**
 * Checks the write whose bytes contain `marker`, which its reply repeats, if nothing else was written at that time. Returns
 * what is wrong, or undefined if the 2xx was sent after a successful sync of everything written to the log.
 */
export function flawOfWay(trace: string, marker: string): string | undefined {
  const calls = callsOf(trace);
  const written = calls.find((call) => isLog(call) && !isSync(call) && call.ok && call.text.includes(marker));
  const reply = calls.find((call) => isReply(call) && call.text.includes(marker));
  if (!reply) return `${marker} was not answered`;
  if (!written) return `${marker} was never written to the log`;
  if (written.end > reply.start) return `${marker} was answered before it was written`;
  const synced = ({ end }: Call): boolean =>
    calls.some((call) => isSync(call) && isLog(call) && call.ok && call.start > end && call.end < reply.start);
  if (!synced(written)) return `${marker} was answered before it was synced`;
  const last = calls.filter((call) => isLog(call) && !isSync(call) && call.start < reply.start).at(-1)!;
  return synced(last) ? undefined : `${marker} was answered while a part of its transaction was not synced`;
}

/**
 * Checks that each segment is on disk, under its name, before the log says that it has the entries. Returns what is wrong, or
 * undefined; `segments` counts those that the log has.
 */
export function flawOfSegments(trace: string): { readonly flaw: string | undefined; readonly segments: number } {
  const calls = callsOf(trace);
  const synced = (path: string, after: Call, before: Call): boolean =>
    calls.some(
      (call) => isSync(call) && call.target === path && call.ok && call.start > after.end && call.end < before.start,
    );
  let segments = 0;
  for (const renamed of calls.filter(({ name }) => name === 'rename')) {
    const [, partial, file, folder, sha256] = /^"(.*)", "((.*)\/\d+-([0-9a-f]{64})\.segment)"/.exec(renamed.text) ?? [];
    if (!partial || !file || !folder || !sha256) continue;
    const logged = calls.find((call) => isLog(call) && !isSync(call) && call.text.includes(sha256));
    if (!logged) continue;
    segments += 1;
    const written = calls.findLast(
      ({ target, name, end }) => target === partial && name === 'write' && end < renamed.start,
    );
    const flaw = !written
      ? 'was never written'
      : !synced(partial, written, renamed)
        ? 'was renamed before it was synced'
        : !synced(folder, renamed, logged)
          ? 'is in the log before its name was synced'
          : undefined;
    if (flaw) return { flaw: `${file} ${flaw}`, segments };
  }
  return { flaw: undefined, segments };
}
