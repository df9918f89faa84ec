import type { Step } from '../definition/step-types.ts'
import type { Scope } from '../expressions/path.ts'
import { StepFailure } from '../steps/step-failure.ts'

/** What steps have made so far, and what those after them can read. */
export interface SharedMemory {
  readonly scope: Scope
  /** Takes what a finished step made. Throws when there is no room for it. */
  add(step: Pick<Step, 'id' | 'output_to_memory'>, output: unknown): void
  bytes(): number
  mostBytes(): number
}

interface SharedMemoryOptions {
  readonly context: Scope['context']
  readonly memory: Scope['memory']
  readonly limitBytes: number
}

/** Largest output of one step: larger ones belong in a place of their own, and a reference to it here. */
const largestOutputBytes = 8 * 1024 * 1024

export function createSharedMemory({ context, memory, limitBytes }: SharedMemoryOptions): SharedMemory {
  const scope = { context, memory: { ...memory }, steps: {} as Record<string, unknown> }
  let bytes = sizeOf(context) + sizeOf(memory)
  let mostBytes = bytes
  return {
    scope,
    add({ id, output_to_memory: key }, output) {
      const size = sizeOf(output)
      if (size > largestOutputBytes) {
        throw tooLarge(
          `The output of "${id}" is ${megabytes(size)}; a step may make ${megabytes(largestOutputBytes)}.`,
          size,
        )
      }
      if (bytes + size > limitBytes) {
        throw tooLarge(
          `With the output of "${id}" the execution holds ${megabytes(bytes + size)}; it may hold ${megabytes(limitBytes)}.`,
          size,
        )
      }
      bytes += size
      mostBytes = Math.max(mostBytes, bytes)
      scope.steps[id] = output
      if (key !== undefined) scope.memory[key] = output
    },
    bytes: () => bytes,
    mostBytes: () => mostBytes,
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

function tooLarge(message: string, size: number): StepFailure {
  return new StepFailure({ code: 'MEMORY_LIMIT_EXCEEDED', message, details: { output_bytes: size } })
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
