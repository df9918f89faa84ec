import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inspectBackup, restoreBackup, writeBackup } from '#kernel/backup'
import { defineSettings, readSettings, setting } from '#kernel/config'
import type { Database } from '#kernel/database'
import { createEncryption } from '#kernel/encryption'
import { createEvents } from '#kernel/events'
import { createLiveSettings, type LiveSettingsOptions } from '#kernel/live-settings'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { migrationSets } from '../../src/app/migrations.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase } from '../support/test-database.ts'

const quiet = createLogger({ level: 'silent', format: 'json' })
const audit = { by: null }

const group = defineSettings({
  pages: setting.integer('PAGES', {
    editable: { section: 'tours', label: 'Pages' },
    about: 'Pages',
    default: 3,
    min: 1,
    max: 9,
  }),
  guests: setting.integer('GUESTS', {
    editable: { section: 'tours', label: 'Guests' },
    about: 'Guests',
    default: 2,
    max: 9,
  }),
  token: setting.secretText('TOKEN', {
    editable: { section: 'tours', label: 'Token' },
    about: 'Token',
    optional: true,
  }),
  port: setting.port('PORT', { about: 'Port', default: 80 }),
})

interface OpenOptions extends Pick<LiveSettingsOptions, 'check'> {
  readonly environment?: Readonly<Record<string, string>>
  readonly secret?: string
  readonly previousSecret?: string
}

async function open(database: Database, options: OpenOptions = {}) {
  const { environment = {}, secret = 's'.repeat(40), previousSecret, check } = options
  const events = createEvents({ database, log: quiet, metrics: createMetrics({ watchProcess: false }) })
  const live = await createLiveSettings({
    database,
    encryption: createEncryption({ settings: { secret, previousSecret }, database, dataDir: '' }),
    events,
    log: quiet,
    groups: [group],
    environment: new Map(Object.entries(environment)),
    ...(check && { check }),
  })
  const view = live.view(group, readSettings(group, environment))
  return {
    ...live,
    view,
    async [Symbol.asyncDispose]() {
      await live[Symbol.asyncDispose]()
      await events[Symbol.asyncDispose]()
    },
  }
}

test('a view has the value of the environment, else the stored one, else the default, and follows changes', async () => {
  await using database = await createTestDatabase()
  await using one = await open(database)
  await using two = await open(database, { environment: { GUESTS: '5' } })
  expect({ ...one.view }).toEqual({ pages: 3, guests: 2, token: undefined, port: 80 })
  await one.change({ PAGES: '7', GUESTS: '8', TOKEN: 'abc' }, audit)
  expect({ ...one.view }).toEqual({ pages: 7, guests: 8, token: 'abc', port: 80 })
  await eventually(() => two.view.pages === 7)
  expect({ ...two.view }).toEqual({ pages: 7, guests: 5, token: 'abc', port: 80 })
  await one.change({ PAGES: null }, audit)
  await eventually(() => two.view.pages === 3)
  await expect(one.change({ PORT: '81' }, audit)).rejects.toMatchObject({ code: 'invalid_input' })
})

const check: LiveSettingsOptions['check'] = (read) =>
  Number(read('GUESTS')) > Number(read('PAGES'))
    ? [{ path: 'GUESTS', message: 'must not be more than PAGES', code: 'value' }]
    : []

test('two changes at the same time cannot contradict each other', async () => {
  await using database = await createTestDatabase()
  await using one = await open(database, { check })
  await using two = await open(database, { check })
  await one.change({ PAGES: '6', GUESTS: '4' }, audit)
  const results = await Promise.allSettled([
    one.change({ GUESTS: '6' }, audit),
    two.change({ PAGES: '5' }, audit),
  ])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('changes are followed again after the connection was lost, also those made meanwhile', async () => {
  await using database = await createTestDatabase()
  await using live = await open(database)
  // The connection listens, or has checked since that it is alive.
  await database.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query like 'listen%' or query = 'select 1')
  `)
  await database.query(`insert into kernel_settings (name, value) values ('PAGES', '9')`)
  await eventually(() => live.view.pages === 9)
})

test('a secret is encrypted again with a new secret, and the previous one can be removed', async () => {
  await using database = await createTestDatabase()
  const [before, after] = ['b'.repeat(40), 'a'.repeat(40)]
  {
    await using live = await open(database, { secret: before })
    await live.change({ TOKEN: 'a token of the mail server' }, audit)
  }
  {
    await using live = await open(database, { secret: after, previousSecret: before })
    expect(live.view.token).toBe('a token of the mail server')
  }
  await using live = await open(database, { secret: after })
  expect(live.view.token).toBe('a token of the mail server')
})

test('a backup has the settings, secrets only encrypted, and a restored installation uses them', async () => {
  await using database = await createTestDatabase()
  await using live = await open(database)
  await live.change({ PAGES: '8', TOKEN: 'a token of the mail server' }, audit)
  const folder = await mkdtemp(join(tmpdir(), 'tutti-settings-'))
  try {
    const path = join(folder, 'backup.tar')
    const summary = await writeBackup({ database, path, program: '0.1.0', secrets: [] })
    expect(summary.encryptedUnknown).toBeGreaterThanOrEqual(1)
    expect((await readFile(path)).includes('a token of the mail server')).toBe(false)
    await using empty = await createTestDatabase({ start: 'empty' })
    await restoreBackup({
      database: empty,
      sets: migrationSets,
      backup: await inspectBackup(path),
      replace: false,
    })
    await using restored = await open(empty)
    expect([restored.view.pages, restored.view.token]).toEqual([8, 'a token of the mail server'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
