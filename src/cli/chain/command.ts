import type { Command } from 'commander';
import { withExamples } from '../help.js';
import { addDeploy } from './deploy.js';

export function addChain(program: Command): void {
  const chain = program.command('chain').description('Deploy the contracts that a node settles on.');
  addDeploy(chain);
  withExamples(chain, ['chain deploy', 'puts them on the chain of SVC_RPC_URL']);
}
