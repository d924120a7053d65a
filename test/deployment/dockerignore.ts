/** Whether .dockerignore excludes a path from the build: the last pattern that matches it, or one of its folders, decides. */
export function ignoredBy(source: string): (path: string) => boolean {
  const patterns = source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  return (path) => patterns.findLast(({ pattern }) => pattern.test(path))?.keeps === false;
}

const patternOf = (glob: string): RegExp =>
  new RegExp(`^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}(/|$)`);
