/** The long form of the tests (`npm run test:long`): more rounds, more kills, more random cases. */
export const isLong = Boolean(process.env.SVC_TEST_LONG);
