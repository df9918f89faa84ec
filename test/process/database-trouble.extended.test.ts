import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { databaseSettings, isDatabaseUnavailable, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { openChoreScene } from '../database/work-setting.ts'
import { eventually } from '../support/eventually.ts'
import { basicAuth, startPlatform } from '../support/platform.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { createTestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

const diskFull = 'the disk of the database server is full'

describe('a full disk', () => {
  test('of a real small file system is database_unavailable, and ping names it', async (context) => {
    await using disk = await mountSmallDisk(4)
    if (disk === undefined) {
      context.skip('a file system cannot be mounted here')
      return
    }
    await using server = await startPostgres()
    await using database = await openDatabase({
      settings: readSettings(databaseSettings, { DATABASE_URL: server.url }),
      log,
    })
    const folder = join(disk.path, 'space')
    await mkdir(folder, { mode: 0o700 })
    // As root without user namespaces, the server runs as another user, who does not own the folder.
    const isUsable = await server.run(`create tablespace small location '${folder}'`).then(
      () => true,
      () => false,
    )
    if (!isUsable) context.skip('the server cannot use the file system')
    await database.query('create table filled (text text) tablespace small')
    await expect(
      database.query('insert into filled select md5(n::text) from generate_series(1, 200000) n'),
    ).rejects.toSatisfy(isDatabaseUnavailable)
    await expect(database.ping()).rejects.toThrow(`The database is unavailable: ${diskFull}.`)
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('gives requests 503, is named by the log and /readyz, and is over when it is over', async () => {
    await using database = await createTestDatabase()
    await using platform = await startPlatform({
      DATABASE_URL: database.url,
      TUTTI_SECRET: 'a secret of this test, long enough',
    })
    // The SQLSTATE of a real server, raised by a function instead of a disk.
    await database.withSession((session) =>
      session.query(`
        create function raise_disk_full() returns trigger language plpgsql as $$
          begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end
        $$;
        create trigger disk_is_full before insert on identity_api_keys for each row execute function raise_disk_full();
      `),
    )
    const headers = { ...basicAuth(platform), 'content-type': 'application/json' }
    const create = () =>
      fetch(`${platform.url}/api/v1/api-keys`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: 'a key' }),
      })
    const refused = await create()
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await refused.text()).not.toContain('disk')
    const ready = await fetch(`${platform.url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      checks: { database: `The database is unavailable: ${diskFull}.` },
    })
    await eventually(() => platform.process.stdout.some((line) => line.includes(diskFull)))

    await database.withSession((session) => session.query('drop trigger disk_is_full on identity_api_keys'))
    expect((await create()).status).toBeLessThan(300)
    await eventually(async () => (await fetch(`${platform.url}/readyz`)).status === 200, 500)
  })
})

test('a server without free connections is named, and used as soon as one is free', async () => {
  await using server = await startPostgres()
  await server.run('create role app login connection limit 2')
  const settings = readSettings(databaseSettings, {
    DATABASE_URL: server.url.replace('tutti:any', 'app:any'),
    DATABASE_CONNECT_WAIT: '1500ms',
  })
  await using first = await openDatabase({ settings, log })
  await using second = await openDatabase({ settings, log })
  const done = Promise.withResolvers<void>()
  let open = 0
  // Sessions, because the server ends transactions of the pool that are idle for ten seconds.
  const taken = [1, 2].map(() =>
    first.withSession(async () => {
      open += 1
      await done.promise
    }),
  )
  await eventually(() => open === 2)
  await expect(second.query('select 1')).rejects.toSatisfy(isDatabaseUnavailable)
  await expect(second.ping()).rejects.toThrow(
    'The database is unavailable: the database server has no free connection (max_connections).',
  )
  await expect(openDatabase({ settings, log })).rejects.toThrow(
    /^DATABASE_URL: .*too many connections for role "app"/,
  )
  done.resolve()
  await Promise.all(taken)
  await first.close()
  await eventually(() =>
    second.query('select 1').then(
      () => true,
      () => false,
    ),
  )
  await second.ping()
})

describe('a heartbeat', () => {
  const timing = { heartbeatMs: 200, deadAfterMs: 30_000, pollMs: 200 }

  test('has its own connection: a full pool costs a worker none of its leases', async () => {
    await using scene = await openChoreScene()
    const environment = { DATABASE_POOL_SIZE: '1' }
    const settings = readSettings(databaseSettings, { ...environment, DATABASE_URL: scene.database.url })
    const crowded = scene.use(await openDatabase({ settings, log }))
    const worker = await scene.startWorker(async () => {}, { database: crowded, timing })
    const { id } = worker
    await crowded.transaction(async (transaction) => {
      const since = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(transaction)
      await eventually(async () => {
        // The server ends a transaction that is idle for ten seconds.
        await sql`select 1`.execute(transaction)
        const later = await scene.database.query(
          `select from kernel_workers where id = $1 and heartbeat_at > $2::timestamptz + interval '2 seconds'`,
          [id, since.rows[0]?.at],
        )
        return later.length === 1
      }, 100)
    })
    expect(worker.id).toBe(id)
  })

  test('goes through the pool when the server has no connection left for it', async () => {
    await using scene = await openChoreScene()
    await scene.database.query(`drop role if exists crowded_${process.pid}`)
    await scene.database.query(`create role crowded_${process.pid} login superuser`)
    const url = scene.database.url.replace('//tutti@', `//crowded_${process.pid}@`)
    const settings = readSettings(databaseSettings, { DATABASE_URL: url })
    const crowded = await openDatabase({ settings, log })
    try {
      const worker = await scene.startWorker(async () => {}, { database: crowded, timing })
      await eventually(async () => (await beats(`application_name like '%heartbeat'`)).length === 1)
      await crowded.query('select 1')
      await scene.database.query(`alter role crowded_${process.pid} nosuperuser connection limit 0`)
      await scene.database.query(`grant all on all tables in schema public to crowded_${process.pid}`)
      await scene.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and application_name like '%heartbeat'`,
        [`crowded_${process.pid}`],
      )
      const [before] = await scene.database.query<{ at: Date }>(
        'select heartbeat_at as at from kernel_workers',
      )
      await eventually(async () => {
        const [row] = await scene.database.query<{ later: boolean }>(
          `select heartbeat_at > $1::timestamptz + interval '1 second' as later from kernel_workers`,
          [before?.at],
        )
        return row?.later
      })
      expect(await beats(`application_name like '%heartbeat'`)).toEqual([])
      await worker.stop()
    } finally {
      await crowded.close()
    }

    function beats(condition: string) {
      return scene.database.query(
        `select pid from pg_stat_activity where usename = 'crowded_${process.pid}' and ${condition}`,
      )
    }
  })
})
