/** Which files declare a type: interfaces, aliases, classes and enums, exported or not. */
const declaration =
  /^\s*(?:export\s+)?(?:declare\s+)?(?:abstract\s+)?(?:const\s+)?(?:interface|type|class|enum)\s+([A-Za-z_$][\w$]*)\s*(?:[<{=]|extends\b|implements\b)/gm;

/** What adds to the types of another package. */
const augmentation = /^declare global \{.*?^\}/gms;

export const typesIn = (code: string): string[] => [
  ...new Set([...code.replace(augmentation, '').matchAll(declaration)].map(([, name]) => name!)),
];

/** The names that more than one file declares, each with those files. @param namesIn types, exported or not, by default */
export function declaredTwice(files: ReadonlyMap<string, string>, namesIn = typesIn): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [file, code] of files)
    for (const name of namesIn(code)) places.set(name, [...(places.get(name) ?? []), file]);
  return new Map([...places].filter(([, declaring]) => declaring.length > 1));
}

const exportedFunction =
  /^export (?:(?:async )?function\*? (\w+)|const (\w+)(?::[^\n]*?)? =\s+(?:async )?(?:<[^>\n]*>)?(?:\([^\n]*=>|\w+ =>|\(\n))/gm;

/** Names of exported functions. */
export const functionsIn = (code: string): string[] => [
  ...new Set([...code.matchAll(exportedFunction)].map(([, declared, assigned]) => (declared ?? assigned)!)),
];
