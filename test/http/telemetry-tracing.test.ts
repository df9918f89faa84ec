import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createLogger, startTracing } from '#kernel/telemetry'
import { patience } from '../support/patience.ts'
import { readAttributes, startCollector } from '../support/trace-collector.ts'

function captureLog() {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  return { lines, log: createLogger({ level: 'debug', format: 'json', destination }) }
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const remoteSpanId = 'b7ad6b7169203331'

describe('tracing', () => {
  test('sends spans with names, parents, attributes and the service to the collector', async () => {
    await using collector = await startCollector()
    const { log, lines } = captureLog()
    const tracing = await startTracing({
      endpoint: `${collector.endpoint}/`,
      serviceName: 'tutti-test',
      version: '1.2.3',
      log,
    })
    const parentHeaders = { traceparent: `00-${traceId}-${remoteSpanId}-01`, tracestate: 'vendor=abc' }
    const result = await tracing.span('GET /things', { kind: 'server', parentHeaders }, async (request) => {
      expect(request.traceId).toBe(traceId)
      await Promise.resolve()
      expect(tracing.activeTraceId()).toBe(traceId)
      request.setAttributes({
        'http.response.status_code': 200,
        password: 'hidden',
        url: '/things?token=hidden',
      })
      return tracing.span('read things', { attributes: { rows: 3 } }, () => {
        expect(tracing.activeHeaders()).toEqual({
          traceparent: expect.stringMatching(
            new RegExp(`^00-${traceId}-(?!${remoteSpanId})[0-9a-f]{16}-01$`),
          ),
          tracestate: 'vendor=abc',
        })
        return 'done'
      })
    })
    expect(result).toBe('done')
    expect(tracing.activeTraceId()).toBeUndefined()
    expect(tracing.activeHeaders()).toEqual({})
    await tracing.shutdown()

    expect(collector.received[0]?.path).toBe('/v1/traces')
    expect(collector.received[0]?.headers['content-type']).toBe('application/json')
    expect(collector.received[0]?.resource).toMatchObject({
      'service.name': 'tutti-test',
      'service.version': '1.2.3',
    })
    const [inner, outer] = collector.spans()
    expect(outer).toMatchObject({
      name: 'GET /things',
      kind: 2,
      traceId,
      parentSpanId: remoteSpanId,
      traceState: 'vendor=abc',
    })
    expect(inner).toMatchObject({ name: 'read things', kind: 1, traceId, parentSpanId: outer?.spanId })
    expect(readAttributes(inner?.attributes)).toEqual({ rows: 3 })
    expect(readAttributes(outer?.attributes)).toEqual({
      'http.response.status_code': 200,
      password: '[redacted]',
      url: '/things?token=[redacted]',
    })
    expect(lines).toEqual([])
  })

  test('marks thrown and rejected work as failed, without its secrets, and passes the error on', async () => {
    await using collector = await startCollector()
    const tracing = await startTracing({
      ...captureLog(),
      endpoint: collector.endpoint,
      serviceName: 't',
      version: '0',
    })
    const error = new Error('no answer from postgres://a:hunter2@db/')
    expect(() =>
      tracing.span('sync', {}, () => {
        throw error
      }),
    ).toThrow(error)
    await expect(tracing.span('async', {}, () => Promise.reject(error))).rejects.toBe(error)
    tracing.span('told', {}, (span) => span.fail('status 503'))
    await tracing.shutdown()
    const spans = collector.spans()
    expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
      ['sync', 2],
      ['async', 2],
      ['told', 2],
    ])
    expect(readAttributes(spans[0]?.events?.[0]?.attributes)).toMatchObject({
      'exception.message': 'no answer from postgres://a:[redacted]@db/',
    })
    expect(JSON.stringify(collector.received)).not.toContain('hunter2')
  })

  test('ignores a malformed parent, and keeps an unsampled one unrecorded', async () => {
    await using collector = await startCollector()
    const tracing = await startTracing({
      ...captureLog(),
      endpoint: collector.endpoint,
      serviceName: 't',
      version: '0',
    })
    tracing.span('malformed', { parentHeaders: { traceparent: 'nonsense' } }, () => {})
    const unsampled = { traceparent: `00-${traceId}-${remoteSpanId}-00` }
    tracing.span('unsampled', { parentHeaders: unsampled }, () => {
      expect(tracing.activeTraceId()).toBe(traceId)
      expect(tracing.activeHeaders().traceparent).toMatch(/-00$/)
    })
    await tracing.shutdown()
    expect(collector.spans().map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['malformed', undefined],
    ])
  })

  test('keeps concurrent spans in their own traces', async () => {
    await using collector = await startCollector()
    const tracing = await startTracing({
      ...captureLog(),
      endpoint: collector.endpoint,
      serviceName: 't',
      version: '0',
    })
    await Promise.all(
      Array.from({ length: 20 }, () =>
        tracing.span('one', {}, async (span) => {
          for (let turn = 0; turn < 5; turn += 1) {
            await new Promise((resolve) => setImmediate(resolve))
            expect(tracing.activeTraceId()).toBe(span.traceId)
          }
        }),
      ),
    )
    await tracing.shutdown()
    expect(new Set(collector.spans().map((span) => span.traceId)).size).toBe(20)
  })

  test('an absent collector costs a single warning, no crash and no long wait', async () => {
    const { log, lines } = captureLog()
    const closed = await startCollector()
    await closed[Symbol.asyncDispose]()
    const tracing = await startTracing({ endpoint: closed.endpoint, serviceName: 't', version: '0', log })
    for (let index = 0; index < 3000; index += 1) tracing.span('lost', {}, () => {})
    const started = performance.now()
    await tracing.shutdown()
    expect(performance.now() - started).toBeLessThan(20_000 * patience)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: 'could not send traces to the collector',
    })
  })

  test('a collector that refuses costs a single warning too', async () => {
    await using collector = await startCollector(400)
    const { log, lines } = captureLog()
    const tracing = await startTracing({ endpoint: collector.endpoint, serviceName: 't', version: '0', log })
    for (let index = 0; index < 1500; index += 1) tracing.span('refused', {}, () => {})
    await tracing.shutdown()
    expect(lines).toHaveLength(1)
  })

  test('without an endpoint nothing is traced and OpenTelemetry is not loaded', async () => {
    const script = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context) } })
      const { createLogger, startTracing } = await import('#kernel/telemetry')
      const log = createLogger({ level: 'silent', format: 'json' })
      const tracing = await startTracing({ endpoint: undefined, serviceName: 't', version: '0', log })
      const result = tracing.span('x', {}, (span) => [span.traceId, tracing.activeTraceId(), tracing.activeHeaders()])
      await tracing.shutdown()
      console.log(JSON.stringify({ result, loaded }))
    `
    const cwd = new URL('../../', import.meta.url)
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd })
    const { result, loaded } = JSON.parse(stdout)
    expect(result).toEqual([null, null, {}])
    expect(loaded).toContain('pino')
    expect(loaded.filter((name: string) => /opentelemetry\/(?!api)|otlp/.test(name))).toEqual([])
  })
})
