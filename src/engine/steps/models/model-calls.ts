import type { Budget, ChatRequest, Gateway, GenerateJson } from '#models'
import { StepFailure } from '../step-failure.ts'
import type { StepRun, StepUsage } from '../step-run.ts'
import { explainModelFailure, isNoLanguageModel } from './explain-model-failure.ts'
import { modelRequestOf } from './model-request.ts'
import { createUsageMeter } from './usage-meter.ts'
import { warnOfPreference } from './warn-of-preference.ts'

/** The model calls of one step. Adds up their usage, also of calls that fail. */
export interface ModelCalls {
  /** The budget of the execution; what the step pays from it is part of its usage. */
  readonly budget: Budget
  /** Builds a request with the rules of the execution: provider preferences, fallback and cache. */
  request(options: Parameters<typeof modelRequestOf>[2]): ChatRequest
  /**
   * Streams one response. The call is settled when this resolves or rejects: aborting the execution leaves the stream, which ends the
   * provider's work. Throws a StepFailure.
   */
  chat(request: ChatRequest, options?: { readonly onToken?: (text: string) => void }): Promise<ModelResponse>
  /** Requests JSON that satisfies a schema. Throws the failure of the gateway: `explain` turns it into a StepFailure. */
  askForJson: GenerateJson
  /** The StepFailure for a failure of the gateway; any other error as it is. */
  explain(thrown: unknown): unknown
  /** Logs a warning when the response came from none of the preferred providers. */
  warnOfPreference(response: Parameters<typeof warnOfPreference>[1]): void
  usage(): StepUsage
}

interface ModelResponse {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'other'
  readonly provider: string
  readonly model: string
  /** Providers that were tried, including the one that responded. */
  readonly attempts: number
}

export interface ModelCallsOptions {
  readonly gateway: Pick<Gateway, 'chat'>
  readonly askForJson: GenerateJson
}

/** Longer responses could not be stored in the shared memory. */
const maxResponseLength = 8 * 1024 * 1024

export function createModelCalls(
  run: Pick<
    StepRun,
    | 'rules'
    | 'accountId'
    | 'attempt'
    | 'avoidedProviders'
    | 'signal'
    | 'budget'
    | 'onToken'
    | 'onPhase'
    | 'log'
  >,
  { gateway, askForJson }: ModelCallsOptions,
): ModelCalls {
  const { signal } = run
  const meter = createUsageMeter(run.budget)

  return {
    budget: meter.budget,
    request: (options) => modelRequestOf(run, meter.budget, options),
    explain: explainModelFailure,
    warnOfPreference: (response) => warnOfPreference(run, response),
    usage: () => meter.usage(),

    async chat(request, { onToken = run.onToken } = {}) {
      const startedMs = performance.now()
      const { parts, cost, ...respondent } = await gateway.chat(request).catch((error: unknown) => {
        meter.failed(error, performance.now() - startedMs)
        signal.throwIfAborted()
        throw explainModelFailure(error)
      })
      run.onPhase('ai_response_streaming')
      const pieces: string[] = []
      let length = 0
      let finish: ModelResponse['finish'] | 'content_filter' = 'other'
      try {
        for await (const part of parts) {
          if (part.type === 'end') finish = part.finish
          if (part.type !== 'text') continue
          pieces.push(part.text)
          length += part.text.length
          if (length > maxResponseLength) throw tooLong(length)
          onToken(part.text)
        }
      } catch (error) {
        signal.throwIfAborted()
        throw explainModelFailure(error)
      } finally {
        meter.completed(respondent, await cost)
      }
      const { provider, model, attempts } = respondent
      if (finish === 'content_filter') throw filtered(provider, model)
      if (finish === 'length')
        run.log('warning', 'The response was truncated: it reached the maximum number of tokens.', { model })
      return { text: pieces.join(''), finish, provider, model, attempts }
    },

    async askForJson(options) {
      const startedMs = performance.now()
      try {
        const response = await askForJson(options)
        meter.completed(response, response.cost, response.asked)
        return response
      } catch (error) {
        signal.throwIfAborted()
        if (!isNoLanguageModel(error)) meter.failed(error, performance.now() - startedMs)
        throw error
      }
    },
  }
}

function filtered(provider: string, model: string): StepFailure {
  return new StepFailure({
    code: 'PROVIDER_UNAVAILABLE',
    message: `${provider} withheld the response of ${model}: its content filter blocked it.`,
    provider,
    details: { provider, model, reason: 'content_filter' },
  })
}

function tooLong(length: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `The model wrote more than ${maxResponseLength / 1024 / 1024} MB; lower max_tokens.`,
    details: { output_bytes: length },
  })
}
