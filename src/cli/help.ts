/** Help texts: the purpose of a command, then examples to copy. */
import type { Command } from 'commander';

export function withExamples(command: Command, ...examples: readonly (readonly [line: string, meaning: string])[]) {
  const lines = examples.map(([line, meaning]) => `  # ${meaning}\n  $ svc-node ${line}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n\n')}`);
}
