import type { ExecutionRecord } from '#engine'

/** The most an execution held at once; of one that is not over what it holds now, which only grows. */
export function peakBytes(record: Pick<ExecutionRecord, 'input' | 'outcomes' | 'facts'>): number {
  const { facts, input, outcomes } = record
  if (facts !== null) return facts.peak_bytes
  // What context, memory and outputs take as JSON, which is what the limit counts.
  const given = sizeOf(input.context) + sizeOf(input.memory)
  return outcomes.reduce((bytes, { output }) => bytes + sizeOf(output), given)
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null))
}
