/** Small settings of this browser. A browser that keeps none (private windows, blocked storage) forgets them silently. */
export function remembered(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param value undefined: forgets it */
export function remember(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The setting holds until the page is left.
  }
}
