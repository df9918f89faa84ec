import { modelsFailure } from '../../errors.ts'
import type { ChatResponse } from '../../gateway/contract.ts'
import type { ModelPart } from '../../providers/provider.ts'

export type EndPart = Extract<ModelPart, { type: 'end' }>

/** A complete response. */
export interface CollectedResponse {
  readonly text: string
  readonly thinking: string
  readonly end: EndPart
}

/** More than any model generates; a longer response would not end by itself. */
const maxCharacters = 16 * 1024 * 1024

/** Reads a response to its end. Throws the failures of its parts, and `answer_broke_off` without an end. */
export async function collectResponse({ parts }: Pick<ChatResponse, 'parts'>): Promise<CollectedResponse> {
  const texts: string[] = []
  const thoughts: string[] = []
  let characters = 0
  for await (const part of parts) {
    if (part.type === 'end') return { text: texts.join(''), thinking: thoughts.join(''), end: part }
    characters += part.text.length
    if (characters > maxCharacters) {
      throw modelsFailure('answer_broke_off', {
        message: 'The response is too large. Use streaming, or lower the token limit.',
      })
    }
    if (part.type === 'text') texts.push(part.text)
    else thoughts.push(part.text)
  }
  throw modelsFailure('answer_broke_off')
}
