import { modelsFailure } from '../../errors.ts'
import type { ChatAnswer } from '../../gateway/contract.ts'
import type { ModelPart } from '../../providers/provider.ts'

export type EndPart = Extract<ModelPart, { type: 'end' }>

/** An answer in one piece. */
export interface CollectedAnswer {
  readonly text: string
  readonly thinking: string
  readonly end: EndPart
}

/** More than any model writes at once; what goes on beyond it does not stop by itself. */
const mostCharacters = 16 * 1024 * 1024

/** Reads an answer to its end. Throws what its parts throw. */
export async function collectAnswer({ parts }: Pick<ChatAnswer, 'parts'>): Promise<CollectedAnswer> {
  const texts: string[] = []
  const thoughts: string[] = []
  let characters = 0
  for await (const part of parts) {
    if (part.type === 'end') return { text: texts.join(''), thinking: thoughts.join(''), end: part }
    characters += part.text.length
    if (characters > mostCharacters) {
      throw modelsFailure('answer_broke_off', {
        message: 'The answer does not end. Ask for it as a stream, or for fewer tokens.',
      })
    }
    if (part.type === 'text') texts.push(part.text)
    else thoughts.push(part.text)
  }
  throw modelsFailure('answer_broke_off')
}
