import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Copies a package and adds migrations to it, as a next release could have them: two columns for every table, an index, a function
 * and a table. Each changes one table, because a migration that locks several can be part of a deadlock.
 */
export async function makeNextRelease(
  previous: string,
  next: string,
  tables: readonly string[],
): Promise<{ readonly migrations: number }> {
  await cp(previous, next, { recursive: true })
  const manifest = JSON.parse(await readFile(join(next, 'package.json'), 'utf8')) as { version: string }
  await writeFile(join(next, 'package.json'), JSON.stringify({ ...manifest, version: '999.0.0' }))
  const folder = join(next, 'src/triggers/sql')
  const existing = (await readdir(folder)).length
  const statements = [
    ...tables.map(
      (table) =>
        `alter table ${table} add column next_note text, add column next_count integer not null default 7;`,
    ),
    'create index next_executions on engine_executions (next_count, id);',
    'create function next_sum(a integer, b integer) returns integer language sql as $$ select a + b $$;',
    'create table next_things (id uuid primary key, note text not null);',
  ]
  for (const [index, statement] of statements.entries()) {
    const number = String(existing + index + 1).padStart(4, '0')
    await writeFile(join(folder, `${number}-next-release.sql`), `${statement}\n`)
  }
  return { migrations: statements.length }
}
