/** Small settings, stored in this browser. If the browser blocks storage (private windows), they are lost silently. */
export function remembered(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param value undefined: removes the setting */
export function remember(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage the setting lasts as long as the page.
  }
}
