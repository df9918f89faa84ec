import type { Database } from '#kernel/database'

/**
 * The contents of all tables, as a digest of their rows by table. Of tables that are emptied by a crash of the server, nothing is
 * read.
 */
export async function readTableContents(database: Pick<Database, 'query'>): Promise<Record<string, string>> {
  const tables = await database.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relpersistence = 'p' order by 1`,
  )
  const contents: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await database.query<{ rows: number; digest: string }>(
      `select count(*)::int as rows, md5(coalesce(string_agg(line, e'\\n' order by line collate "C"), '')) as digest
       from (select (t.*)::text as line from "${name}" t) as lines`,
    )
    contents[name] = `${row?.rows} rows ${row?.digest}`
  }
  return contents
}
