/** The host of an assistant, played by a script: it starts `svc-node mcp` and calls its tools, as a model would. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export class Assistant {
  #client;
  /** What the owner was asked. */
  asked = [];

  /**
   * @param words of `svc-node mcp`
   * @param answers whether the owner agrees: called with each question
   */
  static async start({ program, words, answers }) {
    const assistant = new Assistant();
    const client = new Client(
      { name: 'agent-wallet', version: '1.0.0' },
      { capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', async ({ params: { message } }) => {
      assistant.asked.push(message);
      return answers(message) ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
    });
    const [command, ...before] = program;
    await client.connect(new StdioClientTransport({ command, args: [...before, 'mcp', ...words] }));
    assistant.#client = client;
    return assistant;
  }

  /** @returns what the server says, and as data what others have written */
  async call(name, input = {}) {
    const { content, isError = false } = await this.#client.callTool({ name, arguments: input });
    const [says, block] = content.map(({ text }) => text);
    return { says, data: block && JSON.parse(block.slice(block.indexOf('\n'), block.lastIndexOf('\n'))), isError };
  }

  /** Proposes an act and commits it: the two steps of everything that costs. */
  async act(action, input) {
    const proposed = await this.call('propose', { action, input });
    if (proposed.isError) return proposed;
    const [proposal] = /[0-9a-f]{16}-\d+/.exec(proposed.says);
    return this.call('commit', { proposal });
  }

  end() {
    return this.#client.close();
  }
}
