import type { Outbound } from '#kernel/outbound'
import type { AgentStep, Step, StepType } from '../definition/step-types.ts'
import { createAiPromptExecutor } from './ai-prompt/ai-prompt.ts'
import { runConditional } from './conditional.ts'
import { runDataTransform } from './data-transform.ts'
import { createExternalApiExecutor } from './external-api.ts'
import { createModelCalls, type ModelCalls, type ModelCallsOptions } from './models/model-calls.ts'
import { StepFailure } from './step-failure.ts'
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
      const unchecked = await execute(run)
      requireShallow(unchecked.output)
      // A prompt step validates its response itself, before the routing decision.
      const result = step.type === 'ai_prompt' ? unchecked : await validateOutput(run, unchecked)
      validateConfidence(step, result)
      return result
    } catch (error) {
      throw error instanceof RangeError ? tooLarge(error) : error
    }
  }
}

/** JavaScript limits strings, arrays and the call stack. The same data exceeds them again, so a retry would not help. */
function tooLarge(cause: RangeError): StepFailure {
  const message = 'The data of the step is too large or nested too deeply.'
  return new StepFailure({ code: 'INVALID_STEP', message, cause })
}

const noAgents: RunAgent = async ({ step }) => {
  throw new StepFailure({ code: 'INVALID_STEP', message: `The agent "${step.agent}" does not exist.` })
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
