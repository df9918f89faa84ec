import type { Step } from '../definition/step-types.ts'
import type { Scope } from '../expressions/path.ts'
import { StepFailure } from '../steps/step-failure.ts'
import { megabytes, type Room } from './room.ts'

/** What steps have made so far, and what those after them can read. */
export interface SharedMemory {
  readonly scope: Scope
  /** Takes what a finished step made. Throws when there is no room for it. */
  add(step: Pick<Step, 'id' | 'output_to_memory'>, output: unknown): void
  /** Gives the room back: nobody will read it any more. */
  close(): void
}

interface SharedMemoryOptions {
  readonly context: Scope['context']
  readonly memory: Scope['memory']
  readonly room: Room
}

/** Largest output of one step: larger ones belong in a place of their own, and a reference to it here. */
const largestOutputBytes = 8 * 1024 * 1024

export function createSharedMemory({ context, memory, room }: SharedMemoryOptions): SharedMemory {
  // Without a prototype: a step or key may be called anything.
  const scope = {
    context,
    memory: Object.assign(Object.create(null) as Record<string, unknown>, memory),
    steps: Object.create(null) as Record<string, unknown>,
  }
  let bytes = sizeOf(context) + sizeOf(memory)
  room.take(bytes, 'what it was given')
  return {
    scope,
    add({ id, output_to_memory: key }, output) {
      const size = sizeOf(output)
      if (size > largestOutputBytes) {
        throw new StepFailure({
          code: 'MEMORY_LIMIT_EXCEEDED',
          message: `The output of "${id}" is ${megabytes(size)}; a step may make ${megabytes(largestOutputBytes)}.`,
          details: { bytes: size, limit_bytes: largestOutputBytes },
        })
      }
      room.take(size, `the output of "${id}"`)
      bytes += size
      scope.steps[id] = output
      if (key !== undefined) scope.memory[key] = output
    },
    close() {
      room.give(bytes)
      bytes = 0
    },
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
