import type { Sample } from './machine/sample.ts'

/** What is kept of samples over time, and the names it is kept under. */
const kept = {
  cpuPercent: 'cpu_percent',
  load: 'load',
  memoryPercent: 'memory_percent',
  diskPercent: 'disk_percent',
  diskReadPerSecond: 'disk_read_per_second',
  diskWrittenPerSecond: 'disk_written_per_second',
  networkInPerSecond: 'network_in_per_second',
  networkOutPerSecond: 'network_out_per_second',
  eventLoopDelayMs: 'event_loop_delay_ms',
  processCpuPercent: 'process_cpu_percent',
  processRssBytes: 'process_rss_bytes',
} as const satisfies Partial<Record<keyof Sample, string>>

/** What a sample adds, by name, without what the system did not tell. */
export function sampleNames(sample: Sample): readonly (readonly [name: string, value: number])[] {
  return Object.entries(kept).flatMap(([field, name]) => {
    const value = sample[field as keyof typeof kept]
    return value === null ? [] : [[name, value] as const]
  })
}
