/** Columns of the owner's own to write along, by name. Objects become JSON; give a JSON array as text. */
export type ColumnValues = Readonly<Record<string, unknown>>

/** Stands for the database's own time in `ColumnValues`. */
export const databaseNow: unique symbol = Symbol('now()')

const identifier = /^[a-z_][a-z0-9_]{0,62}$/

/** Names are written into statements as they are, so they come from code and from nowhere else. */
export function checkIdentifier(name: string): string {
  if (!identifier.test(name))
    throw new TypeError(`${JSON.stringify(name)} is not a plain lower-case SQL name`)
  return name
}

/** `, a = $4, b = now()`, with the values for it added to `values`. */
export function writeAssignments(set: ColumnValues, values: unknown[]): string {
  return Object.entries(set)
    .map(([column, value]) => {
      if (column.startsWith('work_')) throw new TypeError(`${column} is written by the queue alone`)
      return `, ${checkIdentifier(column)} = ${value === databaseNow ? 'now()' : `$${values.push(value)}`}`
    })
    .join('')
}
