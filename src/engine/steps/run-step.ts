import type { Outbound } from '#kernel/outbound'
import type { Action } from '../definition/common-step.ts'
import {
  type AgentStep,
  type ConditionalStep,
  kindOf,
  type Step,
  type StepType,
} from '../definition/step-types.ts'
import { describeTest, holds } from '../expressions/conditions.ts'
import type { Choice } from '../graph/plan.ts'
import { createAiPromptExecutor } from './ai-prompt/ai-prompt.ts'
import { runDataTransform } from './data-transform.ts'
import { createExternalApiExecutor } from './external-api.ts'
import { createModelCalls, type ModelCalls, type ModelCallsOptions } from './models/model-calls.ts'
import { conditionHolds, withTemplates } from './step-expressions.ts'
import { noUsage, StepFailure } from './step-failure.ts'
import type { StepExecutor, StepResult, StepRun } from './step-run.ts'
import { validateConfidence, validateOutput } from './validate-output.ts'

/** Runs agent steps. `callsOf` opens the model calls of a run, also of one with another signal. Throws a StepFailure. */
export type RunAgent = (
  run: StepRun<AgentStep>,
  callsOf: (run: StepRun<AgentStep>) => ModelCalls,
) => Promise<StepResult>

export interface StepExecutorOptions extends ModelCallsOptions {
  readonly outbound: Pick<Outbound, 'request'>
  /** Runs agent steps. Default: there are no agents. */
  readonly runAgent?: RunAgent | undefined
}

/** Runs steps of every type and validates their output. */
export function createStepExecutor(options: StepExecutorOptions): StepExecutor<Step> {
  const { outbound, runAgent = noAgents } = options
  const byType: { readonly [Type in StepType]: StepExecutor<Extract<Step, { readonly type: Type }>> } = {
    ai_prompt: createAiPromptExecutor(options),
    conditional: runConditional,
    external_api: createExternalApiExecutor(outbound),
    data_transform: runDataTransform,
    agent: (run) => runAgent(run, (changed) => createModelCalls(changed, options)),
  }

  return async (run) => {
    const { step } = run
    const execute = byType[step.type] as StepExecutor<Step>
    try {
      const unchecked = await execute(kindOf(step).templates === undefined ? run : await withTemplates(run))
      requireShallow(unchecked.output)
      const result = kindOf(step).traits.validatesOutput ? unchecked : await validateOutput(run, unchecked)
      validateConfidence(step, result)
      return result
    } catch (error) {
      throw error instanceof RangeError ? tooLarge(error) : error
    }
  }
}

const noAgents: RunAgent = async ({ step }) => {
  throw new StepFailure({ code: 'INVALID_STEP', message: `The agent "${step.agent}" does not exist.` })
}

/** Takes the action of the first condition that is true, else the default action, else continues. Throws EXPRESSION_FAILED. */
export async function runConditional(run: StepRun<ConditionalStep>): Promise<StepResult> {
  const { step } = run
  const taken = await firstTrue(run)
  const action = step.conditions[taken]?.action ?? step.default_action ?? { type: 'continue' }
  // Conditions after the first true one are not evaluated.
  const evaluated = taken === -1 ? step.conditions : step.conditions.slice(0, taken + 1)
  const routing_decision = {
    action: action.type,
    target: action.target_step ?? action.next_step ?? null,
    reason:
      action.reason ?? (taken === -1 ? 'no condition held' : describeTest(step.conditions[taken] ?? {})),
  }
  return {
    output: { ...routing_decision, condition: taken === -1 ? null : taken },
    choice: choiceOf(action),
    confidence: 1,
    quality: null,
    usage: noUsage,
    details: {
      conditions_evaluated: evaluated.map((condition, index) => ({
        condition: describeTest(condition),
        result: index === taken,
        action_taken: index === taken ? action.type : null,
      })),
      routing_decision,
    },
  }
}

function choiceOf({ type, next_step, target_step = '' }: Action): Choice {
  return type === 'jump_to_step'
    ? { kind: 'jump', target: target_step }
    : { kind: 'continue', next: next_step }
}

/** The position of the first condition that is true, or -1. Comparisons are decided without waiting. */
async function firstTrue(run: StepRun<ConditionalStep>): Promise<number> {
  for (const [index, condition] of run.step.conditions.entries()) {
    const { field, operator, value } = condition
    const isComparison = field !== undefined && operator !== undefined
    const isTaken = isComparison
      ? holds({ field, operator, value }, run.scope)
      : await conditionHolds(run, condition)
    if (isTaken) return index
  }
  return -1
}

/** JavaScript limits strings, arrays and the call stack. The same data exceeds them again, so a retry would not help. */
function tooLarge(cause: RangeError): StepFailure {
  const message = 'The data of the step is too large or nested too deeply.'
  return new StepFailure({ code: 'INVALID_STEP', message, cause })
}

/** The same limit as for requests. Serialising a much deeper value as JSON overflows the stack. */
const maxLevels = 200

/** External APIs may respond with JSON of any depth. */
function requireShallow(output: unknown): void {
  if (!isDeeperThan(output, maxLevels)) return
  const message = `The output of the step is nested more than ${maxLevels} levels deep.`
  throw new StepFailure({ code: 'INVALID_STEP', message, details: { limit_levels: maxLevels } })
}

/** Never descends further than `levels`. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
