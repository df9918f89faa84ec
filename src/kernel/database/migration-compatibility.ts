import { UserError } from '#kernel/errors'
import type { MigrationFile } from './migration-files.ts'

/**
 * The level of this program. A contracting migration names the lowest level that works with it. Raise the level in the release whose
 * code stops using what a later release will remove, and add a line here.
 *
 * | level | since | programs of this level                                |
 * |-------|-------|-------------------------------------------------------|
 * | 1     | 0.1.0 | stay ready while the database is newer and supports them |
 */
export const programLevel = 1

/** What running replicas of older releases meet after a migration. */
export interface Compatibility {
  /** The lowest program level that works with the migration; null: only programs that know it. */
  readonly minSupported: number | null
  /** Statements that may break an older program. Empty when the file has a mark. */
  readonly unmarked: readonly string[]
}

/**
 * Tells which older programs work with a migration, from a comment of its own line or else from its statements.
 *
 * | the file has                                    | it works with                            |
 * |-------------------------------------------------|------------------------------------------|
 * | `-- contracts: level 2, because …`              | programs of level 2 and above            |
 * | `-- expands: because …`                         | all programs; its author has checked it  |
 * | no mark, only statements that add something     | all programs                             |
 * | no mark, any other statement                    | programs that know it (and tests refuse it) |
 *
 * Throws a `UserError` for a mark without a level or a reason.
 */
export function compatibilityOf({
  owner,
  name,
  sql,
}: Pick<MigrationFile, 'owner' | 'name' | 'sql'>): Compatibility {
  const [mark, second] = [...sql.matchAll(/^-- (expands|contracts)\b:?[ ]*(.*)$/gm)]
  if (mark === undefined) {
    const unmarked = riskyStatements(sql)
    return { minSupported: unmarked.length === 0 ? 0 : null, unmarked }
  }
  const [, kind, text = ''] = mark
  const level = Number(/^level (\d+)\b/.exec(text)?.[1])
  const isComplete = kind === 'expands' ? text !== '' : level > 0
  if (second !== undefined || !isComplete) {
    throw new UserError(
      `Migration ${owner}/${name}.sql: write one comment "-- expands: REASON" or "-- contracts: level N, REASON".`,
    )
  }
  return { minSupported: kind === 'expands' ? 0 : level, unmarked: [] }
}

/** The statements of a file that do more than add something which older programs ignore. */
function riskyStatements(sql: string): string[] {
  const statements = splitStatements(sql)
  const created = new Set(statements.flatMap((statement) => createdTable.exec(statement)?.[1] ?? []))
  return statements.filter((statement) => !onlyAdds(statement, created))
}

/** Without comments, contents of strings and bodies of functions. */
function splitStatements(sql: string): string[] {
  return sql
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/g, (part) =>
      part.startsWith('-') || part.startsWith('/') ? ' ' : "''",
    )
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '')
}

const createdTable = /^create (?:unlogged )?table (?:if not exists )?(\w+)/
const changedTable =
  /^(?:alter table (?:if exists )?(?:only )?|insert into |update |create (?:unique )?index (?:if not exists )?\w+ on |create trigger .* on )(\w+)/
const alwaysAdds =
  /^create (?:unlogged )?table |^create (?:type|sequence|index|function|view) |^(?:comment|analyze) /

/** A new table can be changed in any way: no older program uses it. */
function onlyAdds(statement: string, created: ReadonlySet<string>): boolean {
  const table = changedTable.exec(statement)?.[1]
  if (table !== undefined && created.has(table)) return true
  if (alwaysAdds.test(statement)) return true
  const actions = /^alter table (?:if exists )?(?:only )?\w+ (.*)$/.exec(statement)?.[1]
  return (
    actions !== undefined &&
    splitAtCommas(actions).every((action) => addsOptionalColumn(action) || action.startsWith('set ('))
  )
}

/** A column that the inserts of older programs may leave out. A unique or referencing one could refuse their rows. */
function addsOptionalColumn(action: string): boolean {
  const isColumn = /^add (?:column )(?:if not exists )?\w+ /.test(action)
  const isRequired = /\bnot null\b/.test(action) && !/\bdefault\b|\bgenerated\b/.test(action)
  return isColumn && !isRequired && !/\b(?:unique|primary key|references|check)\b/.test(action)
}

function splitAtCommas(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim())
}
