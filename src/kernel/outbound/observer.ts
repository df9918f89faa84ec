import { Failure } from '#kernel/errors'
import type { Logger, Metrics } from '#kernel/telemetry'

export interface Observer {
  /** Times a request. The first call of `finish` counts. */
  start(url: string | URL): { finish(error?: unknown): void }
  /** Notes an address that was refused. */
  tellRefusal(url: string | URL, error: unknown): void
}

/** Counts requests by how they ended and tells the log about the refused ones: somebody may be trying doors. */
export function createObserver({
  log,
  metrics,
}: {
  readonly log: Logger
  readonly metrics?: Metrics
}): Observer {
  const seconds = metrics?.histogram({
    name: 'outbound_request_seconds',
    help: 'Time of requests to addresses users gave, by how they ended.',
    labels: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  })
  const refusals = metrics?.counter({
    name: 'outbound_refusals_total',
    help: 'Addresses that were refused, by reason.',
    labels: ['reason'],
  })

  function tellRefusal(url: string | URL, error: unknown): void {
    if (!(error instanceof Failure) || error.code !== 'outbound_refused') return
    const reason = String(error.details.reason)
    refusals?.inc({ reason })
    log.warn({ host: hostOf(url), reason, because: error.cause }, 'outbound request refused')
  }

  return {
    tellRefusal,
    start(url) {
      const startedAt = performance.now()
      let finished = false
      return {
        finish(error) {
          if (finished) return
          finished = true
          seconds?.observe({ outcome: nameOutcome(error) }, (performance.now() - startedAt) / 1000)
          tellRefusal(url, error)
        },
      }
    },
  }
}

function nameOutcome(error: unknown): string {
  if (error === undefined) return 'answered'
  return error instanceof Failure ? error.code : 'cancelled'
}

/** Paths and queries of hooks are secrets more often than not; the host is enough to act on. */
function hostOf(url: string | URL): string {
  return URL.canParse(String(url)) ? new URL(String(url)).host : 'malformed'
}
