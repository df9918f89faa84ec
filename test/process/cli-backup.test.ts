import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { writeBackup } from '#kernel/backup'
import { version } from '../../src/app/version.ts'
import { createDataFolder, type DataFolder } from '../support/data-folder.ts'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { basicAuth, type OpenPlatform, openPlatform, startPlatformIn } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'
import { program } from '../support/program.ts'
import { readTableContents } from '../support/table-contents.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type Outcome, runTutti } from './run-tutti.ts'

const passphrase = 'a passphrase of some length'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-cli-backup-'))
})
afterAll(() => rm(folder, { recursive: true }))

const inFolder =
  (data: DataFolder) =>
  (args: readonly string[], input = ''): Promise<Outcome> =>
    runTutti(args, { env: { DATABASE_URL: '', TUTTI_SECRET: '', TUTTI_DATA_DIR: data.path }, input })

async function post(platform: OpenPlatform, path: string, body: unknown): Promise<string> {
  const answer = await fetchWithinRate(`${platform.url}/ai-workflows/api/${path}`, {
    method: 'POST',
    headers: { ...basicAuth(platform), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  expect(answer.status, text).toBeLessThan(300)
  return text
}

test('an embedded platform is backed up while it runs, and continues from the backup elsewhere', async () => {
  await using source = await createDataFolder({ copyOf: inject('madeDataFolder') })
  await using target = await createDataFolder({ copyOf: inject('madeDataFolder') })
  const running = join(folder, 'running.tar')
  {
    await using platform = await startPlatformIn(source.path)
    await post(platform, 'secrets', {
      name: 'github',
      value: 'a secret token',
      allowed_hosts: ['api.example.com'],
    })
    const transformations = [{ operation: 'generate_summary', template: 'Hello {{context.name}}' }]
    const steps = [{ id: 'greet', type: 'data_transform', transformations }]
    await post(platform, 'flows', { flow_definition: { id: 'greet', label: 'Greet', steps } })
    await post(platform, 'execute-flow', { flow_id: 'greet', context: { name: 'Ada' } })

    const made = await inFolder(source)(['backup', running, '--with-key', '--verify'], `${passphrase}\n`)
    expect(made).toMatchObject({
      code: 0,
      stderr: 'The key is in the file, encrypted with the passphrase.\n',
    })
    expect(made.stdout).toMatch(/running\.tar: \d+ tables, \d+ rows, \d+ kB\.\nVerified: /)
    expect((await stat(running)).mode & 0o777).toBe(0o600)
    await platform.process.kill('SIGTERM')
  }
  const secret = await readFile(join(source.path, 'secret'), 'utf8')
  expect((await readFile(running)).includes(secret.trim())).toBe(false)

  const restored = await inFolder(target)(['restore', running, '--replace'], passphrase)
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Restored \d+ tables with \d+ rows\.\n$/),
  })
  expect(await readFile(join(target.path, 'secret'), 'utf8')).toBe(secret)
  await using again = await startPlatformIn(target.path)
  expect(await post(again, 'execute-flow', { flow_id: 'greet', context: { name: 'Bo' } })).toContain(
    'Hello Bo',
  )
  const audit = await fetch(`${again.url}/api/v1/audit?type=backups.restored`, { headers: basicAuth(again) })
  expect(await audit.text()).toContain('running.tar')
})

function runWithoutKey(url: string, args: readonly string[]): Promise<Outcome> {
  return runTutti(args, { env: { DATABASE_URL: url, TUTTI_SECRET: '' } })
}

async function contentsOf(database: TestDatabase): Promise<Record<string, string>> {
  // The commands add an event to the log of each, and the check of the secret belongs to an installation.
  const own = new Set(['kernel_events', 'kernel_event_clock', 'kernel_secret_check'])
  const contents = Object.entries(await readTableContents(database))
  return Object.fromEntries(contents.filter(([table]) => !own.has(table)))
}

test('every table of a restored platform is equal', async () => {
  await using source = await createTestDatabase()
  {
    await using platform = await openPlatform({ TUTTI_SECRET: 's'.repeat(40) }, { database: source })
    const transformations = [{ operation: 'generate_summary', template: 'Hello {{context.name}}' }]
    const steps = [{ id: 'greet', type: 'data_transform', transformations }]
    await post(platform, 'secrets', {
      name: 'github',
      value: 'a secret token',
      allowed_hosts: ['api.github.com'],
    })
    await post(platform, 'flows', { flow_definition: { id: 'greet', label: 'Greet', steps } })
    await post(platform, 'execute-flow', { flow_id: 'greet', context: { name: 'Ada' } })
  }
  await using target = await createTestDatabase({ start: 'empty' })
  const path = join(folder, 'stopped.tar')
  const before = await contentsOf(source)
  expect(Object.values(before).filter((contents) => !contents.startsWith('0 rows')).length).toBeGreaterThan(
    20,
  )
  expect((await runWithoutKey(source.url, ['backup', path])).stderr).toContain('cannot be decrypted')
  expect(await runWithoutKey(target.url, ['restore', path])).toMatchObject({ code: 0 })
  expect(await contentsOf(target)).toEqual(before)
})

test('a restore that is killed leaves the database as it was', async () => {
  await using source = await createTestDatabase()
  const path = join(folder, 'large.tar')
  await source.query(
    `insert into kernel_events (id, type, created_at, data)
     select 1000000 + n, 'test.filler', now(), jsonb_build_object('n', n, 'text', repeat(md5(n::text), 20)) from generate_series(1, 1000) n`,
  )
  await writeBackup({ database: source, path, program: version, secrets: [] })

  await using target = await createTestDatabase()
  await target.query(
    `insert into kernel_events (id, type, data, created_at) values (1000000, 'test.before', '{}', now())`,
  )
  const before = await readTableContents(target)
  await using watcher = await createTestDatabase({ start: 'empty' })
  const name = new URL(target.url).pathname.slice(1)
  // The restore stops after it has loaded the events, until it is killed. Its server process notices the kill while it sleeps.
  await target.withSession(async (session) => {
    await session.query(`
      create function stop_restore() returns event_trigger language plpgsql as $$ begin
        if to_regclass('kernel_events') is null then return; end if;
        if exists (select from kernel_events where type = 'test.filler') then perform pg_sleep(100); end if;
      end $$;
      create event trigger stop_restore on ddl_command_start when tag in ('ALTER TABLE') execute function stop_restore();
      alter database "${name}" set client_connection_check_interval = '100ms';
    `)
    await session.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
  })
  const restoring = await startProcess({
    file: program,
    args: ['restore', path, '--replace'],
    env: { DATABASE_URL: target.url },
  })
  const stopped = () =>
    watcher.query(`select from pg_stat_activity where datname = $1 and wait_event = 'PgSleep'`, [name])
  await expect.poll(stopped).toHaveLength(1)
  await restoring.kill()
  await expect
    .poll(() => watcher.query('select from pg_stat_activity where datname = $1', [name]))
    .toHaveLength(0)
  expect(restoring.stdout).toEqual([])
  expect(await readTableContents(target)).toEqual(before)
})
