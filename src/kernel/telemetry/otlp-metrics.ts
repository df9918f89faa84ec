import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from './logger.ts'
import type { MetricExport, MetricExportOptions } from './metric-export.ts'
import { convertMetrics, packRequests } from './otlp-metric-format.ts'
import { createResource } from './otlp-resource.ts'

const exportTimeoutMs = 10_000
const shutdownTimeoutMs = 2000
const warningIntervalMs = 60_000

/** Collectors accept at least 4 MiB. An export may take several requests. */
const maxRequestBytes = 1024 * 1024
const maxExportBytes = 16 * 1024 * 1024

type OtlpMetricExportOptions = MetricExportOptions & { readonly endpoint: string }

/**
 * Sends the metrics to an OTLP collector, one export at a time. Failed exports are not retried: all values are cumulative or current,
 * so the next export includes them.
 */
export function createOtlpMetricExport(options: OtlpMetricExportOptions): MetricExport {
  const { metrics, intervalMs } = options
  const startedAt = Date.now()
  const { attributes } = createResource(options)
  const post = createSender(options)
  const warn = createFailureLog(options.log)
  const stopping = new AbortController()

  async function exportMetrics(signal: AbortSignal): Promise<void> {
    const families = await untilAborted(metrics.registry.getMetricsAsJSON(), signal)
    const converted = convertMetrics(families, {
      conventions: metrics.conventions,
      startedAt,
      now: Date.now(),
    })
    let sentBytes = 0
    for (const body of packRequests(converted, {
      resource: attributes,
      version: options.version,
      maxRequestBytes,
    })) {
      sentBytes += body.length
      if (sentBytes > maxExportBytes) {
        throw new Error(`the metrics exceed ${maxExportBytes} bytes; the rest was not sent`)
      }
      await post(body, signal)
    }
  }

  async function exportPeriodically(): Promise<void> {
    const { signal } = stopping
    while (!signal.aborted) {
      await delay(intervalMs, undefined, { ref: false, signal }).catch(() => {})
      if (signal.aborted) return
      try {
        await exportMetrics(AbortSignal.any([signal, AbortSignal.timeout(exportTimeoutMs)]))
      } catch (error) {
        // The last export replaces one that the shutdown aborts.
        if (!signal.aborted) warn(error)
      }
    }
  }

  const running = exportPeriodically()
  let ended: Promise<void> | undefined

  async function stop(): Promise<void> {
    stopping.abort()
    await running
    await exportMetrics(AbortSignal.timeout(shutdownTimeoutMs)).catch(warn)
  }

  return { shutdown: () => (ended ??= stop()) }
}

function createSender({ endpoint, headers }: Pick<OtlpMetricExportOptions, 'endpoint' | 'headers'>) {
  const url = new URL(`${endpoint.replace(/\/+$/, '')}/v1/metrics`)
  const sent = new Headers(headers)
  sent.set('content-type', 'application/json')
  // fetch refuses an address with a password, which the exporter of traces sends as this header.
  if (url.username !== '' && !sent.has('authorization')) {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    sent.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  }
  url.username = ''
  url.password = ''

  return async (body: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<void> => {
    // A redirect could take the headers, with their credentials, to another server.
    const response = await fetch(url, { method: 'POST', headers: sent, body, signal, redirect: 'error' })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`the collector answered with status ${response.status}`)
  }
}

/** Logs one warning a minute, with the number of failed exports since the last one. */
function createFailureLog(log: Logger): (error: unknown) => void {
  let quietUntil = 0
  let failed = 0
  return (err) => {
    failed += 1
    if (Date.now() < quietUntil) return
    log.warn({ err, failed }, 'could not send metrics to the collector')
    quietUntil = Date.now() + warningIntervalMs
    failed = 0
  }
}

/** Rejects when the signal aborts. The metrics may wait for a database, which knows nothing of the signal. */
async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
