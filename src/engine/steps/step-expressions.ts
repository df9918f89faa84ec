import type { Test } from '../definition/common-step.ts'
import { kindOf } from '../definition/step-types.ts'
import { isTrue, readTest } from '../expressions/conditions.ts'
import { type Evaluated, evaluateInline } from '../expressions/evaluate.ts'
import type { Scope } from '../expressions/paths.ts'
import { expressionsIn } from '../expressions/templates.ts'
import type { StepRun } from './step-run.ts'

/** The parts of a step run that evaluate expressions. */
export type ExpressionRun = Pick<StepRun, 'scope' | 'evaluator' | 'accountId' | 'signal'>

/** Evaluates an expression of a step. Throws the reason of the signal of the run. */
export async function evaluateFor(run: ExpressionRun, source: string, scope = run.scope): Promise<Evaluated> {
  const { evaluator, accountId, signal } = run
  if (evaluator !== undefined) return await evaluator.evaluate(source, scope, { accountId, signal })
  return evaluateInline(source, scope) ?? { kind: 'failed', problem: noThreads }
}

const noThreads = { message: 'there are no threads for functions here', position: null } as const

/**
 * Whether a condition of a step is true, for every kind that has conditions. Throws EXPRESSION_FAILED, and the reason of the signal.
 */
export async function conditionHolds(
  run: ExpressionRun,
  condition: string | Test,
  scope = run.scope,
): Promise<boolean> {
  return await isTrue(readTest(condition), scope, (source) => evaluateFor(run, source, scope))
}

/** The scope with the results of all expressions in a text or value, so that it can be filled. Throws the reason of the signal. */
export async function withEvaluated(
  run: ExpressionRun,
  template: unknown,
  scope = run.scope,
): Promise<Scope> {
  const sources = expressionsIn(template)
  if (sources.length === 0) return scope
  const evaluated = new Map(scope.evaluated)
  for (const source of sources) evaluated.set(source, await evaluateFor(run, source, scope))
  return { ...scope, evaluated }
}

/** The run with the results of the expressions in the templates of its step. Throws the reason of the signal. */
export async function withTemplates<Run extends StepRun>(run: Run): Promise<Run> {
  const scope = await withEvaluated(run, kindOf(run.step).templates?.(run.step))
  return scope === run.scope ? run : { ...run, scope }
}

/**
 * The scope for the trace of a step, which is not evaluated again: an expression that would need a thread shows as it is written.
 */
export function withWrittenExpressions(template: unknown, scope: Scope): Scope {
  const sources = expressionsIn(template)
  if (sources.length === 0) return scope
  const evaluated = new Map(
    sources.map((source): [string, Evaluated] => [
      source,
      evaluateInline(source, scope) ?? { kind: 'value', value: `{{= ${source} }}` },
    ]),
  )
  return { ...scope, evaluated }
}
