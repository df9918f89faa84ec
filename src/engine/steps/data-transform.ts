import type { DataTransformStep } from '../definition/step-types.ts'
import { lookUp, type Scope } from '../expressions/path.ts'
import { reportMissing } from './missing-values.ts'
import { noUsage, type StepResult, type StepRun } from './step-run.ts'
import { calculateMetrics } from './transform/calculate-metrics.ts'
import { generateSummary } from './transform/generate-summary.ts'
import { mergeSources } from './transform/merge-sources.ts'
import { createTransformLimits } from './transform/transform-limits.ts'

type Transformation = DataTransformStep['transformations'][number]

/** An input of a transformation. */
export interface Source {
  readonly name: string
  readonly value: unknown
}

/** Applies transformations one after the other. Each can use the output of the previous one as `previous`. */
export async function runDataTransform(run: StepRun<DataTransformStep>): Promise<StepResult> {
  const { step, scope } = run
  const applied: { operation: string; sources: string[]; items: number }[] = []
  const limits = createTransformLimits()
  let previous: unknown
  for (const transformation of step.transformations) {
    const seen: Scope = previous === undefined ? scope : { ...scope, memory: { ...scope.memory, previous } }
    const { sources, missing } = readSources(transformation, seen, previous)
    reportMissing(run, missing)
    limits.requireSources(sources)
    previous = apply(transformation, sources, seen, run)
    limits.requireOutput(previous)
    applied.push({
      operation: transformation.operation,
      sources: sources.map(({ name }) => name),
      items: sources.length,
    })
  }
  return {
    output: previous ?? null,
    confidence: null,
    quality: null,
    usage: noUsage,
    details: { transformations_applied: applied },
  }
}

function apply(
  transformation: Transformation,
  sources: readonly Source[],
  scope: Scope,
  run: StepRun,
): unknown {
  if (transformation.operation === 'merge') return mergeSources(sources, transformation)
  if (transformation.operation === 'calculate_metrics') return calculateMetrics(sources, transformation)
  const { summary, missing } = generateSummary(sources, transformation, scope)
  reportMissing(run, missing)
  return summary
}

/** The named sources; else the output of the previous transformation; else all keys of the shared memory. */
function readSources(
  { sources }: Transformation,
  scope: Scope,
  previous: unknown,
): { readonly sources: Source[]; readonly missing: string[] } {
  if (sources === undefined && previous !== undefined)
    return { sources: [{ name: 'previous', value: previous }], missing: [] }
  if (sources === undefined) {
    return { sources: Object.entries(scope.memory).map(([name, value]) => ({ name, value })), missing: [] }
  }
  const found = sources.map((name) => ({ name, value: lookUp(scope, name) }))
  return {
    sources: found.filter(({ value }) => value !== undefined),
    missing: found.filter(({ value }) => value === undefined).map(({ name }) => name),
  }
}
