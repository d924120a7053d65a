/** Resolves in the next turn of the event loop, after all that this one still brings. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
