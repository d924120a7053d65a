/** A seller in a process beside others: the arguments are its offer as JSON and the folder of used payments. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { sell, usedIn } from '../../../packages/payments/src/index.js';

const [offer, folder] = process.argv.slice(2) as [string, string];
const sale = sell({ ...JSON.parse(offer), used: usedIn(folder) });
const server = createServer(sale.http((_, response) => response.end('sold')));
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
