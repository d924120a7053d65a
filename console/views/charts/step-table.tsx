/** All steps as a table: transition, amounts moved, and the rule that permitted each. */
import { reasonOf, ruleOfStep } from '../../../packages/client/src/rule-met.ts';
import type { Entry, JsonObject, MachineStep } from '../../api/types.ts';
import { count, duration, tokens } from '../../format/format.ts';
import type { Amounts } from '../../format/outcome.ts';
import { stateText } from '../../format/states.ts';
import { Erased } from '../../parts/erased.tsx';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { useSpelling } from '../../parts/page-home.ts';
import { Did, Time } from '../../parts/text.tsx';
import { sha256HexOfHex } from '../../proof/hash.ts';
import { entryOfStep, roleText } from './step-name.ts';
import { nothing, remainingOf, type StepMoney } from './story/money.ts';

interface StepTableProps {
  readonly id: string;
  readonly steps: readonly MachineStep[];
  readonly at: MachineStep;
  readonly money: ReadonlyMap<number, StepMoney>;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly view: JsonObject | undefined;
  /** Whether the view and the entries are complete. */
  readonly isRead: boolean;
  onStep(step: number): void;
}

interface StepRow {
  readonly step: MachineStep;
  readonly rule: string | undefined;
  readonly reason: string | null | undefined;
  readonly call: string | undefined;
}

/**
 * What each call of a lease used and cost: `2 units, failed, 4 Tokens`; no Tokens where the plan counts time, or after a call
 * whose request this reader may not see, because the last one takes only what is left of the budget.
 */
function callsOf(
  steps: readonly MachineStep[],
  entries: ReadonlyMap<string, Entry>,
  view: JsonObject | undefined,
): ReadonlyMap<number, string> {
  const calls = new Map<number, string>();
  const { plan, unitPrice } = (view ?? {}) as {
    readonly plan?: { readonly budget: number | null };
    readonly unitPrice?: number;
  };
  let left = plan?.budget ?? undefined;
  for (const { step, action, eventHash } of steps) {
    if (action !== 'invoke') continue;
    const input = entries.get(eventHash)?.payload?.input;
    if (!input) left = undefined;
    if (!input) continue;
    const units = Number(input.units ?? 1);
    const whole = units * Number(unitPrice);
    const cost = left === undefined ? undefined : Math.min(left, whole);
    if (left !== undefined && cost !== undefined) left -= cost;
    const used = `${count(units)} ${units === 1 ? 'unit' : 'units'}`;
    const failed = input.success === false ? [cost ? 'failed but charged' : 'failed'] : [];
    const charged = cost === undefined ? [] : [`${tokens(cost)}${cost < whole ? ', all that was left' : ''}`];
    calls.set(step, [used, ...failed, ...charged].join(', '));
  }
  return calls;
}

const exportedOf = (money: ReadonlyMap<number, StepMoney>, hasCalls: boolean): readonly ExportColumn<StepRow>[] => [
  { name: 'step', of: ({ step }) => step.step },
  { name: 'action', of: ({ step }) => step.action ?? step.eventType },
  ...(hasCalls ? [{ name: 'call', of: ({ call }: StepRow) => call }] : []),
  { name: 'inside', of: ({ step }) => step.nested?.id },
  { name: 'from', of: ({ step }) => step.nested?.from ?? step.from },
  { name: 'to', of: ({ step }) => step.nested?.to ?? step.to },
  { name: 'moved', of: ({ step }) => movedText(money.get(step.step)) },
  { name: 'amount', of: ({ step }) => money.get(step.step)?.moved.at(-1)?.amount },
  { name: 'remaining', of: ({ step }) => remainingIn(money.get(step.step)) },
  { name: 'rule', of: ({ rule }) => rule },
  { name: 'reason', of: ({ reason }) => (reason === null ? 'erased' : reason) },
  { name: 'role', of: ({ step }) => step.role },
  { name: 'signer', of: ({ step }) => step.signer },
  { name: 'time', of: ({ step }) => isoTime(step.recordedAt) },
  { name: 'entry', of: ({ step }) => step.seq },
  { name: 'eventHash', of: ({ step }) => step.eventHash },
  { name: 'transaction', of: ({ step }) => step.txHash },
];

const remainingIn = (money: StepMoney | undefined): number | undefined => money && remainingOf(money.after);

/** Time since the previous step: `+1 min 5 s`, `+12 ms`. */
export function since(before: MachineStep | undefined, { recordedAt }: MachineStep): string {
  if (!before) return '';
  const ms = recordedAt - before.recordedAt;
  return `+${ms < 1_000 ? `${ms}\u00a0ms` : duration(ms / 1_000)}`;
}

export const movedText = (money: StepMoney | undefined): string =>
  (money?.moved ?? []).map(({ how, amount }) => `${count(amount)} ${how}`).join(', ');

export function StepTable({ id, steps, at, money, entries, view, isRead, onStep }: StepTableProps) {
  const spelled = useSpelling();
  const hasMoney = money.size > 0;
  const calls = callsOf(steps, entries, view);
  const rows = steps.map((step, index) => {
    const entry = entries.get(step.eventHash);
    const signed = { view, entry, spelled };
    return {
      step,
      entry,
      rule: ruleOfStep(step, { entry, view, hashOfHex: sha256HexOfHex }),
      reason: reasonOf(entry),
      call: calls.get(step.step),
      role: roleText(step, signed),
      since: since(steps[index - 1], step),
    };
  });
  const hasRules = rows.some(({ rule }) => rule !== undefined);
  const hasCalls = rows.some(({ call }) => call !== undefined);
  const hasReasons = rows.some(({ reason }) => reason !== undefined);
  const columns = [
    ...['#Step', 'Action', 'State'],
    ...(hasMoney ? ['#Amount', '#Remaining'] : []),
    ...(hasRules ? ['Rule met'] : []),
    ...(hasReasons ? ['Reason'] : []),
    ...['Role', 'Signer', 'Time', '#Since before', '#Entry'],
  ];
  return (
    <Panel
      title="All steps"
      aside={isRead && <Export name={`steps of ${id}`} columns={exportedOf(money, hasCalls)} rows={rows} />}
    >
      <div class={`dense step-rows ${hasRules || hasReasons ? '' : 'without-rules'}`}>
        <Table caption="Steps, oldest first" columns={columns} exported={`steps of ${id}`}>
          {rows.map(({ step, rule, reason, call, role, since: passed }) => (
            <tr
              key={step.step}
              class={step.step === at.step ? 'chosen' : ''}
              aria-current={step.step === at.step ? 'step' : undefined}
            >
              <td class="number at-step">
                <button
                  type="button"
                  class="quiet"
                  onClick={() => onStep(step.step)}
                  aria-label={`Open step ${step.step}`}
                >
                  {step.step}
                </button>
              </td>
              <td class="at-action">
                {step.action ?? <code>{step.eventType}</code>}
                {call && <span class="faint"> {call}</span>}
                {step.nested && (
                  <span class="faint">
                    {' '}
                    {step.nested.machine} {step.nested.id}
                  </span>
                )}
              </td>
              <td class="at-state">
                <States step={step} after={money.get(step.step)?.after ?? nothing} />
              </td>
              {hasMoney && <Money money={money.get(step.step)} />}
              {hasRules && <td class="rule at-rule">{rule}</td>}
              {hasReasons && <td class="reason plain-text at-reason">{reason === null ? <Erased /> : reason}</td>}
              <td class="at-role">{role}</td>
              <td class="at-signer">
                <Did did={step.signer} />
              </td>
              <td class="at-time">
                <Time at={step.recordedAt} />
              </td>
              <td class="number at-since">{passed}</td>
              <td class="number at-entry" data-says="entry">
                <a href={entryOfStep(step, spelled)}>{count(step.seq)}</a>
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </Panel>
  );
}

/** From and to; one state if they are the same. */
function States({ step: { from, to, nested }, after: amounts }: { step: MachineStep; after: Amounts }) {
  const [before, after] = nested ? [nested.from, nested.to] : [from, to];
  const said = stateText(after, amounts);
  if (before === after) return said;
  return (
    <>
      {before === null ? <span class="faint">new</span> : stateText(before)} → {said}
    </>
  );
}

const Money = ({ money }: { money: StepMoney | undefined }) => (
  <>
    <td class="number at-amount">{movedText(money) || <span class="faint">–</span>}</td>
    <td class="number at-left" data-says="remaining">
      {money ? count(remainingOf(money.after)) : ''}
    </td>
  </>
);
