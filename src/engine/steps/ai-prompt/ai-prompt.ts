import type { AskForJson, Gateway } from '#models'
import type { AiPromptStep } from '../../definition/step-types.ts'
import { lookUp } from '../../expressions/path.ts'
import { fillText } from '../../expressions/template.ts'
import { askModel } from '../models/ask-model.ts'
import { modelRequestOf } from '../models/model-request.ts'
import { createTally, type Tally } from '../models/tally.ts'
import { warnOfPreference } from '../models/warn-of-preference.ts'
import { takeNoteOfMissing } from '../needs.ts'
import { StepFailure, withUsage } from '../step-failure.ts'
import type { StepExecutor, StepResult, StepRun } from '../step-run.ts'
import { validateOutput } from '../validate-output.ts'
import { jsonOf, postProcess, wantsJson } from './post-process.ts'
import { route } from './route.ts'
import { wishesOf } from './wishes.ts'

export interface AiPromptOptions {
  readonly gateway: Pick<Gateway, 'chat'>
  readonly askForJson: AskForJson
}

/**
 * Asks a model, works on its answer, and lets an agent decide the way on when the step wants that. The answer is validated before
 * anything is decided by it: nobody pays for a decision about an answer that is not taken.
 */
export function createAiPromptExecutor({ gateway, askForJson }: AiPromptOptions): StepExecutor<AiPromptStep> {
  async function answer(
    run: StepRun<AiPromptStep>,
    tally: Tally,
  ): Promise<{ readonly result: StepResult; readonly provider: string }> {
    const { step, scope, signal } = run
    const { prompt, system } = fillPrompts(run)
    run.onPhase('prompt_processed')
    const asJson = wantsJson(step)
    const request = modelRequestOf(run, tally, { ...wishesOf(step), system, prompt, asJson })
    run.log('debug', `Asks ${request.call.model}.`, { characters: prompt.length })
    const { text, finish, provider, model, attempts } = await askModel(run, gateway, tally, request)
    run.log('debug', `${provider}/${model} answered.`, { characters: text.length, finish })
    warnOfPreference(run, { provider, attempts, named: step.ai_options?.model })
    run.onPhase('response_processing')
    const language = lookUp(scope, 'context.metadata.language')
    const { output, applied } = await postProcess(asJson ? jsonOf(text) : text, step.post_processing ?? [], {
      language: typeof language === 'string' ? language : undefined,
      signal,
    })
    const result = {
      output,
      confidence: null,
      quality: null,
      usage: tally.usage(),
      details: { finish_reason: finish, post_processing_applied: applied },
    }
    return { result, provider }
  }

  async function answerAndDecide(run: StepRun<AiPromptStep>, tally: Tally): Promise<StepResult> {
    const { step, rules } = run
    const { result, provider } = await answer(run, tally)
    run.onPhase('validation')
    const valid = await validateOutput(run, result)
    if (step.agent_routing !== true || !rules.routes) return valid
    const routed = await route(run, askForJson, tally, { output: valid.output, provider })
    return {
      ...valid,
      ...routed,
      confidence: valid.confidence ?? routed.decision.confidence,
      usage: tally.usage(),
    }
  }

  return async (run) => {
    const tally = createTally(run.purse)
    try {
      return await answerAndDecide(run, tally)
    } catch (error) {
      // What was used is told with every failure, whoever found it.
      throw error instanceof StepFailure ? withUsage(error, tally.usage()) : error
    }
  }
}

function fillPrompts(run: StepRun<AiPromptStep>): {
  readonly prompt: string
  readonly system: string | undefined
} {
  const { step, scope } = run
  const prompt = fillText(step.prompt, scope)
  const system = fillText(step.ai_options?.system_prompt ?? '', scope)
  takeNoteOfMissing(run, [...new Set([...prompt.missing, ...system.missing])])
  return { prompt: prompt.value, system: system.value === '' ? undefined : system.value }
}
