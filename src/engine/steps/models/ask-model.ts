import type { ChatRequest, Gateway } from '#models'
import { StepFailure } from '../step-failure.ts'
import type { StepRun } from '../step-run.ts'
import { explainModelFailure } from './explain-model-failure.ts'
import type { Tally } from './tally.ts'

/** What a model answered. */
export interface ModelAnswer {
  readonly text: string
  readonly finish: 'stop' | 'length' | 'other'
  readonly provider: string
  readonly model: string
  /** Providers that were asked, the one that answered included. */
  readonly attempts: number
}

/** More is no text that any step could use; the shared memory would not take it. */
const longestAnswer = 8 * 1024 * 1024

/**
 * Asks for one answer and passes it on as it comes. However it ends, the call is settled by then: an execution that is cancelled
 * leaves the stream, which ends the provider's work.
 */
export async function askModel(
  run: Pick<StepRun, 'signal' | 'onToken' | 'onPhase' | 'log'>,
  gateway: Pick<Gateway, 'chat'>,
  tally: Tally,
  request: ChatRequest,
): Promise<ModelAnswer> {
  const askedAtMs = performance.now()
  const { parts, cost, ...answeredBy } = await gateway.chat(request).catch((error: unknown) => {
    tally.unanswered(error, performance.now() - askedAtMs)
    run.signal.throwIfAborted()
    throw explainModelFailure(error)
  })
  run.onPhase('ai_response_streaming')
  const pieces: string[] = []
  let length = 0
  let finish: ModelAnswer['finish'] | 'content_filter' = 'other'
  try {
    for await (const part of parts) {
      if (part.type === 'end') finish = part.finish
      if (part.type !== 'text') continue
      pieces.push(part.text)
      length += part.text.length
      if (length > longestAnswer) throw tooLong(length)
      run.onToken(part.text)
    }
  } catch (error) {
    run.signal.throwIfAborted()
    throw explainModelFailure(error)
  } finally {
    tally.answered(answeredBy, await cost)
  }
  const { provider, model, attempts } = answeredBy
  if (finish === 'content_filter') throw heldBack(provider, model)
  if (finish === 'length')
    run.log('warning', 'The answer was cut off: it reached the most tokens it may have.', { model })
  return { text: pieces.join(''), finish, provider, model, attempts }
}

function heldBack(provider: string, model: string): StepFailure {
  return new StepFailure({
    code: 'PROVIDER_UNAVAILABLE',
    message: `${provider} held the answer of ${model} back: its content filter does not let it pass.`,
    provider,
    details: { provider, model, reason: 'content_filter' },
  })
}

function tooLong(length: number): StepFailure {
  return new StepFailure({
    code: 'MEMORY_LIMIT_EXCEEDED',
    message: `The model wrote more than ${longestAnswer / 1024 / 1024} MB; lower max_tokens.`,
    details: { output_bytes: length },
  })
}
