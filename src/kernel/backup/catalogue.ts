import type { Session } from '#kernel/database'

/** A table with all its rows. The rows of partitions belong to their partitioned table: a restore may have other partitions. */
export interface Table {
  readonly name: string
  /** Without generated columns, which PostgreSQL computes. */
  readonly columns: readonly string[]
}

/** Belongs to an installation, not to its data: a backup may be restored where another secret encrypts. */
const secretCheck = 'kernel_secret_check'

/** The tables that are backed up, by name. Unlogged tables are left out: a crash of the server empties them too. */
export function readTables(session: Session): Promise<Table[]> {
  return session.query<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
      join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and c.relpersistence = 'p'
      and c.relname <> '${secretCheck}'
      and a.attnum > 0
      and not a.attisdropped
      and a.attgenerated = ''
      and ${notOfExtension('c.oid')}
    group by c.relname
    order by c.relname collate "C"
  `)
}

/** The names of all tables, also of unlogged ones, without partitions, which go with their partitioned table. */
export async function readTableNames(session: Session): Promise<string[]> {
  const rows = await session.query<{ name: string }>(`
    select relname as name
    from pg_class c
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not relispartition and ${notOfExtension('c.oid')}
    order by relname
  `)
  return rows.map(({ name }) => name)
}

/** The functions of the schema, as `drop function` names them. */
export function readFunctions(
  session: Session,
): Promise<{ readonly name: string; readonly signature: string }[]> {
  return session.query(`
    select proname as name, oid::regprocedure::text as signature
    from pg_proc p
    where pronamespace = current_schema()::regnamespace and prokind = 'f' and ${notOfExtension('p.oid')}
  `)
}

export interface Sequence {
  readonly name: string
  /** A 64-bit integer, as text. */
  readonly value: string
  readonly called: boolean
}

/** The state of all sequences. It is not part of the snapshot of a transaction: read it after the rows, so that it is never behind them. */
export async function readSequences(session: Session): Promise<Sequence[]> {
  const names = await session.query<{ name: string }>(`
    select relname as name
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S'
    order by relname
  `)
  const sequences: Sequence[] = []
  for (const { name } of names) {
    const [state] = await session.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quoteName(name)}`,
    )
    if (state !== undefined) sequences.push({ name, ...state })
  }
  return sequences
}

export interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** The foreign keys. Those of partitions belong to their parent. */
export function readForeignKeys(session: Session): Promise<ForeignKey[]> {
  return session.query<ForeignKey>(`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0
    order by 1, 2
  `)
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Reads all rows of a table; PostgreSQL copies a partitioned one only as the result of a query. */
export function copyStatement({ name, columns }: Table): string {
  return `copy (select ${listColumns(columns)} from ${quoteName(name)}) to stdout`
}

export function listColumns(columns: readonly string[]): string {
  return columns.map(quoteName).join(', ')
}

function notOfExtension(oid: string): string {
  return `not exists (select from pg_depend d where d.objid = ${oid} and d.deptype = 'e')`
}
