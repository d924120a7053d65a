/** The other home that the page shows a resource of: what it names is there, too. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { spelledId } from '../format/format.ts';

/** DID; undefined on pages of this node's own. */
export const PageHome = createContext<string | undefined>(undefined);

/** Spells ids and hashes for the reads and links of this page. */
export function useSpelling(): (id: string) => string {
  const home = useContext(PageHome);
  return (id) => (id.includes('~') ? id : spelledId(id, { home }));
}
