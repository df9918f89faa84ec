import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OrchestraServer, shareOrchestraServer } from './orchestra-server.ts'

const isError = (code: string) => ({
  error: {
    code,
    message: expect.stringMatching(/.{10}/),
    details: expect.any(Object),
    timestamp: expect.any(Number),
    request_id: expect.any(String),
    documentation: expect.any(String),
  },
})

describe('errors of Orchestra', () => {
  let server: OrchestraServer

  beforeAll(async () => {
    server = await shareOrchestraServer()
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  const call: OrchestraServer['call'] = (...asked) => server.call(...asked)
  const post: OrchestraServer['post'] = (...asked) => server.post(...asked)

  test('every error under the prefix has the same format, with the code and status of its kind', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000'
    const run = '/execute-workflow'
    const workflow_id = await server.save([
      { id: 'only', type: 'data_transform', transformations: [{ operation: 'merge' }] },
    ])
    const cases = [
      [404, 'NOT_FOUND', call('/nothing-here')],
      [404, 'NOT_FOUND', call('')],
      [405, 'METHOD_NOT_ALLOWED', call(run, { method: 'DELETE' })],
      [400, 'INVALID_REQUEST', post(run, '{"workflow_id": ')],
      [
        400,
        'INVALID_REQUEST',
        call(run, { method: 'POST', headers: { 'content-type': 'application/json' } }),
      ],
      [400, 'VALIDATION_ERROR', post(run, {})],
      [400, 'VALIDATION_ERROR', post(run, [])],
      [
        400,
        'VALIDATION_ERROR',
        post('/webhooks', { url: 'no address', events: ['workflow.completed'] }, { as: 'nora' }),
      ],
      ...['no address', 'http://', 'http://exa mple.com/', 'http://example.com:99999/'].map(
        (callback_url) =>
          [400, 'VALIDATION_ERROR', post(run, { workflow_id, options: { callback_url } })] as const,
      ),
      [400, 'VALIDATION_ERROR', call('/workflows?limit=0')],
      [413, 'BODY_TOO_LARGE', post(run, { workflow_id: 'x', context: { content: 'a'.repeat(1_100_000) } })],
      [415, 'UNSUPPORTED_MEDIA_TYPE', post(run, 'hi', { headers: { 'content-type': 'application/xml' } })],
      [401, 'AUTHENTICATION_REQUIRED', call('/workflows', { as: '' })],
      [401, 'AUTHENTICATION_REQUIRED', call('/quotas/current', { as: 'guest' })],
      [401, 'AUTHENTICATION_REQUIRED', post(run, { workflow_id: 'x' }, { as: 'guest' })],
      [403, 'PERMISSION_DENIED', post(run, { workflow_id: 'x' }, { as: 'vera' })],
      [403, 'PERMISSION_DENIED', post('/workflows', { label: 'X', agents: ['y'] })],
      [404, 'WORKFLOW_NOT_FOUND', post(run, { workflow_id: 'no_such_thing' })],
      [404, 'WORKFLOW_NOT_FOUND', call('/workflows/no_such_thing')],
      [404, 'WORKFLOW_NOT_FOUND', call('/workflows/no_such_thing', { as: 'mara', method: 'DELETE' })],
      [404, 'EXECUTION_NOT_FOUND', call(`/workflow-status/${unknown}`)],
      [404, 'EXECUTION_NOT_FOUND', call("/workflow-status/'; drop table")],
      [404, 'EXECUTION_NOT_FOUND', post(`/workflow-cancel/${unknown}`, {})],
    ] as const
    for (const [status, code, asked] of cases) {
      const answer = await asked
      expect([answer.status, answer.body]).toEqual([status, isError(code)])
      expect(answer.headers.get('x-request-id')).toBe(answer.body.error.request_id)
      expect(Number.isInteger(answer.body.error.timestamp)).toBe(true)
    }
  })

  test('an error links to a section of a page on this server', async () => {
    const { body } = await server.call('/nothing-here')
    const address = new URL(body.error.documentation)
    expect(address.origin).toBe(server.url)
    const page = await fetch(address)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain(`id="${address.hash.slice(1)}"`)
  })

  test('a misspelt workflow gets suggestions', async () => {
    const { body } = await server.post('/execute-workflow', { workflow_id: 'publish_reddy' })
    expect(body.error.message).toBe('There is no workflow "publish_reddy". Is "publish_ready" meant?')
    expect(body.error.details).toEqual({ workflow_id: 'publish_reddy', suggestions: ['publish_ready'] })
    const { body: far } = await server.post('/execute-workflow', { workflow_id: 'zzz' })
    expect(far.error.details).toEqual({ workflow_id: 'zzz', suggestions: [] })
  })

  test('all errors of a request are reported at once, by path', async () => {
    const { status, body } = await server.post('/execute-workflow', {
      workflow_id: 'x',
      context: { metadata: { priority: 'soon' } },
      options: {
        async: 'yes',
        timeout: 0,
        retry_attempts: 99,
        callback_url: 'ftp://x',
        notification_email: 'me',
      },
      more: 1,
    })
    expect(status).toBe(400)
    const places = body.error.details.problems.map(({ path }: { path: string }) => path)
    expect(new Set(places)).toEqual(
      new Set([
        'context.metadata.priority',
        'options.async',
        'options.timeout',
        'options.retry_attempts',
        'options.callback_url',
        'options.notification_email',
        'more',
      ]),
    )
  })
})
