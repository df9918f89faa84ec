import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { collectProcessMetrics } from './process-metrics.ts'

export type { Counter, Gauge, Histogram } from 'prom-client'

interface MetricOptions<Label extends string> {
  /** Without the `tutti_` every name gets. Ends in its unit: `_total`, `_seconds`, `_bytes`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly Label[]
}

/** `collect` is called when the metrics are read, to bring them up to date. When it throws, the metric shows nothing. */
interface Collected<Kind> {
  readonly collect?: (metric: Kind) => void | Promise<void>
}

type CounterOptions<Label extends string> = MetricOptions<Label> & Collected<Counter<Label>>
type GaugeOptions<Label extends string> = MetricOptions<Label> & Collected<Gauge<Label>>
type HistogramOptions<Label extends string> = MetricOptions<Label> & {
  readonly buckets?: readonly number[]
}

/** Declares metrics. Asking twice for a name gives the same metric. */
export interface MetricMaker {
  counter<const Label extends string = never>(options: CounterOptions<Label>): Counter<Label>
  gauge<const Label extends string = never>(options: GaugeOptions<Label>): Gauge<Label>
  histogram<const Label extends string = never>(options: HistogramOptions<Label>): Histogram<Label>
}

/** All metrics of one process. */
export interface Metrics extends MetricMaker, Disposable {
  readonly registry: Registry
  /** The text Prometheus reads. */
  render(): Promise<string>
  readonly contentType: string
  /** Stops watching the process. The metrics stay readable. */
  close(): void
}

/** Makes a registry of its own: nothing is shared between two of them, and nothing is global. */
export function createMetrics({ watchProcess = true }: { readonly watchProcess?: boolean } = {}): Metrics {
  const registry = new Registry()
  const maker = createMetricMaker(registry)
  const watch = watchProcess ? collectProcessMetrics(maker) : undefined
  const close = (): void => watch?.close()
  return {
    ...maker,
    registry,
    contentType: registry.contentType,
    render: () => registry.metrics(),
    close,
    [Symbol.dispose]: close,
  }
}

const prefix = 'tutti_'

function createMetricMaker(registry: Registry): MetricMaker {
  const labelsOf = new Map<string, string>()

  /** Finds the metric made earlier under this name, and refuses one that would not be the same. */
  function findMetric<Kind>(kind: abstract new (options: never) => Kind, options: MetricOptions<string>) {
    const name = prefix + options.name
    const labels = (options.labels ?? []).join(',')
    const found: unknown = registry.getSingleMetric(name)
    if (found === undefined) {
      labelsOf.set(name, labels)
      return undefined
    }
    if (found instanceof kind && labelsOf.get(name) === labels) return found
    throw new TypeError(`the metric ${name} exists with another kind or other labels`)
  }

  function describe<Label extends string>({ name, help, labels = [] }: MetricOptions<Label>) {
    return { name: prefix + name, help, labelNames: labels, registers: [registry] }
  }

  const failures = new Counter(
    describe({
      name: 'metric_collect_failures_total',
      help: 'Metrics that could not be read.',
      labels: ['metric'],
    }),
  )

  /** One metric that cannot be read must not take the others with it. */
  function guardCollect<Kind extends { reset(): void; remove(): void }>({
    name,
    collect,
  }: MetricOptions<string> & Collected<Kind>) {
    if (collect === undefined) return {}
    return {
      async collect(this: Kind): Promise<void> {
        try {
          await collect(this)
        } catch {
          // Resetting leaves a zero behind where there are no labels, and a zero would be a lie.
          this.reset()
          this.remove()
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
