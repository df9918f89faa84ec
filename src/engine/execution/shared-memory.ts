import { JsonText } from '#kernel/json-text'
import type { Step } from '../definition/step-types.ts'
import type { Scope } from '../expressions/paths.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { StoredError } from '../store/commit.ts'
import { type MemoryBudget, megabytes } from './rules.ts'

/** The outputs of finished steps, readable by the steps after them. */
export interface SharedMemory {
  readonly scope: Scope
  /** Throws MEMORY_LIMIT_EXCEEDED when the output exceeds its limit or the memory budget. */
  add(step: Pick<Step, 'id' | 'output_to_memory'>, output: unknown): void
  /** Makes the error of a failed step readable as `errors.ID`. */
  addError(stepId: string, error: StoredError): void
  /** Releases the memory budget of all outputs. */
  close(): void
}

interface SharedMemoryOptions {
  readonly context: Scope['context']
  /** The initial memory. */
  readonly memory: Scope['memory']
  /** The scope around this one; undefined for the flow itself. Its values were counted there. */
  readonly outer?: Scope | undefined
  readonly memoryBudget: MemoryBudget
}

/** Larger outputs belong into external storage, with a reference in the output. */
export const maxOutputBytes = 8 * 1024 * 1024

export function createSharedMemory({
  context,
  memory,
  outer,
  memoryBudget,
}: SharedMemoryOptions): SharedMemory {
  // Without a prototype: a step or key may have any name, also `constructor`.
  const scope = {
    context: context as Record<string, unknown>,
    memory: Object.assign(Object.create(null) as Record<string, unknown>, memory),
    steps: Object.create(null) as Record<string, unknown>,
    ...(outer !== undefined && { outer }),
  }
  /** Includes the errors of the scopes around it, because a path is looked up in one context only. */
  const errors = Object.assign(
    Object.create(null) as Record<string, unknown>,
    outer?.context === context ? context['errors'] : undefined,
  )
  let bytes = outer === undefined ? sizeOf(context) + sizeOf(memory) : 0
  memoryBudget.reserve(bytes, 'its input')
  return {
    scope,
    add({ id, output_to_memory: key }, output) {
      const size = sizeOf(output)
      if (size > maxOutputBytes) {
        throw new StepFailure({
          code: 'MEMORY_LIMIT_EXCEEDED',
          message: `The output of "${id}" is ${megabytes(size)}; the limit of a step is ${megabytes(maxOutputBytes)}.`,
          details: { bytes: size, limit_bytes: maxOutputBytes },
        })
      }
      memoryBudget.reserve(size, `the output of "${id}"`)
      bytes += size
      place(scope.steps, id, output)
      if (key !== undefined) place(scope.memory, key, output)
    },
    addError(stepId, error) {
      errors[stepId] = readableError(error)
      scope.context = { ...context, errors }
    },
    close() {
      memoryBudget.release(bytes)
      bytes = 0
    },
  }
}

/** The error of a failed step as its handler reads it: `errors.ID`. */
export function readableError({ code, message, details }: StoredError): Readonly<Record<string, unknown>> {
  const status = details?.['status']
  return { code, message, ...(status !== undefined && { status }) }
}

/** A large text becomes a value when a step reads it. */
function place(outputs: Record<string, unknown>, name: string, output: unknown): void {
  const read = output instanceof JsonText ? { get: () => output.value } : { value: output, writable: true }
  Object.defineProperty(outputs, name, { ...read, enumerable: true, configurable: true })
}

export function sizeOf(value: unknown): number {
  if (value instanceof JsonText) return value.bytes
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
