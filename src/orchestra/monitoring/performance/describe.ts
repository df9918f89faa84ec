import { executionGauges } from '#engine'
import { units } from '#executions-api'
import type { Grain, MetricsReading } from '#kernel/metrics-history'
import { secondsOf, sumOfKnown, trendOf } from '../numbers.ts'
import type { Part } from './query.ts'
import type { PerformanceStats } from './stats.ts'

const minuteMs = 60_000
const hourMs = 3_600_000

/** The requested parts. */
export function describeMetrics(stats: PerformanceStats, parts: ReadonlySet<Part>) {
  return {
    ...(parts.has('response_times') && { response_times: responseTimes(stats.current) }),
    ...(parts.has('throughput') && { throughput: throughput(stats) }),
    ...(parts.has('error_rates') && { error_rates: errorRates(stats.current) }),
    ...(parts.has('resource_utilization') && { resource_utilization: resources(stats.current) }),
  }
}

function responseTimes(reading: MetricsReading) {
  return {
    avg: secondsOf(reading.requests.averageMs),
    p50: secondsOf(reading.durationAt(0.5)),
    p95: secondsOf(reading.durationAt(0.95)),
    p99: secondsOf(reading.durationAt(0.99)),
    max: secondsOf(reading.requests.maxMs),
  }
}

function throughput({ current, lengthMs, executions }: PerformanceStats) {
  return {
    requests_per_minute: units.round(current.requests.count / (lengthMs / minuteMs), 2),
    workflows_per_hour: units.round(executions / (lengthMs / hourMs), 2),
    peak_concurrent: current.peak(executionGauges.running),
    capacity_utilization: utilisationOf(current),
  }
}

/** The average share of the execution slots of all workers that was in use. */
function utilisationOf(reading: MetricsReading): number | null {
  const running = reading.average(executionGauges.running)
  const slots = reading.average(executionGauges.places)
  return running === null || slots === null ? null : units.percentage(running, slots)
}

function errorRates({ requests: { count, errors, kinds } }: MetricsReading) {
  return {
    total_error_rate: units.percentage(errors, count),
    timeout_rate: units.percentage(kinds.timed_out, count),
    provider_error_rate: units.percentage(kinds.provider_failed, count),
    system_error_rate: units.percentage(kinds.failed, count),
  }
}

function resources(reading: MetricsReading) {
  const both = (one: string, other: string) =>
    units.round(sumOfKnown(reading.average(one), reading.average(other)), 0)
  return {
    cpu_usage: units.round(reading.average('cpu_percent'), 2),
    memory_usage: units.round(reading.average('memory_percent'), 2),
    disk_io: both('disk_read_per_second', 'disk_written_per_second'),
    network_io: both('network_in_per_second', 'network_out_per_second'),
  }
}

function errorsOf({ requests }: MetricsReading): number | null {
  return units.percentage(requests.errors, requests.count)
}

/** The change against the previous period of the same length. */
export function describeTrends({ current, before }: PerformanceStats) {
  return {
    response_time_trend: trendOf(current.requests.averageMs, before.requests.averageMs),
    throughput_trend: trendOf(current.requests.count, before.requests.count),
    error_rate_trend: trendOf(errorsOf(current), errorsOf(before)),
    resource_trend: trendOf(current.average('cpu_percent'), before.average('cpu_percent')),
  }
}

const minutesOf: Readonly<Record<Grain, number>> = { minute: 1, hour: 60, day: 1440 }

export function describeSeries({ points, now }: PerformanceStats, granularity: Grain) {
  return points.map((point) => {
    const { requests } = point
    // The current point covers only the time that has passed.
    const passed = Math.ceil((now.getTime() - point.at.getTime()) / minuteMs)
    const minutes = Math.max(1, Math.min(minutesOf[granularity], passed))
    return {
      timestamp: point.at.toISOString(),
      response_time: secondsOf(requests.averageMs),
      throughput: units.round(requests.count / minutes, 2),
      error_rate: units.percentage(requests.errors, requests.count),
      cpu_usage: units.round(point.average('cpu_percent'), 2),
    }
  })
}

interface Recommendation {
  readonly type: string
  readonly priority: 'low' | 'medium' | 'high'
  readonly description: string
  readonly estimated_benefit: string
}

/** With fewer requests there is no recommendation. */
const minRequests = 50

/**
 * The recommendations for the statistics, the most urgent first.
 *
 * | type              | holds when                                                               |
 * |-------------------|--------------------------------------------------------------------------|
 * | errors            | 1 % of the requests had a server error; urgent from 5 %                  |
 * | providers         | 1 % of the requests failed because of a provider; urgent from 5 %        |
 * | timeouts          | 1 % of the requests timed out; urgent from 5 %                           |
 * | response_time     | the 95th percentile is a second or more, and five times the median       |
 * | processors        | the average CPU usage is 75 %; urgent from 90 %                          |
 * | memory            | the average memory usage is 80 %; urgent from 90 %                       |
 * | capacity          | 75 % of the execution slots are in use on average; urgent from 90 %      |
 */
export function recommend(stats: PerformanceStats): readonly Recommendation[] {
  const order = ['high', 'medium', 'low']
  return rules
    .flatMap((rule) => rule(stats))
    .toSorted((one, other) => order.indexOf(one.priority) - order.indexOf(other.priority))
}

const urgency = (value: number, urgent: number) => (value >= urgent ? 'high' : 'medium')

/** Recommends action for a share of failed requests. */
function errorRule(
  type: string,
  kind: 'failed' | 'provider_failed' | 'timed_out',
  advice: string,
): (stats: PerformanceStats) => readonly Recommendation[] {
  return ({ current: { requests } }) => {
    const failed = requests.kinds[kind]
    const percent = requests.count < minRequests ? 0 : (failed / requests.count) * 100
    if (percent < 1) return []
    return [
      {
        type,
        priority: urgency(percent, 5),
        description: `${units.round(percent, 2)} % of ${requests.count} requests failed. ${advice}`,
        estimated_benefit: `Up to ${failed} fewer failed requests in such a period.`,
      },
    ]
  }
}

function usageRule(
  type: string,
  { from, urgent, what, advice }: { from: number; urgent: number; what: string; advice: string },
  valueOf: (stats: PerformanceStats) => number | null,
): (stats: PerformanceStats) => readonly Recommendation[] {
  return (stats) => {
    const value = valueOf(stats)
    if (value === null || value < from) return []
    return [
      {
        type,
        priority: urgency(value, urgent),
        description: `${what} ${units.round(value, 1)} % on average. ${advice}`,
        estimated_benefit: `With twice the capacity, it would be about ${units.round(value / 2, 1)} %.`,
      },
    ]
  }
}

const rules: readonly ((stats: PerformanceStats) => readonly Recommendation[])[] = [
  errorRule('errors', 'failed', 'Search the log for errors; each has a request id.'),
  errorRule(
    'providers',
    'provider_failed',
    'Allow a fallback to other providers, and check the status of each.',
  ),
  errorRule('timeouts', 'timed_out', 'Run long workflows with options.async, or raise their timeout.'),
  ({ current }) => {
    const [middle, high] = [current.durationAt(0.5), current.durationAt(0.95)]
    if (middle === null || high === null || current.requests.timed < minRequests) return []
    if (high < 1000 || high < 5 * middle) return []
    return [
      {
        type: 'response_time',
        priority: 'medium',
        description: `The 95th percentile is ${units.round(high / 1000, 2)} s, the median ${units.round(middle / 1000, 3)} s. Run long workflows with options.async.`,
        estimated_benefit: `Up to ${units.round((high - middle) / 1000, 2)} s less for ${Math.ceil(current.requests.timed / 20)} requests.`,
      },
    ]
  },
  usageRule(
    'processors',
    { from: 75, urgent: 90, what: 'CPU usage is', advice: 'Add a process on another machine.' },
    ({ current }) => current.average('cpu_percent'),
  ),
  usageRule(
    'memory',
    {
      from: 80,
      urgent: 90,
      what: 'Memory usage is',
      advice: 'Add memory, or lower MODEL_CACHE_SIZE.',
    },
    ({ current }) => current.average('memory_percent'),
  ),
  usageRule(
    'capacity',
    {
      from: 75,
      urgent: 90,
      what: 'Use of execution slots is',
      advice: 'Add a worker, or raise TUTTI_EXECUTION_CONCURRENCY.',
    },
    ({ current }) => utilisationOf(current),
  ),
]
