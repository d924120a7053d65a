/** The admin key that the user entered. It stays in this page's memory and goes only with requests that need it. */
import { signal } from '@preact/signals';

export const adminKey = signal<string | undefined>(undefined);
