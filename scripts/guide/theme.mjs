/** Loaded before the page is drawn, so that it does not flash in the other colours. */
import { keptTheme, showTheme } from '../../console/shell/themes.ts';

showTheme(keptTheme());
