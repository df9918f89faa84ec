import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createLogger, createMetrics, startMetricExport } from '#kernel/telemetry'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { openPlatform, startPlatform } from '../support/platform.ts'
import { readAttributes, startCollector } from '../support/trace-collector.ts'

function captureLog() {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  return { lines, log: createLogger({ level: 'debug', format: 'json', destination }) }
}

async function startServer(listener: RequestListener) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const hour = 3_600_000

function startExport(endpoint: string | undefined, intervalMs: number) {
  const { log, lines } = captureLog()
  const metrics = createMetrics({ watchProcess: false })
  const options = { serviceName: 'tutti-test', version: '1.2.3', instanceId: 'one', metrics, log }
  const exporting = startMetricExport({ endpoint, intervalMs, headers: { 'x-api-key': 'abc' }, ...options })
  return { metrics, lines, exporting }
}

describe('the export of metrics', () => {
  test('repeats in its interval, with the service and the headers', async () => {
    await using collector = await startCollector()
    const { metrics, lines, exporting } = startExport(`${collector.endpoint}/`, 50)
    const counter = metrics.counter({ name: 'things_total', help: 'Things.' })
    const valueIs = (value: number) =>
      collector.metric('tutti_things_total')?.sum?.dataPoints[0]?.asDouble === value
    counter.inc(2)
    await eventually(() => valueIs(2))
    counter.inc(3)
    await eventually(() => valueIs(5))
    await (await exporting).shutdown()
    expect(collector.metricExports[0]).toMatchObject({
      path: '/v1/metrics',
      headers: { 'content-type': 'application/json', 'x-api-key': 'abc' },
      resource: { 'service.name': 'tutti-test', 'service.version': '1.2.3', 'service.instance.id': 'one' },
    })
    expect(lines).toEqual([])
  })

  test('happens once more at the shutdown, which can be called twice', async () => {
    await using collector = await startCollector()
    const { metrics, exporting } = startExport(collector.endpoint, hour)
    metrics.gauge({ name: 'open', help: 'Open.' }).set(4)
    const started = await exporting
    await Promise.all([started.shutdown(), started.shutdown()])
    expect(collector.metricExports).toHaveLength(1)
    expect(collector.metric('tutti_open')?.gauge?.dataPoints).toMatchObject([{ asDouble: 4 }])
  })

  test('waits for the previous one', async () => {
    let open = 0
    let maxOpen = 0
    let answered = 0
    await using collector = await startServer((request, response) => {
      open += 1
      maxOpen = Math.max(maxOpen, open)
      request.resume()
      // Four intervals long.
      setTimeout(() => {
        open -= 1
        answered += 1
        response.end('{}')
      }, 200)
    })
    const { metrics, exporting } = startExport(collector.endpoint, 50)
    metrics.gauge({ name: 'open', help: 'Open.' }).set(4)
    await eventually(() => answered >= 3)
    expect(maxOpen).toBe(1)
    await (await exporting).shutdown()
  })

  test('to a collector that does not respond does not hold up the shutdown', async () => {
    let requests = 0
    const { promise: first, resolve } = Promise.withResolvers<void>()
    await using collector = await startServer(() => {
      requests += 1
      resolve()
    })
    const { metrics, lines, exporting } = startExport(collector.endpoint, 50)
    metrics.gauge({ name: 'open', help: 'Open.' }).set(4)
    await first
    const started = performance.now()
    await (await exporting).shutdown()
    expect(performance.now() - started).toBeLessThan(20_000 * patience)
    // The shutdown aborts the running export and sends a last one.
    expect(requests).toBe(2)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['could not send metrics to the collector'])
  })

  test('does not wait at the shutdown for a metric that cannot be read', async () => {
    await using collector = await startCollector()
    const { metrics, exporting } = startExport(collector.endpoint, hour)
    metrics.gauge({ name: 'stuck', help: 'Stuck.', collect: () => new Promise(() => {}) })
    const started = performance.now()
    await (await exporting).shutdown()
    expect(performance.now() - started).toBeLessThan(20_000 * patience)
    expect(collector.metricExports).toEqual([])
  })

  test.each([400, 503])(
    'that is refused with %i costs a single warning, without the headers',
    async (status) => {
      await using collector = await startCollector(status)
      const { metrics, lines, exporting } = startExport(collector.endpoint, 50)
      metrics.gauge({ name: 'open', help: 'Open.' }).set(4)
      await eventually(() => collector.metricExports.length >= 3)
      await (await exporting).shutdown()
      expect(lines).toHaveLength(1)
      expect(lines[0]).not.toContain('abc')
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        level: 'warn',
        failed: 1,
        err: { message: `the collector answered with status ${status}` },
        msg: 'could not send metrics to the collector',
      })
    },
  )

  test('to an absent collector costs a single warning', async () => {
    const closed = await startCollector()
    await closed[Symbol.asyncDispose]()
    const { metrics, lines, exporting } = startExport(closed.endpoint, 50)
    metrics.gauge({ name: 'open', help: 'Open.' }).set(4)
    await eventually(() => lines.length > 0)
    await (await exporting).shutdown()
    expect(lines).toHaveLength(1)
  })

  test('does not follow a redirect, which could take the headers to another server', async () => {
    await using other = await startCollector()
    await using collector = await startServer((request, response) => {
      request.resume()
      response.writeHead(307, { location: `${other.endpoint}/v1/metrics` }).end()
    })
    const { metrics, lines, exporting } = startExport(collector.endpoint, hour)
    metrics.gauge({ name: 'open', help: 'Open.' }).set(4)
    await (await exporting).shutdown()
    expect(other.metricExports).toEqual([])
    expect(lines).toHaveLength(1)
  })

  test('sends the password of the address as a header', async () => {
    await using collector = await startCollector()
    const endpoint = collector.endpoint.replace('//', '//me:hunter%202@')
    const { metrics, exporting } = startExport(endpoint, hour)
    metrics.gauge({ name: 'open', help: 'Open.' }).set(4)
    await (await exporting).shutdown()
    const credentials = Buffer.from('me:hunter 2').toString('base64')
    expect(collector.metricExports[0]?.headers.authorization).toBe(`Basic ${credentials}`)
  })

  test('without a collector does nothing', async () => {
    const { lines, exporting } = startExport(undefined, 50)
    await (await exporting).shutdown()
    expect(lines).toEqual([])
  })
})

describe('a platform with a collector', () => {
  test('sends its metrics when it stops, as the same service and with the same headers as its traces', async () => {
    await using collector = await startCollector()
    await using platform = await startPlatform({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=abc%20d',
    })
    await fetch(`${platform.url}/openapi/nothing.yaml`)
    await platform.process.kill('SIGTERM')

    const [spans] = collector.received
    const last = collector.metricExports.at(-1)
    expect(last?.path).toBe('/v1/metrics')
    expect(last?.resource).toEqual(spans?.resource)
    expect(last?.headers['x-api-key']).toBe('abc d')
    expect(spans?.headers['x-api-key']).toBe('abc d')
    const requests = collector.metric('tutti_http_request_seconds')
    expect(requests?.unit).toBe('s')
    const routes = requests?.histogram?.dataPoints.map(
      ({ attributes }) => readAttributes(attributes)['route'],
    )
    expect(routes).toContain('/openapi/:document')
  })

  test('sends only traces with OTEL_METRICS_EXPORTER=none', async () => {
    await using collector = await startCollector()
    const platform = await openPlatform(
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_METRICS_EXPORTER: 'none' },
      { role: 'api' },
    )
    await fetch(`${platform.url}/openapi/nothing.yaml`)
    await platform.close()
    expect(collector.spans().length).toBeGreaterThan(0)
    expect(collector.metricExports).toEqual([])
  })
})
