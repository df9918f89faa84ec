import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildServerPackage } from '../../scripts/build/build-packages.ts'
import { makeNextRelease } from '../chaos/upgrade/next-release.ts'
import { runRollingUpgrade } from '../chaos/upgrade/rolling-upgrade.ts'
import { programOf } from '../chaos/upgrade/upgrade-from.ts'
import { patience } from '../support/patience.ts'
import { quickFolder } from '../support/quick-folder.ts'
import { createTestDatabase } from '../support/test-database.ts'

const checkout = new URL('../../', import.meta.url).pathname

test('replicas are replaced by those of the next release without a failed request', {
  timeout: 600_000 * patience,
}, async () => {
  await using closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(await quickFolder(), 'tutti-upgrade-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'))
  const previous = join(folder, 'previous')
  await buildServerPackage(previous, { log: () => {} })
  const next = join(folder, 'next')
  const { migrations } = await makeNextRelease(previous, next, await listTables())

  const report = await runRollingUpgrade({
    previous: programOf(previous),
    next: programOf(next),
    replicas: 2,
    callers: 4,
    requestsPerStep: 30,
  })
  expect(report.failures).toEqual([])
  expect(report).toMatchObject({ migrations, readyAfterMigration: 3, previousReplicas: 3, lost: 0 })
  expect(report.requests).toBeGreaterThan(150)
  expect(report.streams).toBeGreaterThan(10)
})

/** The tables that all migrations together make. */
async function listTables(): Promise<string[]> {
  await using database = await createTestDatabase()
  const rows = await database.query<{ name: string }>(`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p')
      and not relispartition
      and relname <> 'kernel_migrations'
    order by 1
  `)
  return rows.map(({ name }) => name)
}
