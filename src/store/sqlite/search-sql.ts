import type { Value } from './safe-rows.js';

export type All = <T>(sql: string, values: readonly Value[]) => T[];

export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
}

export const sql = (text: string, ...values: readonly Value[]): Sql => ({ text, values });

export const joinedSql = (parts: readonly Sql[], between: string): Sql => ({
  text: parts.map(({ text }) => text).join(between),
  values: parts.flatMap(({ values }) => values),
});

/** The selected part of an index partition. Expired documents stay in it until their alarm is handled. */
export interface IndexPartition {
  readonly partition: number;
  readonly count: number;
  readonly part: 'all' | 'fresh' | 'expired';
  /** True to select only the reader's own documents. */
  readonly own: boolean;
}
