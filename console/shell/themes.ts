/** Light or dark: as the system, or as chosen in this browser, for the console, the guide and the API page. */
import { remember, remembered } from './local.ts';

const key = 'svc-theme';
export const themeTitles = { system: 'Light or dark: as the system', light: 'Always light', dark: 'Always dark' };
export type Theme = keyof typeof themeTitles;
const themes = Object.keys(themeTitles) as Theme[];

export const keptTheme = (): Theme => themes.find((each) => each === remembered(key)) ?? 'system';

/** Chooses what follows this one. */
export function themeAfter(theme: Theme): Theme {
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  remember(key, next === 'system' ? undefined : next);
  return next;
}

export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
