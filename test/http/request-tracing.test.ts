import { expect, test } from 'vitest'
import { createLogger } from '#kernel/telemetry'
import { openPlatform } from '../support/platform.ts'
import { readAttributes, startCollector } from '../support/trace-collector.ts'

test('a request continues the trace of its caller, and its log line has the trace id', async () => {
  await using collector = await startCollector()
  const logged: string[] = []
  const destination = { write: (line: string) => void logged.push(line) }
  const log = createLogger({ level: 'info', format: 'json', destination })
  const platform = await openPlatform(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
    { role: 'api', log },
  )
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  await fetch(`${platform.url}/openapi/nothing.yaml?token=hidden`, {
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  })
  // Stopping flushes the remaining spans.
  await platform.close()

  const span = collector.spans().find((it) => it.traceId === traceId)
  expect(span).toMatchObject({ name: 'GET /openapi/:document', kind: 2, parentSpanId: '00f067aa0ba902b7' })
  expect(readAttributes(span?.attributes)).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/openapi/:document',
    'http.response.status_code': 404,
  })
  const line = logged.find((it) => it.includes('"route":"/openapi/:document"'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    status: 404,
    trace: traceId,
    msg: expect.stringMatching(/^GET \/openapi\/:document 404 [\d.]+ ms$/),
  })
  expect(logged.join()).not.toContain('hidden')
})
