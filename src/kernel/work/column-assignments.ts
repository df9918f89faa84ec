/** Additional columns to write, by name. Objects become JSON; pass a JSON array as text. */
export type ColumnValues = Readonly<Record<string, unknown>>

/** The current time of the database, as a value in `ColumnValues`. */
export const databaseNow: unique symbol = Symbol('now()')

const identifier = /^[a-z_][a-z0-9_]{0,62}$/

/** Names are written into statements unescaped, so they must come from code. Throws a `TypeError` for other names. */
export function checkIdentifier(name: string): string {
  if (!identifier.test(name))
    throw new TypeError(`${JSON.stringify(name)} is not a plain lower-case SQL name`)
  return name
}

/** Returns `, a = $4, b = now()` and appends the values to `values`. */
export function writeAssignments(set: ColumnValues, values: unknown[]): string {
  return Object.entries(set)
    .map(([column, value]) => {
      if (column.startsWith('work_')) throw new TypeError(`only the queue may write ${column}`)
      return `, ${checkIdentifier(column)} = ${value === databaseNow ? 'now()' : `$${values.push(value)}`}`
    })
    .join('')
}
