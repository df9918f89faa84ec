import { randomUUID } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { OpenApiDocument } from '#kernel/http'
import { type MailServer, startMailServer } from '../database/notifications-mail-server.ts'
import { longNumbersIn } from '../support/numbers-in.ts'
import { basicAuth, type OpenPlatform, openPlatform } from '../support/platform.ts'
import { unlimitedReads } from './request-limits.ts'

const publicUrl = 'http://tutti.example.com'
const closing = new AsyncDisposableStack()
let mailServer: MailServer
let platform: OpenPlatform

beforeAll(async () => {
  mailServer = closing.use(await startMailServer())
  platform = closing.use(
    await openPlatform(
      {
        TUTTI_SMTP_URL: mailServer.url,
        TUTTI_MAIL_FROM: 'tutti@example.com',
        TUTTI_PUBLIC_URL: publicUrl,
      },
      unlimitedReads,
    ),
  )
})

afterAll(() => closing.disposeAsync())

const validate = (document: OpenApiDocument) =>
  new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>)

const ask = (path: string, init?: RequestInit) => fetch(`${platform.url}${path}`, init)

describe('health', () => {
  test('both services and the metrics port report live and ready', async () => {
    for (const url of [platform.url, platform.clusterUrl, platform.metricsUrl]) {
      expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'alive' })
      await expect.poll(async () => (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' })
    }
  })

  test('readiness names its conditions', async () => {
    expect(await (await ask('/readyz')).json()).toEqual({
      status: 'ready',
      checks: { process: 'ok', database: 'ok', migrations: 'ok', clock: 'ok', worker: 'ok' },
    })
  })
})

describe('metrics', () => {
  test('are public on their own port and protected on the platform', async () => {
    const text = await (await fetch(`${platform.metricsUrl}/metrics`)).text()
    expect(text).toContain('# TYPE tutti_http_request_seconds histogram')
    expect((await ask('/metrics')).status).toBe(401)
    expect((await ask('/metrics', { headers: basicAuth(platform) })).status).toBe(200)
  })

  test('count requests by route, not by URL', async () => {
    await ask('/openapi/nonsense.yaml')
    const text = await (await fetch(`${platform.metricsUrl}/metrics`)).text()
    expect(text).toMatch(
      /tutti_http_request_seconds_count\{[^}]*route="\/openapi\/:document"[^}]*status="404"/,
    )
    expect(text).not.toContain('nonsense')
  })
})

test.each([
  ['POST', '/ai-workflows/api/flows', '{"flow_id": 5}'],
  ['POST', '/ai-orchestra/api/execute-workflow', '{'],
  ['GET', '/ai-workflows/api/executions?limit=many', undefined],
  ['POST', '/api/v1/api-keys', '{}'],
  ['POST', '/admin/structure/recipe-onboarding/tours', '{"label": 5}'],
] as const)(
  'the error of an invalid %s %s names fields, not the part of the request',
  async (method, path, body) => {
    const answer = await fetch(`${platform.url}${path}`, {
      method,
      headers: {
        ...basicAuth(platform),
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
    expect(answer.status).toBe(400)
    expect(await answer.text()).not.toContain('"part"')
  },
)

describe('OpenAPI documents', () => {
  test('the whole platform is valid OpenAPI 3.0.3', async () => {
    const document = (await (await ask('/openapi.json')).json()) as OpenApiDocument
    expect(document.openapi).toBe('3.0.3')
    expect(await validate(document)).toMatchObject({ valid: true })
    const yaml = await ask('/openapi.yaml')
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
    expect(await yaml.text()).toMatch(/^openapi: 3\.0\.3\n/)
  })

  // Of one API: to parse all of them takes seconds.
  test('an API is the same as YAML and JSON', async () => {
    const yaml = await ask('/openapi/mcp.yaml')
    expect(parse(await yaml.text())).toEqual(await (await ask('/openapi/mcp.json')).json())
  })

  test('the cluster service describes itself', async () => {
    const document = parse(
      await (await fetch(`${platform.clusterUrl}/openapi.yaml`)).text(),
    ) as OpenApiDocument
    expect(await validate(document)).toMatchObject({ valid: true })
    expect(Object.keys(document.paths)).toContain('/api/cluster/nodes')
  })

  test('every operation has a summary, its access and its responses', async () => {
    const { paths } = (await (await ask('/openapi.json')).json()) as OpenApiDocument
    for (const [path, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item ?? {})) {
        const told = operation as {
          summary?: string
          'x-access'?: string
          responses?: Record<string, unknown>
        }
        expect(told.summary, `${method} ${path}`).toMatch(/\w/)
        expect(told['x-access'], `${method} ${path}`).toMatch(/\w/)
        expect(Object.keys(told.responses ?? {}), `${method} ${path}`).toContain('default')
        expect(Object.keys(told.responses ?? {}).length, `${method} ${path}`).toBeGreaterThan(1)
      }
    }
  })

  test('every document lists each credential as an alternative, on every protected operation', async () => {
    const { tags = [] } = (await (await ask('/openapi.json')).json()) as OpenApiDocument
    for (const name of ['/openapi', ...tags.map((tag) => `/openapi/${tag.name}`)]) {
      const { components, paths } = (await (await ask(`${name}.json`)).json()) as OpenApiDocument
      expect(components?.securitySchemes?.['apiKey']).toMatchObject({ in: 'header', name: 'X-API-Key' })
      const needed = Object.values(paths).flatMap((item) =>
        Object.values(item ?? {}).flatMap((operation) => {
          const { security = [] } = operation as { security?: object[] }
          return security.length === 0 ? [] : [security]
        }),
      )
      for (const security of needed) {
        expect(security).toEqual([{ session: [] }, { bearer: [] }, { apiKey: [] }, { basic: [] }])
      }
    }
  })

  test('an unknown API is named in the error, with the existing ones', async () => {
    const answer = await ask('/openapi/nothing.yaml')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      error: { code: 'not_found', message: expect.stringContaining('identity') },
    })
  })

  test('the reference page shows every operation under a policy that allows no foreign script', async () => {
    const answer = await ask('/docs')
    const page = await answer.text()
    const { paths } = (await (await ask('/openapi.json')).json()) as OpenApiDocument
    for (const path of Object.keys(paths)) expect(page).toContain(`<code>${path}</code>`)
    expect(page).not.toContain('<script')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
  })
})

const read = (path: string) => ask(path, { headers: { ...basicAuth(platform), accept: 'application/json' } })

const send = async (path: string, body: unknown) =>
  (await (
    await ask(path, {
      method: 'POST',
      headers: { ...basicAuth(platform), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json()) as Readonly<Record<string, unknown>>

describe('numbers', () => {
  test('are rounded in every response of every API', async () => {
    const content = 'The ferry leaves at nine. It is often late, and all is well. '.repeat(20)
    const flow_definition = {
      id: 'measured',
      label: 'Measured',
      steps: [
        {
          id: 'read',
          type: 'ai_prompt',
          prompt: 'Readability:\n\n{{content}}',
          ai_options: { model: 'builtin:text' },
        },
        {
          id: 'again',
          type: 'ai_prompt',
          prompt: 'Summarize:\n\n{{content}}',
          ai_options: { model: 'builtin:text' },
        },
      ],
    }
    await send('/ai-workflows/api/flows', { flow_definition })
    const runs = [
      await send('/ai-workflows/api/execute-flow', { flow_id: 'measured', context: { content } }),
      await send('/ai-workflows/api/execute-flow', { flow_id: 'measured', context: { content: 'Short.' } }),
      await send('/ai-orchestra/api/execute-workflow', { workflow_id: 'measured', context: { content } }),
      await send('/api/v1/chat', {
        model: 'builtin:text',
        stream: false,
        messages: [{ role: 'user', content }],
      }),
      await send('/ai-workflows/api/recommend-flows', { context: { content_type: 'article' } }),
      await send('/ai-orchestra/api/agents/recommend', {
        context: { content_type: 'article', content_length: 1000 },
      }),
    ]
    const executionId = String(runs[0]?.['execution_id'])
    const filled: Readonly<Record<string, string>> = {
      '{execution_id}': executionId,
      '{flow_id}': 'measured',
      '{step_id}': 'read',
      '{status_type}': 'system',
    }
    const found = runs.flatMap((body, index) => longNumbersIn(body, `POST ${index}`))
    let answered = 0
    for (const [server, prefix] of [
      [platform.url, ''],
      [platform.clusterUrl, platform.clusterUrl],
    ] as const) {
      const { paths } = (await (await fetch(`${server}/openapi.json`)).json()) as OpenApiDocument
      for (const [pattern, item] of Object.entries(paths)) {
        const path = pattern.replaceAll(/\{\w+\}/g, (name) => filled[name] ?? name)
        if (item === undefined || !('get' in item) || path.includes('{') || /stream|follow/.test(path))
          continue
        const answer = prefix === '' ? await read(path) : await fetch(prefix + path)
        if (answer.status !== 200 || !/json/.test(answer.headers.get('content-type') ?? '')) {
          await answer.body?.cancel()
          continue
        }
        answered += 1
        found.push(...longNumbersIn(await answer.json(), path))
      }
    }
    expect(found).toEqual([])
    expect(answered).toBeGreaterThan(50)
  })
})

describe('system', () => {
  test('returns the running version', async () => {
    const system: unknown = await (await ask('/api/v1/system', { headers: basicAuth(platform) })).json()
    expect(system).toMatchObject({
      status: 'ready',
      role: 'all',
      database: { kind: 'server', version: expect.stringMatching(/^18/) },
      workers: [{ role: 'all', alive: true }],
      nodes: [],
    })
    expect(system).toMatchObject({
      tasks: expect.arrayContaining([expect.objectContaining({ name: 'events.prune', last_error: null })]),
      interfaces: expect.arrayContaining([expect.objectContaining({ name: 'identity' })]),
    })
  })
})

describe('events', () => {
  test('are read in order and followed from a cursor', async () => {
    const headers = basicAuth(platform)
    const page = (await (await ask('/api/v1/events?after=0', { headers })).json()) as {
      data: { id: number; type: string }[]
      total: number
      last_id: number
    }
    expect(page.data[0]).toMatchObject({ id: 1, type: 'identity.administrator_created' })
    expect(page.data.map(({ id }) => id)).toEqual(page.data.map((_, index) => index + 1))

    const stop = new AbortController()
    const stream = await ask('/api/v1/events/stream', {
      headers: { ...headers, 'last-event-id': '0' },
      signal: stop.signal,
    })
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of stream.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      if (text.includes('administrator_created')) break
    }
    expect(text).toMatch(/id: 1\nevent: event\ndata: \{"id":1,"type":"identity\.administrator_created"/)
    stop.abort()
  })

  test('are filtered by one type or by several', async () => {
    const headers = basicAuth(platform)
    const typesOf = async (filter: string) => {
      const page = await ask(`/api/v1/events?after=0&type=${filter}`, { headers })
      const { data } = (await page.json()) as { data: { type: string }[] }
      return new Set(data.map(({ type }) => type))
    }
    const first = 'identity.administrator_created'
    expect(await typesOf(first)).toEqual(new Set([first]))
    expect(await typesOf(`no.such.type,%20${first}`)).toEqual(new Set([first]))
    const many = await ask(`/api/v1/events?type=${Array.from({ length: 101 }, () => 'a').join(',')}`, {
      headers,
    })
    expect(many.status).toBe(400)
    expect(await many.json()).toMatchObject({ error: { problems: [{ path: 'type' }] } })
  })

  test('are read backwards from an id, but not in both directions at once', async () => {
    const headers = basicAuth(platform)
    const earlier = await ask('/api/v1/events?before=2&limit=5', { headers })
    expect(await earlier.json()).toMatchObject({ data: [{ id: 1 }] })
    const both = await ask('/api/v1/events?before=2&after=1', { headers })
    expect(both.status).toBe(400)
    expect(await both.json()).toMatchObject({ error: { problems: [{ path: 'before' }] } })
  })

  test.each(['after=1e30', 'after=9223372036854775807', 'before=1e400', 'type=%00'])(
    'an impossible cursor is refused: %s',
    async (query) => {
      const headers = basicAuth(platform)
      for (const path of ['/api/v1/events', '/api/v1/events/stream']) {
        if (path.endsWith('stream') && query.startsWith('before')) continue
        const answer = await ask(`${path}?${query}`, { headers })
        expect(answer.status, path).toBe(400)
        expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } })
      }
    },
  )

  test('a stream from an unknown cursor is refused, not opened and ended', async () => {
    const headers = { ...basicAuth(platform), 'last-event-id': '999999' }
    const answer = await ask('/api/v1/events/stream', { headers })
    expect(answer.status).toBe(410)
    expect(await answer.json()).toMatchObject({
      error: { code: 'cursor_out_of_range', details: { oldest: 1 } },
    })
  })

  test('without a cursor the newest page is returned', async () => {
    const headers = basicAuth(platform)
    const page = (await (await ask('/api/v1/events?limit=1', { headers })).json()) as {
      data: { id: number }[]
      last_id: number
    }
    expect(page.data.map(({ id }) => id)).toEqual([page.last_id])
  })
})

describe('files of the console', () => {
  test('a missing one is 404', async () => {
    const answer = await ask('/assets/nothing-1234.js')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
  })

  test.each(['/assets/..%2f..%2fpackage.json', '/assets/..%2findex.html', '/assets/..%5c..%5cpackage.json'])(
    'a path outside the folder is refused: %s',
    async (path) => {
      const answer = await ask(path)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { message: 'The request is not valid.' } })
    },
  )

  test('a range request gets the whole file', async () => {
    const answer = await ask('/favicon.svg', { headers: { range: 'bytes=999999-' } })
    expect(answer.status).toBe(200)
  })
})

test('the link in a mail opens the page of the execution in the console', async () => {
  const post = async (path: string, body: object) => {
    const headers = { ...basicAuth(platform), 'content-type': 'application/json' }
    const answer = await ask(`/ai-workflows/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    expect(answer.ok).toBe(true)
    return (await answer.json()) as { execution_id: string }
  }
  const transformations = [{ operation: 'merge', sources: ['content'], merge_strategy: 'first' }]
  const steps = [{ id: 'only', type: 'data_transform', transformations }]
  const flow_id = `mailed_${randomUUID()}`
  await post('/flows', { flow_definition: { id: flow_id, label: 'Mailed', steps } })
  const { execution_id: id } = await post('/execute-flow', {
    flow_id,
    context: { content: 'A text.' },
    options: { notifications: { email_on_completion: 'nora@example.com' } },
  })
  await mailServer.untilMails(1)
  const link = new URL(/https?:\S+/.exec(mailServer.mails.at(-1)?.text ?? '')?.[0] ?? 'about:blank')
  expect(link.href).toBe(`${publicUrl}/executions/${id}`)
  const page = await ask(link.pathname)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
})
