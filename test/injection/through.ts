import { type Client, Client as HttpClient } from '../node/support/client.js';
import type { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import type { Tamperer } from './tamperer.js';

/** A view of the node whose requests all go through the tamperer. @param people collects the people who are created */
export function through(node: TestNode, tamperer: Tamperer, people: Person[] = []): TestNode {
  const client: Client = new HttpClient(tamperer.url);
  const gathered = async (person: Promise<Person>): Promise<Person> => {
    people.push(await person);
    return person;
  };
  const instead: { readonly [name: string]: unknown } = {
    client,
    url: tamperer.url,
    person: () => gathered(node.person(client)),
    rich: (amount: number) => gathered(node.rich(amount, client)),
    keyed: async (key: Parameters<TestNode['key']>[0]) => client.keyed((await node.key(key)).key),
  };
  return new Proxy(node, {
    get(target, name) {
      if (name in instead) return instead[String(name)];
      const member = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
