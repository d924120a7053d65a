import type { View } from '../../shell/views.ts';
import { Markets } from './markets.tsx';

const view: View = {
  path: 'markets',
  title: 'Markets',
  titleOf: ({ segments: [, id] }) => (id === undefined ? undefined : 'Listing'),
  order: 30,
  Page: Markets,
};
export default view;
