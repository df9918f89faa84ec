import type { Outbound } from '#kernel/outbound'
import type { AgentStep, Step, StepType } from '../definition/step-types.ts'
import { type AiPromptOptions, createAiPromptExecutor } from './ai-prompt/ai-prompt.ts'
import { runConditional } from './conditional.ts'
import { runDataTransform } from './data-transform.ts'
import { createExternalApiExecutor } from './external-api.ts'
import { requireShallow } from './require-shallow.ts'
import { StepFailure } from './step-failure.ts'
import type { StepExecutor } from './step-run.ts'
import { validateConfidence, validateOutput } from './validate-output.ts'

export interface StepExecutorOptions extends AiPromptOptions {
  /** The way out to addresses a user gave. */
  readonly outbound: Pick<Outbound, 'request'>
  /** Has agents do their work. Default: there are none. */
  readonly runAgent?: StepExecutor<AgentStep>
}

/** Runs steps of every type, and holds what they make against what they ask for. */
export function createStepExecutor(options: StepExecutorOptions): StepExecutor<Step> {
  const byType: { readonly [Type in StepType]: StepExecutor<Extract<Step, { readonly type: Type }>> } = {
    ai_prompt: createAiPromptExecutor(options),
    conditional: runConditional,
    external_api: createExternalApiExecutor(options.outbound),
    data_transform: runDataTransform,
    agent: options.runAgent ?? noAgents,
  }

  return async (run) => {
    const { step } = run
    // Of the type of its step, whatever that is.
    const runIt = byType[step.type] as StepExecutor<Step>
    try {
      const made = await runIt(run)
      requireShallow(made.output)
      // A prompt does that itself, between its answer and the decision about it.
      const result = step.type === 'ai_prompt' ? made : await validateOutput(run, made)
      validateConfidence(step, result)
      return result
    } catch (error) {
      throw error instanceof RangeError ? tooMuch(error) : error
    }
  }
}

/** Texts, lists and calls have bounds of their own. With the same data they are reached again, so trying again brings nothing. */
function tooMuch(cause: RangeError): StepFailure {
  const message = 'What it works on is too large, or nested too deep.'
  return new StepFailure({ code: 'INVALID_STEP', message, cause })
}

const noAgents: StepExecutor<AgentStep> = async ({ step }) => {
  throw new StepFailure({ code: 'INVALID_STEP', message: `Nobody here knows the agent "${step.agent}".` })
}
