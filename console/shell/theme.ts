/** Light or dark: as the system, or as chosen in this browser, also for the guide and the API page. */
import { effect, signal } from '@preact/signals';
import { remember, remembered } from './local.ts';

const key = 'svc-theme';
const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const kept = remembered(key);
export const theme = signal<Theme>(themes.find((each) => each === kept) ?? 'system');

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length]!;
  remember(key, theme.value === 'system' ? undefined : theme.value);
}

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
