/**
 * A table of names without those that every object inherits, for look-ups by a name from outside: `constructor` or
 * `toString` finds nothing in it.
 */
export const ownNames = <Table extends object>(table: Table): Table =>
  Object.freeze(Object.assign(Object.create(null) as object, table)) as Table;
