import { isPure, kindOf } from '../definition/step-types.ts'
import { compile } from '../expressions/compile.ts'
import { expressionsIn } from '../expressions/templates.ts'
import type { Graph } from '../graph/graph.ts'
import type { LeasedExecution } from './leased-execution.ts'

/**
 * When the last of all steps before a step ended; undefined for a first step. All of them have ended when the step starts, so the time is
 * the same when the step runs again after a crash.
 */
export function endedBefore(
  { byId }: Pick<Graph, 'byId'>,
  stepId: string,
  endOf: (stepId: string) => Date | undefined,
): Date | undefined {
  const seen = new Set<string>()
  const waiting = [...(byId.get(stepId)?.after ?? [])]
  let latest: Date | undefined
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    const end = endOf(id)
    if (end !== undefined && (latest === undefined || end > latest)) latest = end
    waiting.push(...(byId.get(id)?.after ?? []))
  }
  return latest
}

const known = new WeakMap<Graph, boolean>()

/**
 * Whether a first step with effects reads the start of its execution, which then is committed before the step runs. A graph is shared by
 * the executions of its version, so this is found out once.
 */
export function readsStartTime(graph: Graph): boolean {
  const found = known.get(graph)
  if (found !== undefined) return found
  const reads = graph.nodes.some(({ id, after }) => {
    const step = graph.steps.get(id)
    if (step === undefined || after.size > 0 || isPure(step)) return false
    return expressionsIn(kindOf(step).templates?.(step)).some(readsTime)
  })
  known.set(graph, reads)
  return reads
}

function readsTime(source: string): boolean {
  const compiled = compile(source)
  return (
    compiled.kind === 'compiled' && ['now', 'execution'].some((name) => compiled.expression.fields.has(name))
  )
}

/** The variable `now` of expressions, from the start of the execution and the last end of a step before. */
export function laterOf(startedAt: Date, ended: Date | undefined): Date {
  return ended !== undefined && ended > startedAt ? ended : startedAt
}

/** The variable `execution` of expressions. */
export function describeExecution(
  { id, definition, flowVersion }: Pick<LeasedExecution, 'id' | 'definition' | 'flowVersion'>,
  startedAt: Date,
): Readonly<Record<string, unknown>> {
  return { id, flow_id: definition.id, flow_version: flowVersion, started_at: startedAt }
}
