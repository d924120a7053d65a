import type { View } from '../../shell/views.ts';
import { Ledger } from './ledger.tsx';

const view: View = { path: 'ledger', title: 'Ledger', order: 20, Page: Ledger };
export default view;
