import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { statusSettings } from '#status'
import { createAnnounce } from '../../src/status/incidents/announce.ts'
import { createOutageFollower } from '../../src/status/incidents/follow-outages.ts'
import { type IncidentsServer, startIncidentsServer } from '../http/status-incidents-server.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startMailServer } from './notifications-mail-server.ts'
import { startSlack } from './notifications-slack-server.ts'
import { makeNotifications, makeWorker, quiet } from './notifications-worker.ts'

const path = '/admin/llm/incidents'

let server: IncidentsServer
let admins = 0
beforeAll(async () => {
  server = await startIncidentsServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await server.database.query('delete from status_outages')
  await server.database.query('delete from status_incidents')
  await server.database.query('delete from status_services')
})

const see = async (...rounds: readonly Parameters<IncidentsServer['find']>[0][]) => {
  for (const states of rounds) {
    server.find(states)
    await server.round()
  }
}
const all = async () => (await server.call(path)).body.incidents
const only = async () => {
  const incidents = await all()
  expect(incidents).toHaveLength(1)
  return (await server.call(`${path}/${incidents[0].id}`)).body
}
const messages = async () => (await only()).updates.map((it: { message: string }) => it.message)
const admin = (method: string, where: string, body?: unknown) => {
  admins += 1
  return server.call(where, { method, as: `admin${admins}`, ...(body !== undefined && { body }) })
}
/** Moves the state into the past by this number of minutes. */
const age = (minutes: number) =>
  server.database.query(
    `update status_services set since = since - $1 * interval '1 minute' where state <> 'online'`,
    [minutes],
  )

const addUpdates = (id: string, count: number) =>
  server.database.query(
    `
      insert into status_incident_updates (incident_id, state, impact, message, written_by)
      select $1, 'investigating', 'down', 'Again.', 'account' from generate_series(1, $2)
    `,
    [id, count],
  )

describe('incidents of the prober', () => {
  test('open once for repeated failures, and close on recovery', async () => {
    await see({ ollama: 'online' }, { ollama: 'offline' }, { ollama: 'offline' }, { ollama: 'offline' })
    expect(await only()).toMatchObject({
      kind: 'incident',
      title: 'Own models are not available',
      impact: 'down',
      services: ['ollama'],
      state: 'investigating',
      opened_by: 'prober',
      account_id: null,
    })
    await see({ ollama: 'degraded' }, { ollama: 'degraded' })
    expect(await only()).toMatchObject({ title: 'Own models are impaired', impact: 'degraded' })
    await see({ ollama: 'offline' }, { ollama: 'online' }, { ollama: 'online' })
    const { id, state, closed_at } = await only()
    expect([state, closed_at === null]).toEqual(['resolved', false])
    expect(await messages()).toEqual([
      'Own models are available again.',
      'Own models are no longer available.',
      'Own models are available again, but slow or only in part.',
      'Own models are not available. An automatic check found this.',
    ])
    for (const [what, count] of [
      ['opened', 1],
      ['updated', 2],
      ['closed', 1],
    ] as const) {
      const events = await server.eventsOf(`status.incident_${what}`)
      expect(events.filter(({ subject }) => subject === id)).toHaveLength(count)
    }
    await see({ ollama: 'offline' })
    expect(await all()).toHaveLength(2)
  })

  test('open after five minutes of slowness, not before', async () => {
    await see({ openai: 'degraded' }, { openai: 'degraded' })
    expect(await all()).toEqual([])
    await age(6)
    await see({ openai: 'degraded' })
    expect(await only()).toMatchObject({ title: 'OpenAI models are impaired', impact: 'degraded' })
  })

  test('are separate for each service', async () => {
    await see({ ollama: 'offline', mcp: 'offline', queue: 'online' })
    expect((await all()).map(({ services }: { services: string[] }) => services).toSorted()).toEqual([
      ['mcp'],
      ['ollama'],
    ])
  })

  test('end when the service is no longer used', async () => {
    await see({ anthropic: 'offline' }, {})
    const { state, updates } = await only()
    expect([state, updates[0].message]).toEqual(['resolved', 'Anthropic models are no longer in use here.'])
  })

  test('open once for two replicas that probe concurrently', async () => {
    await using second = await startIncidentsServer({ database: server.database })
    for (let turn = 0; turn < 5; turn += 1) {
      for (const replica of [server, second]) replica.find({ disk: 'offline', queue: 'offline' })
      await Promise.all([server.round(), second.round(), server.round(), second.round()])
      expect(await all()).toHaveLength(2 + turn * 2)
      for (const replica of [server, second]) replica.find({ disk: 'online', queue: 'online' })
      await Promise.all([second.round(), server.round()])
      expect((await server.call(`${path}?status=open`)).body.total).toBe(0)
    }
  })

  test('open once for listeners that get the same round concurrently', async () => {
    await see({ vector_db: 'online' })
    const at = new Date()
    const metadata = { version: null, models_loaded: null, memory_usage: null }
    const report = { text: '', responseTime: 0, lastCheck: at, flapping: false, metadata }
    const services = [{ ...report, name: 'vector_db', state: 'offline', since: at }] as const
    const { database, events } = server
    const notifications = makeNotifications(database, { environment: {} })
    const settings = readSettings(statusSettings, {})
    const announce = createAnnounce({
      events,
      notifications,
      settings,
      publicUrl: undefined,
      log: quiet,
    })
    const onRound = createOutageFollower(announce)
    const once = () =>
      database.transaction((transaction) => onRound(transaction, { at, services, changes: [] }))
    await Promise.all([once(), once(), once(), once()])
    expect((await only()).updates).toHaveLength(1)
  })
})

describe('manual changes and the prober', () => {
  test('a closed incident is not reopened in this outage, but in the next', async () => {
    await see({ ollama: 'offline' })
    await admin('POST', `${path}/${(await only()).id}/close`, { message: 'We know.' })
    await see({ ollama: 'offline' }, { ollama: 'degraded' }, { ollama: 'offline' })
    expect((await messages())[0]).toBe('We know.')
    await see({ ollama: 'online' }, { ollama: 'offline' })
    expect(await all()).toHaveLength(2)
  })

  test('a removed incident is not reopened in this outage, but in the next', async () => {
    await see({ ollama: 'offline' })
    await admin('DELETE', `${path}/${(await only()).id}`)
    await see({ ollama: 'offline' })
    expect(await all()).toEqual([])
    await see({ ollama: 'online' }, { ollama: 'offline' })
    expect(await all()).toHaveLength(1)
  })

  test('manual texts and settings stay, and the prober still closes the incident', async () => {
    await see({ ollama: 'offline' })
    const { id } = await only()
    await admin('PATCH', `${path}/${id}`, { title: 'The rack has no power' })
    await admin('POST', `${path}/${id}/updates`, { message: 'On our way.', state: 'identified' })
    await see({ ollama: 'degraded' })
    expect(await only()).toMatchObject({
      title: 'The rack has no power',
      state: 'identified',
      impact: 'degraded',
    })
    await see({ ollama: 'online' })
    expect((await only()).state).toBe('resolved')
  })

  test('the prober updates a manual incident, and never closes it', async () => {
    const { body } = await admin('POST', path, {
      title: 'The rack burns',
      message: 'Help is there.',
      impact: 'down',
      services: ['ollama', 'mcp'],
    })
    await see({ ollama: 'offline', mcp: 'offline' }, { ollama: 'online', mcp: 'online' })
    const incident = await only()
    expect(incident).toMatchObject({ id: body.id, state: 'investigating', impact: 'down', closed_at: null })
    expect(await messages()).toEqual([
      'MCP servers are available again.',
      'Own models are available again.',
      'MCP servers are not available. An automatic check found this.',
      'Own models are not available. An automatic check found this.',
      'Help is there.',
    ])
  })

  test('no incident is opened during maintenance; after it, one opens for a service still down', async () => {
    const { body } = await admin('POST', path, {
      kind: 'maintenance',
      title: 'New disks',
      message: 'We replace them.',
      services: ['ollama'],
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await see({ ollama: 'offline' }, { ollama: 'offline' })
    expect(await all()).toHaveLength(1)
    await admin('POST', `${path}/${body.id}/close`)
    await see({ ollama: 'offline' })
    expect((await all()).map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      'incident',
      'maintenance',
    ])
  })

  test('maintenance without expected impact suppresses nothing', async () => {
    await admin('POST', path, {
      kind: 'maintenance',
      title: 'A look inside',
      message: 'No impact is expected.',
      impact: 'none',
      services: ['ollama'],
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await see({ ollama: 'offline' })
    expect(await all()).toHaveLength(2)
  })

  test('concurrent manual changes and rounds do not block each other', async () => {
    await see({ ollama: 'offline', mcp: 'offline', disk: 'offline' })
    const ids: string[] = (await all()).map(({ id }: { id: string }) => id)
    const flip = async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        const state = turn % 2 === 0 ? 'degraded' : 'offline'
        await see({ ollama: state, mcp: state, disk: state })
      }
    }
    const answers = await Promise.all([
      flip(),
      ...ids.flatMap((id) =>
        [1, 2, 3, 4].map((each) => admin('POST', `${path}/${id}/updates`, { message: `Note ${each}` })),
      ),
      ...ids.map((id) => admin('PATCH', `${path}/${id}`, { title: 'Changed' })),
    ])
    const statuses = answers.map((answer) => answer?.status ?? 200)
    expect(new Set(statuses)).toEqual(new Set([200, 201]))
  })
})

describe('bounds', () => {
  test('an incident takes 200 updates; after that the prober changes it silently, and still closes it', async () => {
    await see({ ollama: 'offline' })
    const { id } = await only()
    await addUpdates(id, 199)
    const refused = await admin('POST', `${path}/${id}/updates`, { message: 'One too many.' })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The limit of 200 updates of an incident is reached. Open another incident.',
    ])
    await see({ ollama: 'degraded' })
    const changed = await only()
    expect([changed.impact, changed.updates.length]).toEqual(['degraded', 200])
    await see({ ollama: 'online' })
    expect((await only()).state).toBe('resolved')
  })

  test('people can have 200 open at once, and the prober still opens its own', async () => {
    await server.database.query(`
      insert into status_incidents (id, kind, title, impact, services, state, opened_by)
      select gen_random_uuid(), 'incident', 'Much', 'none', '{}', 'investigating', 'account'
      from generate_series(1, 200)
    `)
    const refused = await admin('POST', path, { title: 'More', message: 'Too much.' })
    expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT'])
    await see({ ollama: 'offline' })
    expect((await server.call(`${path}?service=ollama`)).body.total).toBe(1)
  })

  test('incidents that ended two years ago are deleted, with their updates', async () => {
    await see({ ollama: 'offline', mcp: 'offline' }, { ollama: 'online', mcp: 'offline' })
    await server.database.query(
      `update status_incidents set closed_at = now() - interval '3 years' where closed_at is not null`,
    )
    const prune = server.status.tasks.find(({ name }) => name === 'status.incidents.prune')
    await prune?.run(new AbortController().signal)
    const { id, services } = await only()
    expect(services).toEqual(['mcp'])
    expect(
      await server.database.query('select from status_incident_updates where incident_id <> $1', [id]),
    ).toEqual([])
  })
})

test('subscribers are notified of the start and the end, by mail and in Slack', async () => {
  await using mail = await startMailServer()
  await using slack = await startSlack()
  const ways = { TUTTI_SMTP_URL: mail.url, TUTTI_SLACK_WEBHOOK_URL: slack.url }
  await using database = await createTestDatabase()
  await using told = await startIncidentsServer({
    database,
    environment: {
      TUTTI_STATUS_NOTIFY: 'ops@example.com, #ops',
      TUTTI_PUBLIC_URL: 'https://tutti.example.com/',
      TUTTI_MAIL_FROM: 'Tutti <tutti@example.com>',
      ...ways,
    },
  })
  const worker = makeWorker(database, makeNotifications(database, { environment: ways }), {})
  await worker.start()
  try {
    for (const state of ['offline', 'degraded', 'online'] as const) {
      told.find({ ollama: state })
      await told.round()
    }
    await mail.untilMails(2)
    await expect.poll(() => slack.messages.length).toBe(2)
    const { id } = (await told.call(path)).body.incidents[0]
    const link = `https://tutti.example.com/status/incidents/${id}`
    const subjects = mail.mails.map(({ headers }) => headers.get('subject') ?? '')
    expect(subjects.toSorted()).toEqual([
      'Incident: Own models are not available',
      'Resolved: Own models are impaired',
    ])
    const opened = mail.mails.find(({ headers }) => headers.get('subject')?.startsWith('Incident'))
    expect(opened?.to).toEqual(['ops@example.com'])
    expect(opened?.text.trim()).toBe(
      `Own models are not available. An automatic check found this.\nServices: Own models\n${link}`,
    )
    const texts = slack.messages.map(({ body }) => `${body.channel} ${body.text}`).toSorted()
    expect(texts[0]).toBe(
      `#ops Incident: Own models are not available\nOwn models are not available. An automatic check found this.\nServices: Own models\n${link}`,
    )
    expect(texts[1]).toContain('Resolved: ')
  } finally {
    await worker.stop()
  }
})
