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
export function utilisationOf(reading: MetricsReading): number | null {
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
