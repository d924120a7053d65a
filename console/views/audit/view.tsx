import type { View } from '../../shell/views.ts';
import { Audit } from './audit.tsx';

const view: View = { path: 'audit', title: 'Audit', order: 50, Page: Audit };
export default view;
