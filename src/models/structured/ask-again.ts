import type { Problem } from '#kernel/errors'
import type { ChatMessage, JsonSchema, ModelCall } from '../providers/provider.ts'

interface Wrong {
  readonly schema: JsonSchema
  readonly text: string
  readonly problems: readonly Problem[]
}

/** Enough of an answer for the model to know it again. */
const longestRepeated = 4000

/** The same call, with the answer that was wrong, and with what was wrong about it. */
export function askAgain(call: ModelCall, { schema, text, problems }: Wrong): ModelCall {
  const wrong = problems.map(({ path, message }) => `- ${path === '' ? 'the answer' : path} ${message}`)
  const correction = [
    'That was not the form that was asked for:',
    ...wrong,
    'Answer again, with nothing but JSON that satisfies this JSON schema:',
    JSON.stringify(schema),
  ].join('\n')
  const answer: ChatMessage = { role: 'assistant', content: text.slice(0, longestRepeated) }
  if (call.kind === 'chat') {
    return { ...call, messages: [...call.messages, answer, { role: 'user', content: correction }] }
  }
  // A prompt has no conversation to add to.
  const last = call.messages.findLastIndex(({ role }) => role === 'user')
  return {
    ...call,
    messages: call.messages.map((message, index) =>
      index === last
        ? {
            ...message,
            content: `${message.content}\n\nThe last answer was:\n${answer.content}\n\n${correction}`,
          }
        : message,
    ),
  }
}
