import { readdir } from 'node:fs/promises'
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export type { Counter, Gauge, Histogram } from 'prom-client'

interface MetricOptions<Label extends string> {
  /** Without the prefix `tutti_`. Ends with its unit: `_total`, `_seconds`, `_bytes`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly Label[]
  /** For a metric of an OpenTelemetry convention, such as `gen_ai_client_token_usage`, whose name gets no prefix. */
  readonly convention?: Convention<Label>
}

/** The names of a metric in an OpenTelemetry convention, which are those in OTLP. */
export interface Convention<Label extends string = string> {
  /** Such as `gen_ai.client.token.usage`. */
  readonly name: string
  /** Such as `s` or `{token}`. */
  readonly unit: string
  /** The attribute of each label. */
  readonly attributes: Readonly<Record<Label, string>>
}

/** `collect` updates the metric whenever the metrics are read. When it throws, the metric has no value. */
interface Collected<Kind> {
  readonly collect?: (metric: Kind) => void | Promise<void>
}

type CounterOptions<Label extends string> = MetricOptions<Label> & Collected<Counter<Label>>
type GaugeOptions<Label extends string> = MetricOptions<Label> & Collected<Gauge<Label>>
type HistogramOptions<Label extends string> = MetricOptions<Label> & {
  readonly buckets?: readonly number[]
}

/** Declares metrics. Declaring a name again returns the same metric, and throws a `TypeError` for another kind or other labels. */
interface MetricFactory {
  counter<const Label extends string = never>(options: CounterOptions<Label>): Counter<Label>
  gauge<const Label extends string = never>(options: GaugeOptions<Label>): Gauge<Label>
  histogram<const Label extends string = never>(options: HistogramOptions<Label>): Histogram<Label>
}

/** All metrics of one process. */
export interface Metrics extends MetricFactory, Disposable {
  readonly registry: Registry
  /** The conventions of the metrics that have one, by the name of the metric. */
  readonly conventions: ReadonlyMap<string, Convention>
  /** The metrics in the Prometheus text format. */
  render(): Promise<string>
  readonly contentType: string
  /** Stops collecting process metrics. The metrics stay readable. */
  close(): void
}

interface MetricsOptions {
  readonly watchProcess?: boolean
  /** The label `process` of every metric, for several processes that are read together. */
  readonly process?: string | undefined
}

/** Creates a separate registry. Registries share no metrics, and there is no global registry. Does not throw. */
export function createMetrics({ watchProcess = true, process: name }: MetricsOptions = {}): Metrics {
  const registry = new Registry()
  if (name !== undefined) registry.setDefaultLabels({ process: name })
  const conventions = new Map<string, Convention>()
  const factory = createMetricFactory(registry, conventions)
  const processMetrics = watchProcess ? collectProcessMetrics(factory) : undefined
  const close = (): void => processMetrics?.close()
  return {
    ...factory,
    registry,
    conventions,
    contentType: registry.contentType,
    render: () => registry.metrics(),
    close,
    [Symbol.dispose]: close,
  }
}

const prefix = 'tutti_'

function nameOf({ name, convention }: Pick<MetricOptions<string>, 'name' | 'convention'>): string {
  return convention === undefined ? prefix + name : name
}

function createMetricFactory(registry: Registry, conventions: Map<string, Convention>): MetricFactory {
  const labelsOf = new Map<string, string>()

  /** Finds the metric with this name, and refuses another kind or other labels. */
  function findMetric<Kind>(kind: abstract new (options: never) => Kind, options: MetricOptions<string>) {
    const name = nameOf(options)
    const labels = (options.labels ?? []).join(',')
    const found: unknown = registry.getSingleMetric(name)
    if (found === undefined) {
      labelsOf.set(name, labels)
      if (options.convention !== undefined) conventions.set(name, options.convention)
      return undefined
    }
    if (found instanceof kind && labelsOf.get(name) === labels) return found
    throw new TypeError(`the metric ${name} already exists with another kind or other labels`)
  }

  function describe<Label extends string>(options: MetricOptions<Label>) {
    const { help, labels = [] } = options
    return { name: nameOf(options), help, labelNames: labels, registers: [registry] }
  }

  const failures = new Counter(
    describe({
      name: 'metric_collect_failures_total',
      help: 'Failures to collect a metric.',
      labels: ['metric'],
    }),
  )

  /** A failure of one metric must not fail the others. */
  function guardCollect<Kind extends { reset(): void; remove(): void }>({
    name,
    collect,
    labels = [],
  }: MetricOptions<string> & Collected<Kind>) {
    if (collect === undefined) return {}
    return {
      async collect(this: Kind): Promise<void> {
        try {
          await collect(this)
        } catch {
          this.reset()
          // Resetting a metric without labels leaves a zero, which would be wrong. One with labels cannot be removed without them.
          if (labels.length === 0) this.remove()
          failures.inc({ metric: name })
        }
      },
    }
  }

  return {
    counter<Label extends string>(options: CounterOptions<Label>) {
      const found = findMetric<Counter<Label>>(Counter, options)
      return found ?? new Counter<Label>({ ...describe(options), ...guardCollect(options) })
    },
    gauge<Label extends string>(options: GaugeOptions<Label>) {
      const found = findMetric<Gauge<Label>>(Gauge, options)
      return found ?? new Gauge<Label>({ ...describe(options), ...guardCollect(options) })
    },
    histogram<Label extends string>(options: HistogramOptions<Label>) {
      const buckets = options.buckets === undefined ? {} : { buckets: [...options.buckets] }
      return (
        findMetric<Histogram<Label>>(Histogram, options) ??
        new Histogram<Label>({ ...describe(options), ...buckets })
      )
    },
  }
}

/** Collects metrics of this process: processor time, memory, event loop and garbage collection. */
function collectProcessMetrics(metrics: MetricFactory): { close(): void } {
  describeProcess(metrics)
  collectProcessorTime(metrics)
  collectMemory(metrics)
  const stopLoop = collectEventLoop(metrics)
  const stopCollections = collectGarbageCollection(metrics)
  return {
    close() {
      stopLoop()
      stopCollections()
    },
  }
}

function describeProcess(metrics: MetricFactory): void {
  metrics
    .gauge({ name: 'process_start_time_seconds', help: 'Start time of the process, in Unix time.' })
    .set(performance.timeOrigin / 1000)
  metrics
    .gauge({ name: 'nodejs_version_info', help: 'The version of Node.js.', labels: ['version'] })
    .set({ version: process.version }, 1)
  if (process.platform !== 'linux') return
  metrics.gauge({
    name: 'process_open_fds',
    help: 'Open file descriptors.',
    async collect(gauge) {
      gauge.set((await readdir('/proc/self/fd')).length)
    },
  })
}

function collectProcessorTime(metrics: MetricFactory): void {
  let before = { user: 0, system: 0 }
  metrics.counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time used.',
    labels: ['mode'],
    collect(counter) {
      const now = process.cpuUsage()
      counter.inc({ mode: 'user' }, (now.user - before.user) / 1e6)
      counter.inc({ mode: 'system' }, (now.system - before.system) / 1e6)
      before = now
    },
  })
}

function collectMemory(metrics: MetricFactory): void {
  metrics.gauge({
    name: 'process_memory_bytes',
    help: 'Memory of the process: resident set, and the parts of the JavaScript heap.',
    labels: ['kind'],
    collect(gauge) {
      const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
      gauge.set({ kind: 'resident' }, rss)
      gauge.set({ kind: 'heap_total' }, heapTotal)
      gauge.set({ kind: 'heap_used' }, heapUsed)
      gauge.set({ kind: 'external' }, external)
      gauge.set({ kind: 'array_buffers' }, arrayBuffers)
    },
  })
}

function collectEventLoop(metrics: MetricFactory): () => void {
  const resolutionMs = 20
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  metrics.gauge({
    name: 'nodejs_eventloop_delay_seconds',
    help: 'Event loop delay since the metrics were last read.',
    labels: ['quantile'],
    collect(gauge) {
      if (delay.count === 0) return
      for (const quantile of [50, 90, 99, 100]) {
        // The monitor measures from tick to tick, so every value includes its resolution.
        const lateMs = Math.max(0, delay.percentile(quantile) / 1e6 - resolutionMs)
        gauge.set({ quantile: quantile / 100 }, lateMs / 1000)
      }
      delay.reset()
    },
  })
  let before = performance.eventLoopUtilization()
  metrics.gauge({
    name: 'nodejs_eventloop_utilization_ratio',
    help: 'Share of time the event loop was busy since the metrics were last read.',
    collect(gauge) {
      const now = performance.eventLoopUtilization()
      gauge.set(performance.eventLoopUtilization(now, before).utilization)
      before = now
    },
  })
  return () => delay.disable()
}

const collectionKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak',
}

function collectGarbageCollection(metrics: MetricFactory): () => void {
  const histogram = metrics.histogram({
    name: 'nodejs_gc_seconds',
    help: 'Duration of garbage collection pauses.',
    labels: ['kind'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
  })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail } = entry as typeof entry & { readonly detail?: { readonly kind?: number } }
      histogram.observe({ kind: collectionKinds[detail?.kind ?? 0] ?? 'other' }, entry.duration / 1000)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => observer.disconnect()
}
