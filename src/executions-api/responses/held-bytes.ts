import type { ExecutionRecord } from '#engine'

/** The bytes of context, memory and outputs as JSON, which is what the memory limit counts. */
export function heldBytes({ input, outcomes }: Pick<ExecutionRecord, 'input' | 'outcomes'>): number {
  const given = sizeOf(input.context) + sizeOf(input.memory)
  return outcomes.reduce((bytes, { output }) => bytes + sizeOf(output), given)
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null))
}
