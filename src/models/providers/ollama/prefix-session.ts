import { hashPromptStart } from '#kernel/native-api'
import { textOf } from '../content.ts'
import type { ModelCall } from '../provider.ts'

/** Characters of a start that are worth a node's memory: reading them again takes longer than a request takes to be spread. */
const minStartLength = 2048

/**
 * A session id for a call without one, from the start of its prompt: the first system message and the start of the first user message.
 * Calls with the same start go to one node, which still has it in memory.
 *
 * | call                                                  | session id                    |
 * |-------------------------------------------------------|-------------------------------|
 * | continues a conversation                              | by its start                  |
 * | a first message with a long start                     | by its start                  |
 * | a short first message                                 | none: the cluster spreads it  |
 */
export function prefixSessionOf({
  model,
  messages,
}: Pick<ModelCall, 'model' | 'messages'>): string | undefined {
  const system = messages.find(({ role }) => role === 'system')
  const user = messages.find(({ role }) => role === 'user')
  const [systemText, userText] = [system, user].map((message) => textOf(message?.content ?? ''))
  const isConversation = messages.some(({ role }) => role === 'assistant' || role === 'tool')
  const length = (systemText?.length ?? 0) + (userText?.length ?? 0)
  if (length === 0 || (!isConversation && length < minStartLength)) return undefined
  return `prefix-${hashPromptStart({ model, system: systemText, user: userText })}`
}
