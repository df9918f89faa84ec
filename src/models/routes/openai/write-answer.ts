import type { Failure } from '#kernel/errors'
import type { AnsweredBy } from '../../gateway/contract.ts'
import type { FinishReason, TokenUsage } from '../../providers/provider.ts'
import type { AnswerWriter } from '../answers/answer-writer.ts'
import type { CollectedAnswer } from '../answers/collect-answer.ts'
import { openAiWording, wordCode } from '../wording.ts'
import type { Usage } from './answers.ts'
import { describeOpenAiError } from './errors.ts'

/** The two ways OpenAI writes a text: an answer in a conversation, and the completion of a prompt. */
export interface OpenAiShape {
  readonly idPrefix: string
  readonly object: string
  readonly chunkObject: string
  /** What the first chunk has to say before there is any text; undefined when nothing. */
  readonly opening: object | undefined
  /** A piece of the answer as the varying part of a choice; undefined for what has no place there. */
  piece(type: 'text' | 'thinking', text: string): object | undefined
  /** The choice of the last chunk, besides its reason. */
  readonly closing: object
  whole(text: string, thinking: string): object
}

export const chatShape: OpenAiShape = {
  idPrefix: 'chatcmpl',
  object: 'chat.completion',
  chunkObject: 'chat.completion.chunk',
  opening: { delta: { role: 'assistant', content: '', refusal: null } },
  piece: (type, text) => ({ delta: type === 'text' ? { content: text } : { reasoning_content: text } }),
  closing: { delta: {} },
  whole: (text, thinking) => ({
    message: {
      role: 'assistant',
      content: text,
      refusal: null,
      ...(thinking !== '' && { reasoning_content: thinking }),
    },
  }),
}

export const completionShape: OpenAiShape = {
  idPrefix: 'cmpl',
  object: 'text_completion',
  chunkObject: 'text_completion',
  opening: undefined,
  // Nobody who asks for a completion has a place for thoughts.
  piece: (type, text) => (type === 'text' ? { text } : undefined),
  closing: { text: '' },
  whole: (text) => ({ text }),
}

interface WriterOptions {
  readonly shape: OpenAiShape
  readonly answered: AnsweredBy
  readonly includeUsage: boolean
}

/** Server-sent events as OpenAI sends them. */
export function createOpenAiWriter({ shape, answered, includeUsage }: WriterOptions): AnswerWriter {
  const head = headOf(shape.idPrefix, shape.chunkObject, answered)
  // Whoever asked for the usage finds the field in every chunk, and null until the last.
  const noUsage = includeUsage ? { usage: null } : {}
  const chunk = (choice: object, reason: string | null) =>
    event({
      ...head,
      choices: [{ index: 0, ...choice, logprobs: null, finish_reason: reason }],
      ...noUsage,
    })
  return {
    contentType: 'text/event-stream; charset=utf-8',
    opening: shape.opening === undefined ? '' : chunk(shape.opening, null),
    part(part) {
      if (part.type !== 'end') {
        const piece = shape.piece(part.type, part.text)
        return piece === undefined ? '' : chunk(piece, null)
      }
      const usage = includeUsage ? event({ ...head, choices: [], usage: usageOf(part.usage) }) : ''
      return `${chunk(shape.closing, reasonOf(part.finish))}${usage}data: [DONE]\n\n`
    },
    breakOff: (failure) => event({ error: tellFailure(failure) }),
    heartbeat: ': still here\n\n',
  }
}

/** The answer in one piece. */
export function writeWhole(
  shape: OpenAiShape,
  answered: AnsweredBy,
  { text, thinking, end }: CollectedAnswer,
): object {
  return {
    ...headOf(shape.idPrefix, shape.object, answered),
    choices: [
      { index: 0, ...shape.whole(text, thinking), logprobs: null, finish_reason: reasonOf(end.finish) },
    ],
    usage: usageOf(end.usage),
  }
}

function headOf(idPrefix: string, object: string, { callId, model }: AnsweredBy) {
  return { id: `${idPrefix}-${callId}`, object, created: Math.floor(Date.now() / 1000), model }
}

/** Null when the provider did not count: a number would be made up. */
function usageOf({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage): Usage | null {
  if (inputTokens === null || outputTokens === null) return null
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens !== null && { prompt_tokens_details: { cached_tokens: cachedInputTokens } }),
  }
}

/** Clients know these words alone. */
function reasonOf(finish: FinishReason): string {
  return finish === 'other' ? 'stop' : finish
}

function tellFailure(failure: Failure) {
  const { status, message, problems } = failure
  return describeOpenAiError({ status, message, problems, code: wordCode(openAiWording, failure) })
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
