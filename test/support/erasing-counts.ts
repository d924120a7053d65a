/** What the erasures after tests (test/world/erasing.ts) have gone through in this process. */
export const erasingCounts = { journals: 0, texts: 0, audits: 0, proofs: 0, cpuMs: 0 };

export type ErasingCounts = typeof erasingCounts;
