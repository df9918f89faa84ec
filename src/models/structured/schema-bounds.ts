import { type Failure, kernelFailure } from '#kernel/errors'
import type { JsonSchema } from '../providers/provider.ts'

const largestSchema = 64 * 1024
const mostParts = 10_000
const deepest = 100

/** The schema as text. Throws when it is more than anybody means. */
export function writeSchema(schema: JsonSchema): string {
  // Before it is written, which would go as deep as it does.
  const waiting: [part: unknown, depth: number][] = [[schema, 1]]
  let parts = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, depth] = next
    if (typeof part !== 'object' || part === null) continue
    parts += 1
    if (parts > mostParts) throw unusableSchema(`has more than ${mostParts} parts`)
    if (depth > deepest) throw unusableSchema(`is nested more than ${deepest} deep`)
    for (const inner of Object.values(part)) waiting.push([inner, depth + 1])
  }
  const text = JSON.stringify(schema)
  if (text.length > largestSchema) throw unusableSchema(`is longer than ${largestSchema / 1024} KiB`)
  return text
}

/** What is wrong with a schema; `reason` goes on where "The schema" ends. */
export function unusableSchema(reason: string): Failure {
  return kernelFailure('invalid_input', {
    message: `The schema ${reason}.`,
    problems: [{ path: 'schema', message: reason, code: 'schema' }],
  })
}
