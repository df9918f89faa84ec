import { modelsFailure } from '../../errors.ts'
import type { ChatResponse } from '../../gateway/contract.ts'
import { outputOf } from '../../providers/content.ts'
import type { ModelPart, Thinking, ToolCall } from '../../providers/provider.ts'

type EndPart = Extract<ModelPart, { type: 'end' }>

/** A complete response. */
export interface CollectedResponse {
  readonly text: string
  /** The blocks of reasoning. */
  readonly thinking: readonly Thinking[]
  readonly toolCalls: readonly ToolCall[]
  readonly end: EndPart
}

/** More than any model generates; a longer response would not end by itself. */
const maxCharacters = 16 * 1024 * 1024

/** Reads a response in the protocol of the caller to its end. Throws the failures of its parts. */
export async function collectRaw({ parts }: Pick<ChatResponse, 'parts'>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const part of parts) if (part.type === 'raw') pieces.push(part.bytes)
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
}

/** Reads a response to its end. Throws the failures of its parts, and `answer_broke_off` without an end. */
export async function collectResponse({ parts }: Pick<ChatResponse, 'parts'>): Promise<CollectedResponse> {
  let text = ''
  const thinking: { text: string; signature?: string }[] = []
  const toolCalls: { id: string; name: string; arguments: string }[] = []
  let characters = 0
  for await (const part of parts) {
    characters += outputOf(part).length
    if (characters > maxCharacters) {
      throw modelsFailure('answer_broke_off', {
        message: 'The response is too large. Use streaming, or lower the token limit.',
      })
    }
    switch (part.type) {
      case 'end':
        return { text, thinking, toolCalls, end: part }
      case 'text':
        text += part.text
        break
      case 'thinking': {
        const open = thinking.at(-1)
        if (open === undefined || open.signature !== undefined) thinking.push({ text: part.text })
        else open.text += part.text
        break
      }
      case 'thinking_end': {
        const open = thinking.at(-1)
        if (open !== undefined) open.signature = part.signature
        break
      }
      case 'tool_call':
        toolCalls[part.index] = { id: part.id, name: part.name, arguments: '' }
        break
      case 'tool_arguments': {
        const call = toolCalls[part.index]
        if (call !== undefined) call.arguments += part.text
        break
      }
    }
  }
  throw modelsFailure('answer_broke_off')
}

/** All reasoning of a response as one text. */
export function thinkingTextOf({ thinking }: Pick<CollectedResponse, 'thinking'>): string {
  return thinking.map(({ text }) => text).join('\n\n')
}
