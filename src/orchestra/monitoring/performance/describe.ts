import { executionGauges } from '#engine'
import type { Grain, VitalsReading } from '#kernel/vitals'
import { percentOf, rounded, secondsOf, sumOfKnown, trendOf } from '../numbers.ts'
import type { PerformanceFigures } from './figures.ts'
import type { Part } from './query.ts'

const minuteMs = 60_000
const hourMs = 3_600_000

/** The parts that were asked for. */
export function describeMetrics(figures: PerformanceFigures, parts: ReadonlySet<Part>) {
  return {
    ...(parts.has('response_times') && { response_times: responseTimes(figures.current) }),
    ...(parts.has('throughput') && { throughput: throughput(figures) }),
    ...(parts.has('error_rates') && { error_rates: errorRates(figures.current) }),
    ...(parts.has('resource_utilization') && { resource_utilization: resources(figures.current) }),
  }
}

function responseTimes(reading: VitalsReading) {
  return {
    avg: secondsOf(reading.requests.averageMs),
    p50: secondsOf(reading.durationAt(0.5)),
    p95: secondsOf(reading.durationAt(0.95)),
    p99: secondsOf(reading.durationAt(0.99)),
    max: secondsOf(reading.requests.maxMs),
  }
}

function throughput({ current, lengthMs, executions }: PerformanceFigures) {
  return {
    requests_per_minute: rounded(current.requests.count / (lengthMs / minuteMs)),
    workflows_per_hour: rounded(executions / (lengthMs / hourMs)),
    peak_concurrent: current.peak(executionGauges.running),
    capacity_utilization: utilisationOf(current),
  }
}

/** How much of what all workers can run at once was in use, on the average. */
export function utilisationOf(reading: VitalsReading): number | null {
  const running = reading.average(executionGauges.running)
  const places = reading.average(executionGauges.places)
  return running === null || places === null ? null : percentOf(running, places)
}

function errorRates({ requests: { count, errors, kinds } }: VitalsReading) {
  return {
    total_error_rate: percentOf(errors, count),
    timeout_rate: percentOf(kinds.timed_out, count),
    provider_error_rate: percentOf(kinds.provider_failed, count),
    system_error_rate: percentOf(kinds.failed, count),
  }
}

function resources(reading: VitalsReading) {
  const both = (one: string, other: string) =>
    rounded(sumOfKnown(reading.average(one), reading.average(other)), 0)
  return {
    cpu_usage: rounded(reading.average('cpu_percent')),
    memory_usage: rounded(reading.average('memory_percent')),
    disk_io: both('disk_read_per_second', 'disk_written_per_second'),
    network_io: both('network_in_per_second', 'network_out_per_second'),
  }
}

function errorsOf({ requests }: VitalsReading): number | null {
  return percentOf(requests.errors, requests.count)
}

/** Against the time of the same length before. */
export function describeTrends({ current, before }: PerformanceFigures) {
  return {
    response_time_trend: trendOf(current.requests.averageMs, before.requests.averageMs),
    throughput_trend: trendOf(current.requests.count, before.requests.count),
    error_rate_trend: trendOf(errorsOf(current), errorsOf(before)),
    resource_trend: trendOf(current.average('cpu_percent'), before.average('cpu_percent')),
  }
}

const minutesOf: Readonly<Record<Grain, number>> = { minute: 1, hour: 60, day: 1440 }

export function describeSeries({ points, now }: PerformanceFigures, granularity: Grain) {
  return points.map((point) => {
    const { requests } = point
    // The point under way is only as long as it has been going on.
    const passed = Math.ceil((now.getTime() - point.at.getTime()) / minuteMs)
    const minutes = Math.max(1, Math.min(minutesOf[granularity], passed))
    return {
      timestamp: point.at.toISOString(),
      response_time: secondsOf(requests.averageMs),
      throughput: rounded(requests.count / minutes),
      error_rate: percentOf(requests.errors, requests.count),
      cpu_usage: rounded(point.average('cpu_percent')),
    }
  })
}
