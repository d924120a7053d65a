/** The long form of the tests (`npm run test:long`): more rounds, more kills, more random cases. */
export const isLong = Boolean(process.env.SVC_TEST_LONG);

/** How often a test kills: `SVC_TEST_KILLS`, if it is set. */
export const killCount = (short: number, long: number): number =>
  Number(process.env.SVC_TEST_KILLS ?? (isLong ? long : short));
