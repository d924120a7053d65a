/** The console's modules that check proofs. They are bundled here, because the console is a separate program with its own build. */
import { rolldown } from 'rolldown';

/** @param modules names of files in console/proof. @returns what they export, without types */
// biome-ignore lint/suspicious/noExplicitAny: the console has no compiled modules, so its types are not at hand
export async function consoleProof(...modules: readonly string[]): Promise<any> {
  const from = modules.map((name) => `export * from '${process.cwd()}/console/proof/${name}.ts';`).join('\n');
  const own = (id: string) => (id === 'virtual' ? id : null);
  const plugin = { name: 'entry', load: (id: string) => (id === 'virtual' ? from : null), resolveId: own };
  const bundle = await rolldown({ input: 'virtual', plugins: [plugin], logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}
