/** A copy of the object with other members. */
export function replaced<T extends object>(object: T, others: Partial<T>): T {
  return new Proxy(object, {
    get(target, member) {
      if (Object.hasOwn(others, member)) return others[member as keyof T];
      const value = Reflect.get(target, member, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
