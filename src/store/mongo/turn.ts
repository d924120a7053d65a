/** Resolves in the next turn of the event loop, after all callbacks of this one. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
