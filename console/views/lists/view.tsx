import type { View } from '../../shell/views.ts';
import { Lists } from './lists.tsx';

const view: View = { path: 'lists', title: 'Lists', order: 5, Page: Lists };
export default view;
