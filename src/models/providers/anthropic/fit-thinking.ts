import type { ModelCall } from '../provider.ts'

type Body = Readonly<Record<string, unknown>>

const minBudget = 1024

/**
 * Fits the budget of reasoning in a body of the SDK to the call.
 *
 * | thinking       | call                                                    | sent                                               |
 * |----------------|---------------------------------------------------------|----------------------------------------------------|
 * | no budget      |                                                         | the body of the SDK                                |
 * | with a budget  | ends with tool results, their calls without reasoning   | no thinking, which Anthropic would refuse          |
 * | with a budget  | with a token limit                                      | the limit of the call, at most half of it thinking |
 * | with a budget  | with a token limit too low for both                     | the limit of the call, no thinking                 |
 *
 * The SDK adds the budget to the token limit, so the response could be longer than the caller allowed and the budget of the account
 * covers. Clients with another protocol do not send reasoning back with the results of tools.
 */
export function fitThinking({ messages, maxTokens }: ModelCall, body: Body): Body {
  const { thinking, ...rest } = body
  const budget = budgetOf(thinking)
  if (budget === undefined) return body
  const limit = maxTokens ?? Number(body['max_tokens'])
  const fitting = Math.min(budget, Math.floor(limit / 2))
  if (fitting < minBudget || lacksThinking(messages)) return { ...rest, max_tokens: limit }
  return { ...body, max_tokens: limit, thinking: { type: 'enabled', budget_tokens: fitting } }
}

function budgetOf(thinking: unknown): number | undefined {
  if (typeof thinking !== 'object' || thinking === null || !('budget_tokens' in thinking)) return undefined
  return typeof thinking.budget_tokens === 'number' ? thinking.budget_tokens : undefined
}

/** Whether the conversation ends with results of tool calls that the model requested without signed reasoning. */
function lacksThinking(messages: ModelCall['messages']): boolean {
  if (messages.at(-1)?.role !== 'tool') return false
  const asked = messages.findLast(({ role }) => role !== 'tool')
  if (asked?.role !== 'assistant') return false
  return !(asked.thinking ?? []).some(({ signature }) => signature !== undefined)
}
