const dayMs = 86_400_000

/** Partitions of one retention. Each costs every statement without a range of keys a look into one more index. */
const partitionsPerRetention = 15

/** The time that a partition covers: whole days. */
export function partitionPeriodMs(retentionMs: number): number {
  return Math.max(1, Math.floor(retentionMs / partitionsPerRetention / dayMs)) * dayMs
}

/**
 * How much longer than the retention a row may stay, so that it is dropped with its partition: up to the period of the partition, and a
 * tenth of the retention. Older rows are deleted one by one, wherever they are.
 */
export function maxOverdueMs(retentionMs: number): number {
  return Math.min(partitionPeriodMs(retentionMs), retentionMs / 10)
}
