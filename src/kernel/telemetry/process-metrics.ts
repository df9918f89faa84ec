import { readdir } from 'node:fs/promises'
import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks'
import type { MetricMaker } from './metrics.ts'

/** Watches this process: processor time, memory, event loop and garbage collection. */
export function collectProcessMetrics(metrics: MetricMaker): { close(): void } {
  describeProcess(metrics)
  watchProcessorTime(metrics)
  watchMemory(metrics)
  const stopLoop = watchEventLoop(metrics)
  const stopCollections = watchGarbageCollection(metrics)
  return {
    close() {
      stopLoop()
      stopCollections()
    },
  }
}

function describeProcess(metrics: MetricMaker): void {
  metrics
    .gauge({ name: 'process_start_time_seconds', help: 'When the process started, in Unix time.' })
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

function watchProcessorTime(metrics: MetricMaker): void {
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

function watchMemory(metrics: MetricMaker): void {
  metrics.gauge({
    name: 'process_memory_bytes',
    help: 'Memory of the process: resident in all, and the parts of the JavaScript heap.',
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

function watchEventLoop(metrics: MetricMaker): () => void {
  const resolutionMs = 20
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  metrics.gauge({
    name: 'nodejs_eventloop_delay_seconds',
    help: 'How late the event loop was since the metrics were last read.',
    labels: ['quantile'],
    collect(gauge) {
      if (delay.count === 0) return
      for (const quantile of [50, 90, 99, 100]) {
        // The monitor measures from one of its ticks to the next, so its own pause is part of every value.
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

function watchGarbageCollection(metrics: MetricMaker): () => void {
  const histogram = metrics.histogram({
    name: 'nodejs_gc_seconds',
    help: 'Time the process stood still to collect garbage.',
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
