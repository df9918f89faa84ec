import type { ExecutionRecord } from '#engine'
import { type Measures, megabytes, percentage } from '#runs'

/** What an execution takes at this moment. */
export function describeUsageNow(record: ExecutionRecord, { cpuMs, elapsedMs }: Measures) {
  const { facts, live, definition, queuePosition } = record
  const held = record.finishedAt === null ? bytesHeld(record) : 0
  const talking = new Set(
    definition.steps.flatMap(({ id, type }) => (type === 'ai_prompt' || type === 'external_api' ? [id] : [])),
  )
  return {
    current_memory: megabytes(held),
    peak_memory: megabytes(facts?.peak_bytes ?? held),
    cpu_usage: percentage(cpuMs, elapsedMs ?? 0) ?? 0,
    active_connections: live.filter(({ stepId }) => talking.has(stepId)).length,
    queue_position: queuePosition,
  }
}

/** What context, memory and outputs take as JSON, which is what the limit counts. */
function bytesHeld({ input, outcomes }: ExecutionRecord): number {
  const given = sizeOf(input.context) + sizeOf(input.memory)
  return outcomes.reduce((bytes, { output }) => bytes + sizeOf(output), given)
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null))
}
