import { bareId, capital, words } from '../../format/format.ts';
import type { View } from '../../shell/views.ts';
import { Charts } from './charts.tsx';

const view: View = {
  ...{ path: 'charts', title: 'Resources', order: 10, Page: Charts },
  titleOf: ({ segments: [kind = '', id] }) =>
    id === undefined ? undefined : `${capital(words(kind))} …${bareId(id).slice(-4)}`,
};
export default view;
