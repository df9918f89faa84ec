import type { Failure } from '#kernel/errors'
import { type InterfaceDefinition, plainVoice } from '#kernel/http'

export type WordingTable = InterfaceDefinition['wording']

/** Callers know one word for "you may not", whichever rule it was. */
export const plainWording: WordingTable = {
  ...plainVoice.wording,
  permission_denied: 'insufficient_scope',
}

/** The words OpenAI has for the same, where it has any. */
export const openAiWording: WordingTable = {
  ...plainWording,
  malformed_body: 'invalid_json',
  not_found: 'unknown_url',
  too_many_requests: 'rate_limit_exceeded',
  budget_used_up: 'insufficient_quota',
}

/** The code of a failure that is told in the middle of an answer, in the same words as one that is told before it. */
export function wordCode(wording: WordingTable, { code }: Pick<Failure, 'code'>): string {
  const word = wording[code] ?? code
  return typeof word === 'string' ? word : word.code
}
