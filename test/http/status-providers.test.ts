import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { type StatusServer, startStatusServer } from './status-server.ts'

/* Model providers besides the usual ones are services, too, and come and go without a restart. */

const closing = new AsyncDisposableStack()
let office: OpenAiServer
let added: OpenAiServer
let server: StatusServer

beforeAll(async () => {
  office = closing.use(await startOpenAiServer({ models: ['small', 'large'] }))
  added = closing.use(await startOpenAiServer({ models: ['llama'] }))
  server = closing.use(
    await startStatusServer({
      environment: {
        TUTTI_PROVIDERS: `office=${office.baseUrl}`,
        TUTTI_PROVIDER_KEYS: 'office=sk-office',
        TUTTI_STATUS_PAGE: 'true',
      },
    }),
  )
  await server.configure({ damping: { worse: 1, better: 1, flapping_changes: 100 } })
})
afterAll(() => closing.disposeAsync())

interface Named {
  readonly name: string
}

const namesIn = (services: readonly Named[]) => services.map(({ name }) => name)
const add = (name: string) =>
  server.call('/api/v1/providers', {
    method: 'POST',
    body: { name, kind: 'openai', base_url: added.baseUrl, api_key: 'sk-added' },
  })
const remove = (name: string) => server.call(`/api/v1/providers/${name}`, { method: 'DELETE' })
const incidentsOf = async (service: string) =>
  (await server.call(`/admin/llm/incidents?service=${encodeURIComponent(service)}`)).body.incidents

describe('a provider', () => {
  test('of the environment is a service, after the usual ones, and gemini is a usual one', async () => {
    const report = await server.probe()
    expect(namesIn(report.services)).toEqual([
      'database',
      'queue',
      'disk',
      'ollama',
      'openai',
      'anthropic',
      'gemini',
      'provider:office',
      'vector_db',
      'mcp',
    ])
    expect(report.services[6]).toMatchObject({ status: 'unconfigured', weight: 10 })
    expect(report.services[7]).toMatchObject({ status: 'online', weight: 5 })
    expect(await server.service('provider:office')).toMatchObject({
      name: 'provider:office',
      status: 'online',
      metadata: { models_loaded: 2 },
    })
  })

  test('that is added is a service from the next round on, until it is removed', async () => {
    expect((await add('groq')).status).toBe(201)
    await server.probe()
    expect(await server.service('provider:groq')).toMatchObject({ status: 'online' })
    const { body: history } = await server.call('/admin/llm/history?range=24h')
    expect(namesIn(history.services)).toContain('provider:groq')
    const { body: one } = await server.call('/admin/llm/history?service=provider%3Agroq')
    expect(one.services).toMatchObject([{ name: 'provider:groq', checks: 1, online: 1 }])

    await added.close()
    await server.probe()
    expect(await server.service('provider:groq')).toMatchObject({ status: 'offline' })
    expect(await incidentsOf('provider:groq')).toMatchObject([
      { title: 'groq models are not available', state: 'investigating', services: ['provider:groq'] },
    ])

    expect((await remove('groq')).status).toBe(204)
    await added.open()
    const report = await server.probe()
    expect(namesIn(report.services)).not.toContain('provider:groq')
    const gone = await server.call('/admin/llm/status/provider:groq')
    expect([gone.status, gone.body.error]).toEqual([404, 'NOT_FOUND'])
    expect(gone.body.message).toContain('provider:office')
    expect(await incidentsOf('provider:groq')).toMatchObject([
      { state: 'resolved', latest_update: { message: 'groq models are no longer in use here.' } },
    ])
    const { body: after } = await server.call('/admin/llm/history')
    expect(namesIn(after.services)).not.toContain('provider:groq')
    const { events } = await server.events.read({
      after: 0,
      limit: 100,
      types: ['status.service_changed'],
      subject: 'provider:groq',
    })
    expect(events.map(({ data }) => data['status'])).toEqual(['offline', 'unconfigured'])
  })

  test('may have the name of another service', async () => {
    expect((await add('database')).status).toBe(201)
    const report = await server.probe()
    expect(report.services.filter(({ name }: Named) => name.endsWith('database'))).toMatchObject([
      { name: 'database', status: 'online', weight: 30 },
      { name: 'provider:database', status: 'online', weight: 5 },
    ])
    await remove('database')
    await server.probe()
    expect((await server.service('database')).status).toBe('online')
  })

  test('is on the public page by its name', async () => {
    const page = await fetch(`${server.url}/status.json`)
    const { services } = (await page.json()) as { services: readonly Named[] }
    expect(namesIn(services)).toContain('office models')
  })

  test('has a limit and a weight with the others', async () => {
    await server.configure({ slow_ms: { providers: 600_000 }, weights: { providers: 20 } })
    const report = await server.probe()
    expect(report.services.find(({ name }: Named) => name === 'provider:office')).toMatchObject({
      weight: 20,
    })
  })

  test('can be named in an incident, other names cannot', async () => {
    const body = { title: 'Slow', message: 'We look into it.' }
    const open = (services: readonly string[]) =>
      server.call('/admin/llm/incidents', { method: 'POST', body: { ...body, services } })
    expect((await open(['provider:office', 'gemini'])).status).toBe(201)
    const refused = await open(['teleport'])
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body.problems)).toContain('must be one of database')
  })
})
