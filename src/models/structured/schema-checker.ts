import { type Failure, kernelFailure, type Problem } from '#kernel/errors'
import { createTaskThread } from '#kernel/threads'
import type { JsonSchema } from '../providers/provider.ts'
import type { SchemaCheckRequest, SchemaCheckResult } from './schema-thread.ts'

/**
 * Validates JSON against schemas of callers. A hostile schema can take arbitrarily long, by its patterns or by recursion, so
 * validation runs in a worker thread that is terminated after a timeout.
 */
export interface SchemaChecker extends AsyncDisposable {
  /** Throws `invalid_input` with the problem of an unusable schema. */
  requireUsable(schema: JsonSchema): Promise<void>
  /** The problems of a JSON text; empty when it satisfies the schema. Throws `invalid_input` for an unusable schema. */
  findProblems(schema: JsonSchema, json: string): Promise<readonly Problem[]>
}

export interface SchemaCheckerOptions {
  /** The timeout of one check. */
  readonly timeoutMs?: number
  /** Maximum number of waiting checks; further ones throw `overloaded`. */
  readonly maxWaiting?: number
}

/** More than a reasonable schema needs. */
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 }

export function createSchemaChecker(options: SchemaCheckerOptions = {}): SchemaChecker {
  const { timeoutMs = 1000, maxWaiting = 200 } = options
  const thread = createTaskThread<SchemaCheckRequest, SchemaCheckResult>({
    module: new URL('./schema-thread.ts', import.meta.url),
    firstRequest: { schema: '{}' },
    timeoutMs,
    maxWaiting,
    memory,
  })

  async function check(request: SchemaCheckRequest): Promise<readonly Problem[]> {
    const outcome = await thread.run(request)
    if (outcome.kind === 'full') throw kernelFailure('overloaded')
    if (outcome.kind === 'closed') throw kernelFailure('shutting_down')
    if (outcome.kind === 'failed') throw outcome.error
    if (outcome.kind !== 'done') throw unusableSchema('cannot be used: validating against it takes too long')
    const { result } = outcome
    if (result.kind === 'unusable') throw unusableSchema(`cannot be used: ${result.reason}`)
    return result.problems
  }

  return {
    async requireUsable(schema) {
      await check({ schema: writeSchema(schema) })
    },
    findProblems: async (schema, json) => await check({ schema: writeSchema(schema), json }),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

const maxSchema = 64 * 1024
const maxParts = 10_000
const maxDepth = 100

/** The schema as JSON. Throws `invalid_input` for a schema above the bounds. */
function writeSchema(schema: JsonSchema): string {
  // Checked before JSON.stringify, which recurses as deeply as the schema is nested.
  const waiting: [part: unknown, depth: number][] = [[schema, 1]]
  let parts = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, depth] = next
    if (typeof part !== 'object' || part === null) continue
    parts += 1
    if (parts > maxParts) throw unusableSchema(`has more than ${maxParts} parts`)
    if (depth > maxDepth) throw unusableSchema(`is nested more than ${maxDepth} deep`)
    for (const inner of Object.values(part)) waiting.push([inner, depth + 1])
  }
  const text = JSON.stringify(schema)
  if (text.length > maxSchema) throw unusableSchema(`is longer than ${maxSchema / 1024} KiB`)
  return text
}

/** `reason` completes the sentence "The schema …". */
function unusableSchema(reason: string): Failure {
  return kernelFailure('invalid_input', {
    message: `The schema ${reason}.`,
    problems: [{ path: 'schema', message: reason, code: 'schema' }],
  })
}
