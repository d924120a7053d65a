/** The data for a resource's story: its view, its newest definition, its entries, and what they moved. */
import { useMemo } from 'preact/hooks';
import type { Problem } from '../../../api/problem.ts';
import { path } from '../../../api/read.ts';
import type { Entry, JsonObject, MachineChart, MachineHistory } from '../../../api/types.ts';
import { useMachines } from '../../../api/use-machines.ts';
import { useRead, useReadOf } from '../../../api/use-read.ts';
import { mostElsewhere, mostEntries, useResourceEntries } from '../../../api/use-resource-entries.ts';
import { bareId } from '../../../format/format.ts';
import type { Reference } from '../../../parts/references.ts';
import { isFilled, moneyOf, type StepMoney } from './money.ts';
import { relatedIn } from './view.ts';

export interface StoryData {
  /** Undefined until it is read, or if it cannot be read. */
  readonly view: JsonObject | undefined;
  readonly chart: MachineChart | undefined;
  /** The oldest ones, as far as they are read. */
  readonly entries: readonly Entry[];
  readonly byHash: ReadonlyMap<string, Entry>;
  readonly money: ReadonlyMap<number, StepMoney>;
  /** What its entries also made or changed: the order of an awarded task, the dispute of a contract. */
  readonly related: readonly Reference[];
  /** Whether the view and all entries up to the history's version, or the most that are read, are here. */
  readonly isRead: boolean;
  readonly problem: Problem | undefined;
  /** Reads again what could not be read. */
  reload(): void;
}

const noMoney: ReadonlyMap<number, StepMoney> = new Map();

export function useStory(history: MachineHistory): StoryData {
  const { kind, id, version, machine, steps, home } = history;
  const bare = bareId(id);
  const machines = useMachines();
  const base = machines.data?.machines.find((each) => each.kind === kind)?.links.resources;
  const view = useReadOf<JsonObject>(base === undefined ? undefined : base + path`/${id}`, version);
  const chart = useRead<MachineChart>(path`/api/v1/machines/${kind}?version=${machine}`);
  const read = useResourceEntries(history);
  const { entries } = read;
  const byHash = useMemo(() => new Map(entries.map((entry) => [entry.event.hash, entry])), [entries]);
  const escrow = kind === 'escrow' ? bare : view.data?.escrowId;
  const locked = kind === 'dispute' ? Number(view.data?.amount ?? 0) : 0;
  const money = useMemo(() => {
    if (typeof escrow !== 'string') return noMoney;
    const found = moneyOf(steps, byHash, { escrow, locked });
    // If another resource's request has filled the escrow, these entries do not say how much is in it.
    return kind === 'escrow' || [...found.values()].some(({ after }) => isFilled(after)) ? found : noMoney;
  }, [kind, escrow, locked, steps, byHash]);
  const isShown = (each: string) => machines.data?.machines.find((one) => one.kind === each)?.isMachine === true;
  const related = useMemo(() => relatedIn(entries, { kind, id: bare }, isShown), [kind, bare, entries, machines.data]);
  const hasView = machines.data !== undefined && (base === undefined || view.data !== undefined);
  const failed = [machines, view, read].find(({ problem }) => problem);
  return {
    ...{ view: view.data, chart: chart.data, entries, byHash, money, related },
    isRead: hasView && entries.length >= Math.min(history.total, home === undefined ? mostEntries : mostElsewhere),
    problem: failed?.problem,
    reload: () => failed?.reload(),
  };
}
