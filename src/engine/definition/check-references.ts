import type { Problem } from '#kernel/errors'
import { splitPath } from '../expressions/path.ts'
import { readGraph } from '../graph/graph.ts'
import { pathsUsedBy } from './paths-used.ts'
import type { Step } from './step-types.ts'

interface CheckedReferences {
  readonly problems: Problem[]
  readonly warnings: Problem[]
  readonly requiredInputs: string[]
}

/** What the context of every execution has room for. */
const contextFields = new Set(['content', 'user_context', 'processing_options', 'metadata'])

/** Whether what steps refer to can be there when they run. */
export function checkReferences(steps: readonly Step[]): CheckedReferences {
  const graph = readGraph(steps)
  const byKey = new Map<string, string[]>()
  for (const { id, output_to_memory: key } of steps) {
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), id])
  }
  const isBefore = (earlier: string, later: string): boolean => graph.downstream(earlier).has(later)
  const problems: Problem[] = []
  const requiredInputs = new Set<string>()

  for (const [index, step] of steps.entries()) {
    for (const { path, at } of pathsUsedBy(step)) {
      const place = `steps[${index}].${at}`
      const [first = '', second = ''] = splitPath(path) ?? []
      if (first === 'steps') {
        if (!graph.byId.has(second))
          problems.push({ path: place, message: `no step "${second}"`, code: 'unknown_step' })
        else if (!isBefore(second, step.id))
          problems.push({ path: place, message: notBefore(second), code: 'not_before' })
        continue
      }
      const key = first === 'memory' ? second : first
      const writers = byKey.get(key)
      if (writers !== undefined && first !== 'context') {
        const [writer = ''] = writers
        // A routing prompt is asked after the step's own answer, and may use it.
        const isOwn = at === 'routing_prompt' && writers.includes(step.id)
        if (!isOwn && !writers.some((candidate) => isBefore(candidate, step.id))) {
          problems.push({
            path: place,
            message: `"${path}" is made by "${writer}". ${notBefore(writer)}`,
            code: 'not_before',
          })
        }
        continue
      }
      const input = first === 'context' ? second : key
      if (!contextFields.has(input))
        requiredInputs.add(first === 'context' ? path.slice('context.'.length) : path)
    }
  }
  return {
    problems,
    warnings: findAmbiguousKeys(steps, byKey, isBefore),
    requiredInputs: [...requiredInputs],
  }
}

function notBefore(step: string): string {
  return `Step "${step}" need not be over by then; name it in dependencies.`
}

/** Two steps that write the same key and can run in any order: nobody can say whose value stays. */
function findAmbiguousKeys(
  steps: readonly Step[],
  byKey: ReadonlyMap<string, readonly string[]>,
  isBefore: (earlier: string, later: string) => boolean,
): Problem[] {
  return steps.flatMap(({ id, output_to_memory: key }, index) => {
    const rival = (byKey.get(key ?? '') ?? []).find(
      (other) =>
        other !== id &&
        !isBefore(other, id) &&
        !isBefore(id, other) &&
        steps.findIndex((step) => step.id === other) < index,
    )
    if (rival === undefined) return []
    return [
      {
        path: `steps[${index}].output_to_memory`,
        message: `"${key ?? ''}" is also written by "${rival}", and neither comes first: the one that ends last stays`,
        code: 'ambiguous',
      },
    ]
  })
}
