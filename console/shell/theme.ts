/** The theme as a signal: it is shown at once. */
import { effect, signal } from '@preact/signals';
import { keptTheme, showTheme, themeAfter } from './themes.ts';

export const theme = signal(keptTheme());

export function nextTheme(): void {
  theme.value = themeAfter(theme.value);
}

effect(() => showTheme(theme.value));
