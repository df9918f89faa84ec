import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '#kernel/telemetry'
import { type MailServer, startMailServer } from '../database/notifications-mail-server.ts'
import { addCallers } from '../support/accounts.ts'
import { type Calls, createCalls } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const secret = 'a secret of at least thirty-two characters'
const password = 'hunter2-of-the-mail-server'

/** Two replicas on one database; the environment of the second sets two variables. */
let one: PlatformInProcess
let two: PlatformInProcess
let database: TestDatabase
let first: Calls
let second: Calls
let mail: MailServer
let callsTo: (platform: PlatformInProcess) => Calls
const logged: string[] = []
const stack = new AsyncDisposableStack()

const permissionsOf = {
  ada: ['administer llm', 'administer users', 'administer recipe tours'],
  tess: ['administer recipe tours'],
  olga: ['administer llm'],
  nora: ['run workflows'],
}

beforeAll(async () => {
  const log = createLogger({
    level: 'debug',
    format: 'json',
    destination: { write: (line: string) => void logged.push(line) },
  })
  database = stack.use(await createTestDatabase())
  const environment = { TUTTI_SECRET: secret }
  const options = { role: 'api', database, log, status: { pageKeepMs: 0 } } as const
  one = stack.use(await openPlatform(environment, options))
  two = stack.use(
    await openPlatform({ ...environment, TUTTI_TOUR_VISITOR_LIMIT: '7', TUTTI_STATUS_NOTIFY: '' }, options),
  )
  mail = stack.use(
    await startMailServer({ onAuth: (_auth, _session, done) => done(null, { user: 'tutti' }) }),
  )
  const callers = await addCallers(database, { permissionsOf })
  callsTo = (platform) =>
    createCalls({ urlOf: (path) => `${platform.url}${path}`, headersOf: callers.headersOf, as: 'ada' })
  first = callsTo(one)
  second = callsTo(two)
})
afterAll(() => stack.disposeAsync())

const change = (body: object, as = 'ada') => first.call('/api/v1/settings', { method: 'PATCH', body, as })

interface Described {
  readonly name: string
  readonly [field: string]: unknown
}

async function read(name: string, calls = first): Promise<Described | undefined> {
  const { body } = await calls.call('/api/v1/settings')
  return body.settings.find((setting: Described) => setting.name === name)
}

const limitOf = async (path: string, as: string, body: object) =>
  (await first.post(path, body, { as })).headers.get('x-ratelimit-limit')
const execute = () => limitOf('/ai-orchestra/api/execute-workflow', 'nora', {})
const visit = () => limitOf('/api/recipe-tour-builder/tour/none/event', '', {})
const smtp = (port: number) => `smtp://tutti:${password}@127.0.0.1:${port}`
const sendTest = (calls: Calls) =>
  calls.post('/api/v1/settings/test-notification', { kind: 'mail', to: 'ops@example.com' })
const postTest = (body: object, as = 'olga') => first.post('/api/v1/settings/test-notification', body, { as })

afterEach(async () => {
  const { body } = await first.call('/api/v1/settings')
  const stored = body.settings.filter((setting: { has_stored_value: boolean }) => setting.has_stored_value)
  if (stored.length === 0) return
  await change(Object.fromEntries(stored.map(({ name }: Described) => [name, null])))
})

describe('a setting', () => {
  test('has its default, is stored, applies in every replica by notification, and is removed again', async () => {
    expect(await read('TUTTI_STATUS_PAGE')).toEqual({
      name: 'TUTTI_STATUS_PAGE',
      section: 'status',
      label: 'Public status page',
      about: expect.stringContaining('/status'),
      kind: 'true or false',
      choices: null,
      bounds: null,
      secret: false,
      value: null,
      is_set: false,
      hint: null,
      default: 'false',
      source: 'default',
      has_stored_value: false,
      problem: null,
      updated_at: null,
      updated_by: null,
    })
    expect((await second.call('/status.json', { as: '' })).body.error).toBe('STATUS_PAGE_OFF')
    const changed = await change({ TUTTI_STATUS_PAGE: 'true' })
    expect(changed.status).toBe(200)
    expect(await read('TUTTI_STATUS_PAGE')).toMatchObject({
      value: 'true',
      source: 'stored',
      updated_by: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await first.call('/status.json', { as: '' })).status).toBe(200)
    await eventually(async () => (await second.call('/status.json', { as: '' })).status === 200, 20)
    await change({ TUTTI_STATUS_PAGE: null })
    expect((await first.call('/status', { as: '' })).status).toBe(404)
    await eventually(async () => (await second.call('/status', { as: '' })).status === 404, 20)
    const { body: audit } = await first.call('/api/v1/events?type=settings.changed')
    expect(audit.data.at(-1)).toMatchObject({
      type: 'settings.changed',
      subject: 'settings',
      data: { settings: ['TUTTI_STATUS_PAGE'], by: expect.any(String) },
    })
  })

  test('of the environment wins on the replica that has it, and cannot be changed there', async () => {
    await change({ TUTTI_TOUR_VISITOR_LIMIT: '3' })
    expect(await read('TUTTI_TOUR_VISITOR_LIMIT')).toMatchObject({ value: '3', source: 'stored' })
    await eventually(
      async () => (await read('TUTTI_TOUR_VISITOR_LIMIT', second))?.['has_stored_value'] === true,
      20,
    )
    expect(await read('TUTTI_TOUR_VISITOR_LIMIT', second)).toMatchObject({
      value: '7',
      source: 'environment',
      has_stored_value: true,
    })
    // An empty list is a value of the environment.
    expect(await read('TUTTI_STATUS_NOTIFY', second)).toMatchObject({ value: '', source: 'environment' })
    const refused = await second.call('/api/v1/settings', {
      method: 'PATCH',
      body: { TUTTI_TOUR_VISITOR_LIMIT: '5', MODEL_RECORDING: 'on' },
    })
    expect([refused.status, refused.body.error?.code ?? refused.body.error]).toEqual([
      409,
      expect.stringMatching(/set_by_environment/i),
    ])
    expect(refused.text).toContain('TUTTI_TOUR_VISITOR_LIMIT')
    expect(await read('MODEL_RECORDING')).toMatchObject({ source: 'default' })
  })

  test.each([
    [{ TUTTI_STATUS_PAGE: 'maybe' }, 'TUTTI_STATUS_PAGE must be true or false'],
    [{ TUTTI_TOUR_VISITOR_LIMIT: '0' }, 'must be a whole number from 1 to 100000'],
    [{ TUTTI_EXECUTION_RETENTION: 'soon' }, 'must be a duration'],
    [{ TUTTI_SMTP_URL: 'http://mail.example.com' }, 'must be an address starting with smtp://'],
    [{ TUTTI_CUSTOM_TIER: '1,2' }, 'TUTTI_CUSTOM_TIER'],
    [{ TUTTI_STATUS_NOTIFY: 'no-address' }, 'neither a mail address'],
    [{ TUTTI_DEFAULT_MODEL: '' }, 'must not be empty'],
    [{ TUTTI_DEFAULT_MODEL: 'a\u0007b' }, 'control characters'],
    [{ TUTTI_DEFAULT_MODEL: 'a\u0000b' }, 'cannot be stored'],
    [{ TUTTI_DEFAULT_MODEL: 5 }, 'TUTTI_DEFAULT_MODEL'],
    [{ TUTTI_SECRET: 'another secret of this installation' }, 'not a setting that can be changed'],
    [{ TUTTI_SMTP_URL: 'smtp://127.0.0.1:25' }, 'TUTTI_MAIL_FROM must be set'],
    [{}, ''],
    [[], ''],
  ])('%j is refused', async (body, message) => {
    const refused = await change(body)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(message)
  })

  test('is refused together with an invalid one, so that nothing is changed', async () => {
    const refused = await change({ TUTTI_STATUS_PAGE: 'true', MODEL_RECORDING: 'sometimes' })
    expect(refused.status).toBe(400)
    expect(await read('TUTTI_STATUS_PAGE')).toMatchObject({ source: 'default' })
  })

  test('belongs to a section, whose permission is needed', async () => {
    const namesFor = async (as: string) =>
      (await first.call('/api/v1/settings', { as })).body.settings.map(({ name }: Described) => name)
    expect(await namesFor('tess')).toEqual(['TUTTI_TOUR_VISITOR_LIMIT'])
    expect((await first.call('/api/v1/settings', { as: 'tess' })).body.tiers).toEqual([])
    expect(await namesFor('olga')).not.toContain('TUTTI_CUSTOM_TIER')
    expect((await first.call('/api/v1/settings', { as: 'nora' })).status).toBe(403)
    expect((await first.call('/api/v1/settings', { as: '' })).status).toBe(401)
    const refused = await change({ TUTTI_TOUR_VISITOR_LIMIT: '9', TUTTI_STATUS_PAGE: 'true' }, 'tess')
    expect(refused.status).toBe(403)
    expect(await read('TUTTI_TOUR_VISITOR_LIMIT')).toMatchObject({ source: 'default' })
    expect((await change({ TUTTI_TOUR_VISITOR_LIMIT: '9' }, 'tess')).status).toBe(200)
  })

  test('changes the limits of the custom tier and of visitors at once', async () => {
    expect([await execute(), await visit()]).toEqual(['1000', '20'])
    const { body } = await change({ TUTTI_CUSTOM_TIER: '77,3,5', TUTTI_TOUR_VISITOR_LIMIT: '33' })
    expect(body.tiers.at(-1)).toEqual({
      name: 'custom',
      requests_per_hour: 77,
      concurrent_workflows: 3,
      dollars_per_day: 5,
    })
    expect([await execute(), await visit()]).toEqual(['77', '33'])
    await change({ TUTTI_CUSTOM_TIER: null })
    expect(await execute()).toBe('1000')
  })
})

describe('a secret setting', () => {
  test('is stored encrypted, never shown or logged, and works in both replicas', async () => {
    const changed = await change({
      TUTTI_SMTP_URL: smtp(mail.port),
      TUTTI_MAIL_FROM: 'Tutti <tutti@example.com>',
    })
    expect(changed.status).toBe(200)
    expect(changed.text).not.toContain(password)
    expect(await read('TUTTI_SMTP_URL')).toMatchObject({
      secret: true,
      value: null,
      is_set: true,
      hint: `127.0.0.1:${mail.port}`,
      source: 'stored',
    })
    const [row] = await database.query<{ value: string | null; encrypted_value: string }>(
      `select value, encrypted_value from kernel_settings where name = 'TUTTI_SMTP_URL'`,
    )
    expect(row?.value).toBeNull()
    expect(row?.encrypted_value).toMatch(/^v1\./)
    const events = await database.query<{ data: string }>(
      `select data::text as data from kernel_events where type = 'settings.changed'`,
    )
    expect(JSON.stringify(events)).not.toContain(password)
    expect(JSON.stringify(events)).not.toContain('example.com')
    expect(logged.join('')).not.toContain(password)

    expect((await sendTest(first)).body).toEqual({ delivered: true, problem: null })
    await eventually(async () => (await read('TUTTI_SMTP_URL', second))?.['source'] === 'stored', 20)
    expect((await sendTest(second)).body).toEqual({ delivered: true, problem: null })
    expect(mail.mails.map(({ to, headers }) => [to, headers.get('subject')])).toEqual([
      [['ops@example.com'], 'Test notification'],
      [['ops@example.com'], 'Test notification'],
    ])

    const removed = await change({ TUTTI_MAIL_FROM: null })
    expect(removed.status).toBe(400)
    mail.reactToRecipient(() => ({ code: 550, text: 'no such user here' }))
    const failed = await sendTest(first)
    expect(failed.body).toMatchObject({ delivered: false })
    expect(failed.body.problem).toContain('no such user here')
    mail.reactToRecipient(() => undefined)
  })

  test('moved to another name, or without its key, cannot be used: the default applies and the start succeeds', async () => {
    await change({ TUTTI_SMTP_URL: smtp(mail.port), TUTTI_MAIL_FROM: 'tutti@example.com' })
    await database.query(`
      insert into kernel_settings (name, encrypted_value)
      select 'TUTTI_SLACK_WEBHOOK_URL', encrypted_value from kernel_settings where name = 'TUTTI_SMTP_URL'
    `)
    await database.query(
      `insert into kernel_settings (name, value) values ('MODEL_RECORDING', 'of a newer release'), ('OF_A_NEWER_RELEASE', '1')`,
    )
    // As when its secret was lost: otherwise a process with another one does not start.
    await database.query('delete from kernel_secret_check')
    await using restarted = await openPlatform(
      { TUTTI_SECRET: 'another secret of at least thirty-two characters' },
      { role: 'api', database },
    )
    const found = (await callsTo(restarted).call('/api/v1/settings')).body.settings
    const stateOf = (name: string) => {
      const { source, is_set, has_stored_value, problem } = found.find((it: Described) => it.name === name)
      return [source, is_set, has_stored_value, problem === null]
    }
    for (const name of ['TUTTI_SMTP_URL', 'TUTTI_SLACK_WEBHOOK_URL', 'MODEL_RECORDING']) {
      expect(stateOf(name), name).toEqual(['default', false, true, false])
    }
    expect(stateOf('TUTTI_MAIL_FROM')).toEqual(['stored', true, true, true])
    // The row that was moved can be decrypted only under its own name, also with the right key.
    await eventually(async () => (await read('TUTTI_SMTP_URL'))?.['is_set'] === true, 20)
    await database.query('delete from kernel_secret_check')
    await database.query(
      `delete from kernel_settings where name in ('OF_A_NEWER_RELEASE', 'MODEL_RECORDING')`,
    )
  })

  test('test notifications need a channel, a valid recipient, and are limited', async () => {
    expect((await postTest({ kind: 'mail', to: 'ops@example.com' })).status).toBe(409)
    expect((await postTest({ kind: 'mail', to: '#ops' })).status).toBe(400)
    expect((await postTest({ kind: 'slack', to: 'ops@example.com' })).status).toBe(400)
    expect((await postTest({ kind: 'mail', to: 'ops@example.com' }, 'tess')).status).toBe(403)
    await postTest({ kind: 'slack', to: '#ops' })
    await postTest({ kind: 'slack', to: '#ops' })
    expect((await postTest({ kind: 'slack', to: '#ops' })).status).toBe(429)
  })
})
