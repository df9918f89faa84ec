import { expect, test } from 'vitest'
import { version } from '../../src/app/version.ts'
import { openPlatform } from '../support/platform.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { runTutti } from './run-tutti.ts'

test('upgrade --check tells pending migrations, running processes of another version and a newer database', async () => {
  await using database = await createTestDatabase()
  const check = (...more: readonly string[]) =>
    runTutti(['upgrade', '--check', ...more], { env: { DATABASE_URL: database.url } })
  await using _ = await openPlatform({}, { database, metricsHistory: { flushEveryMs: 20 } })
  const running = () => database.query('select from kernel_vitals_processes where version = $1', [version])
  await expect.poll(running).toHaveLength(1)
  expect(await check()).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to do') })

  await database.query(`
    insert into kernel_vitals_processes (id, host, pid, started_at, seen_at, sample)
    values (gen_random_uuid(), 'elsewhere', 7, now(), now() + interval '1 hour', '{}')
  `)
  const mixed = await check('--json')
  expect(mixed.code).toBe(3)
  expect(JSON.parse(mixed.stdout)).toMatchObject({
    program: version,
    pending_migrations: [],
    outcome: 'mixed',
    processes: expect.arrayContaining([{ host: 'elsewhere', pid: 7, version: null }]),
  })

  const [last] = await database.query<{ owner: string; name: string }>(
    `delete from kernel_migrations where ctid = (select ctid from kernel_migrations where owner = 'triggers' order by number desc limit 1)
     returning owner, name`,
  )
  const pending = await check()
  expect(pending).toMatchObject({ code: 2, stdout: expect.stringContaining(`${last?.owner}/${last?.name}`) })
  expect(pending.stdout).toContain('npx tutti backup FILE --verify')

  await database.query(
    `insert into kernel_migrations (owner, number, name, checksum) values ('triggers', 999, '0999-later', 'x')`,
  )
  expect(await check()).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('The database is newer than this version of Tutti'),
  })
})
