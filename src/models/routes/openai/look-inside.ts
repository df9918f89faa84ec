import type { Problem } from '#kernel/errors'
import {
  type Fields,
  isFields,
  keepTelling,
  type Looked,
  lookIntoMessages,
  unsupported,
} from '../asked/take-fields.ts'
import { refusedMessageFields } from './chat-body.ts'

/** What cannot be honoured inside the fields of a chat, and the fields without what says nothing. */
export function lookIntoChat(fields: Fields): Looked {
  const { fields: kept, problems } = lookIntoMessages(
    withoutNulls(fields, 'stream_options'),
    refusedMessageFields,
    findInMessage,
  )
  return { fields: withoutNulls(kept, 'response_format', 'json_schema'), problems }
}

/** The same of a completion. */
export function lookIntoCompletion(fields: Fields): Looked {
  const { prompt } = fields
  const kept = withoutNulls(fields, 'stream_options')
  if (!Array.isArray(prompt)) return { fields: kept, problems: [] }
  const [only] = prompt as unknown[]
  if (prompt.length === 1 && typeof only === 'string')
    return { fields: { ...kept, prompt: only }, problems: [] }
  const isText = prompt.every((item) => typeof item === 'string')
  const because = isText ? 'there is one prompt in a call' : 'a prompt is a text, not tokens'
  return { fields: kept, problems: [unsupported('prompt', because)] }
}

/** The same of texts for vectors. */
export function lookIntoEmbedding(fields: Fields): Looked {
  const { input } = fields
  const isTokens =
    Array.isArray(input) && input.some((item) => typeof item === 'number' || Array.isArray(item))
  return { fields, problems: isTokens ? [unsupported('input', 'an input is a text, not tokens')] : [] }
}

/** What cannot be honoured in one message, besides fields. */
function findInMessage({ role, content }: Fields, place: string): readonly Problem[] {
  const ofTools =
    role === 'tool' || role === 'function'
      ? [unsupported(`${place}role`, 'tools are not passed on to models')]
      : []
  const parts: readonly unknown[] = Array.isArray(content) ? content : []
  return [...ofTools, ...parts.flatMap((part, index) => problemOfPart(part, `${place}content[${index}]`))]
}

function problemOfPart(part: unknown, place: string): Problem[] {
  const type = isFields(part) ? part['type'] : undefined
  if (typeof type !== 'string' || type === 'text') return []
  return [unsupported(`${place}.type`, 'models are shown text alone')]
}

/** The fields with one of them, or one inside it, rid of its nulls. */
function withoutNulls(fields: Fields, name: string, inside?: string): Fields {
  const inner = fields[name]
  if (!isFields(inner)) return fields
  const kept = keepTelling(inner, {})
  return { ...fields, [name]: inside === undefined ? kept : withoutNulls(kept, inside) }
}
