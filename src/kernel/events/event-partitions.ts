import { createCounterKey, type PartitionedTable } from '#kernel/partitions'

/** Events in partitions by their ids, which grow with time. */
export const eventPartitions: PartitionedTable = {
  name: 'kernel_events',
  key: createCounterKey({
    table: 'kernel_events',
    lastValue: 'select last_id as last from kernel_event_clock',
    time: 'created_at',
  }),
}
