/** The time zone of all displayed times: UTC or the browser's. The choice is stored in this browser. */
import { signal } from '@preact/signals';
import { remember, remembered } from '../shell/local.ts';

export type Zone = 'utc' | 'local';

const key = 'svc-zone';

export const zone = signal<Zone>(remembered(key) === 'local' ? 'local' : 'utc');

export function chooseZone(chosen: Zone): void {
  zone.value = chosen;
  remember(key, chosen === 'utc' ? undefined : chosen);
}
