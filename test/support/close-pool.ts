import type { Database } from '#kernel/database'

/** The pool of a test database counts as a running platform, over which nothing is restored. */
export async function closePool(database: Pick<Database, 'withSession'>): Promise<void> {
  await database.withSession((session) =>
    session.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and application_name = 'tutti' and pid <> pg_backend_pid()`,
    ),
  )
}
