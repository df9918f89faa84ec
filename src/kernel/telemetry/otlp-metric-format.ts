import type { Registry } from 'prom-client'
import type { Convention } from './metrics.ts'

type MetricFamily = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]
type Sample = MetricFamily['values'][number] & { readonly metricName?: string }

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue: string }
}

/** A metric of OTLP, with its data points apart, so that a large metric can be sent in parts. */
interface OtlpMetric {
  readonly description: { readonly name: string; readonly description: string; readonly unit: string }
  readonly kind: 'sum' | 'gauge' | 'histogram'
  readonly fields: Readonly<Record<string, unknown>>
  readonly dataPoints: readonly object[]
}

interface ConvertOptions {
  /** The OTLP names of metrics, by their names in the Prometheus format. */
  readonly conventions: ReadonlyMap<string, Convention>
  /** When the counters started at zero, in milliseconds. */
  readonly startedAt: number
  readonly now: number
}

const cumulative = { aggregationTemporality: 2 } as const

/**
 * Converts the metrics of a Prometheus registry to OTLP. Metrics keep their Prometheus names, so that both ways give the same names in
 * Prometheus, except those of a convention. Metrics without values are left out.
 */
export function convertMetrics(
  families: readonly MetricFamily[],
  options: ConvertOptions,
): readonly OtlpMetric[] {
  const timeUnixNano = toNanoseconds(options.now)
  const times = { startTimeUnixNano: toNanoseconds(options.startedAt), timeUnixNano }
  return families
    .map((family): OtlpMetric => {
      const convention = options.conventions.get(family.name)
      const description = {
        name: convention?.name ?? family.name,
        description: family.help,
        unit: convention?.unit ?? unitOf(family.name),
      }
      // The types of prom-client declare a numeric enum; the values are texts.
      switch (String(family.type)) {
        case 'counter': {
          const dataPoints = convertNumbers(family, convention, times)
          return { description, kind: 'sum', fields: { ...cumulative, isMonotonic: true }, dataPoints }
        }
        case 'histogram': {
          const dataPoints = convertHistogram(family, convention, times)
          return { description, kind: 'histogram', fields: cumulative, dataPoints }
        }
        default: {
          const dataPoints = convertNumbers(family, convention, { timeUnixNano })
          return { description, kind: 'gauge', fields: {}, dataPoints }
        }
      }
    })
    .filter(({ dataPoints }) => dataPoints.length > 0)
}

/** Nanoseconds exceed the safe integers; OTLP writes 64-bit integers as texts. */
function toNanoseconds(milliseconds: number): string {
  return `${Math.floor(milliseconds)}000000`
}

const units: Readonly<Record<string, string>> = { seconds: 's', bytes: 'By', ratio: '1' }

/** The unit in the codes of UCUM, by the end of a Prometheus name. */
function unitOf(name: string): string {
  const suffix = /_([a-z]+)$/.exec(name.replace(/_total$/, ''))?.[1] ?? ''
  return units[suffix] ?? ''
}

function convertLabels(labels: Sample['labels'], convention: Convention | undefined): readonly Attribute[] {
  const attributes: Attribute[] = []
  for (const [label, value = ''] of Object.entries(labels)) {
    // In Prometheus, an empty label is the same as none.
    if (value === '') continue
    attributes.push({
      key: convention?.attributes[label] ?? label,
      value: { stringValue: String(value) },
    })
  }
  return attributes
}

function convertNumbers(
  { values }: MetricFamily,
  convention: Convention | undefined,
  times: Readonly<Record<string, string>>,
): readonly object[] {
  return values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({
      attributes: convertLabels(labels, convention),
      ...times,
      asDouble: value,
    }))
}

/** The samples of each series follow each other: buckets in ascending order with cumulative counts, then sum, then count. */
function convertHistogram(
  { name, values }: MetricFamily,
  convention: Convention | undefined,
  times: Readonly<Record<string, string>>,
): readonly object[] {
  const dataPoints: object[] = []
  let bounds: number[] = []
  let counts: number[] = []
  let sum = 0
  for (const { metricName, labels, value } of values as readonly Sample[]) {
    const { le, ...others } = labels
    if (metricName === `${name}_bucket`) {
      if (le !== '+Inf') bounds.push(Number(le))
      counts.push(value)
    } else if (metricName === `${name}_sum`) {
      sum = value
    } else {
      dataPoints.push({
        attributes: convertLabels(others, convention),
        ...times,
        count: String(value),
        sum,
        explicitBounds: bounds,
        bucketCounts: counts.map((count, index) => String(count - (counts[index - 1] ?? 0))),
      })
      bounds = []
      counts = []
    }
  }
  return dataPoints
}

interface PackOptions {
  readonly resource: Readonly<Record<string, unknown>>
  readonly version: string
  readonly maxRequestBytes: number
}

/** Writes the metrics as bodies of export requests. Only a single data point that is larger than the maximum exceeds it. */
export function* packRequests(
  metrics: readonly OtlpMetric[],
  { resource, version, maxRequestBytes }: PackOptions,
): Generator<Buffer<ArrayBuffer>> {
  const attributes = Object.entries(resource).map(([key, value]) => ({
    key,
    value: { stringValue: String(value) },
  }))
  const scope = { name: 'tutti', version }
  const start = `{"resourceMetrics":[{"resource":${JSON.stringify({ attributes })},"scopeMetrics":[{"scope":${JSON.stringify(scope)},"metrics":[`
  const end = ']}]}]}'
  const available = maxRequestBytes - Buffer.byteLength(start) - Buffer.byteLength(end)
  const write = (texts: readonly string[]) => Buffer.from(`${start}${texts.join(',')}${end}`)

  let batch: string[] = []
  let batchBytes = 0
  for (const metric of metrics) {
    for (const text of writeMetric(metric, available)) {
      const bytes = Buffer.byteLength(text) + 1
      if (batch.length > 0 && batchBytes + bytes > available) {
        yield write(batch)
        batch = []
        batchBytes = 0
      }
      batch.push(text)
      batchBytes += bytes
    }
  }
  if (batch.length > 0) yield write(batch)
}

/** Writes a metric as JSON. A metric that is too large is written as several, each with a part of the data points. */
function writeMetric(metric: OtlpMetric, maxBytes: number): readonly string[] {
  const { description, kind, fields, dataPoints } = metric
  const text = JSON.stringify({ ...description, [kind]: { ...fields, dataPoints } })
  if (dataPoints.length <= 1 || Buffer.byteLength(text) < maxBytes) return [text]
  const middle = Math.ceil(dataPoints.length / 2)
  return [dataPoints.slice(0, middle), dataPoints.slice(middle)].flatMap((part) =>
    writeMetric({ ...metric, dataPoints: part }, maxBytes),
  )
}
