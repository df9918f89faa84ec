import type { Outbound } from '#kernel/outbound'
import type { AgentStep, Step } from '../definition/step-types.ts'
import { type AiPromptOptions, createAiPromptExecutor } from './ai-prompt/ai-prompt.ts'
import { runConditional } from './conditional.ts'
import { runDataTransform } from './data-transform.ts'
import { createExternalApiExecutor } from './external-api.ts'
import { requireShallow } from './require-shallow.ts'
import { StepFailure } from './step-failure.ts'
import type { StepExecutor, StepResult, StepRun } from './step-run.ts'
import { validateConfidence, validateOutput } from './validate-output.ts'

export interface StepExecutorOptions extends AiPromptOptions {
  /** The way out to addresses a user gave. */
  readonly outbound: Pick<Outbound, 'request'>
  /** Has agents do their work. Default: there are none. */
  readonly runAgent?: StepExecutor<AgentStep>
}

/** Runs steps of every type, and holds what they make against what they ask for. */
export function createStepExecutor(options: StepExecutorOptions): StepExecutor<Step> {
  const runPrompt = createAiPromptExecutor(options)
  const runAgent = options.runAgent ?? noAgents
  const runExternalApi = createExternalApiExecutor(options.outbound)

  function runByType(run: StepRun): Promise<StepResult> {
    const { step } = run
    switch (step.type) {
      case 'ai_prompt':
        return runPrompt({ ...run, step })
      case 'conditional':
        return runConditional({ ...run, step })
      case 'agent':
        return runAgent({ ...run, step })
      case 'external_api':
        return runExternalApi({ ...run, step })
      default:
        return runDataTransform({ ...run, step })
    }
  }

  async function runAndJudge(run: StepRun): Promise<StepResult> {
    const made = await runByType(run)
    requireShallow(made.output)
    // A prompt does that itself, between its answer and the decision about it.
    const result = run.step.type === 'ai_prompt' ? made : await validateOutput(run, made)
    validateConfidence(run.step, result)
    return result
  }

  return async (run) => {
    try {
      return await runAndJudge(run)
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
