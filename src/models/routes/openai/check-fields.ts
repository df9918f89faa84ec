import {
  type CheckedFields,
  checkMessages,
  type Fields,
  isFields,
  unsupported,
  withoutEmptyFields,
} from '../requests/unsupported-fields.ts'
import { refusedMessageFields } from './chat-request.ts'

/** Checks the fields of a chat request. */
export function checkChatFields(fields: Fields): CheckedFields {
  const { fields: kept, problems } = checkMessages(
    withoutNulls(fields, 'stream_options'),
    refusedMessageFields,
  )
  return { fields: withoutNulls(kept, 'response_format', 'json_schema'), problems }
}

/** Checks the fields of a completion request. */
export function checkCompletionFields(fields: Fields): CheckedFields {
  const { prompt } = fields
  const kept = withoutNulls(fields, 'stream_options')
  if (!Array.isArray(prompt)) return { fields: kept, problems: [] }
  const [only] = prompt as unknown[]
  if (prompt.length === 1 && typeof only === 'string')
    return { fields: { ...kept, prompt: only }, problems: [] }
  const isText = prompt.every((item) => typeof item === 'string')
  const because = isText ? 'a call has one prompt' : 'a prompt must be text, not tokens'
  return { fields: kept, problems: [unsupported('prompt', because)] }
}

/** Checks the fields of an embedding request. */
export function checkEmbeddingFields(fields: Fields): CheckedFields {
  const { input } = fields
  const isTokens =
    Array.isArray(input) && input.some((item) => typeof item === 'number' || Array.isArray(item))
  return { fields, problems: isTokens ? [unsupported('input', 'an input must be text, not tokens')] : [] }
}

/** The fields without the nulls inside one of them, or inside a field of that one. */
function withoutNulls(fields: Fields, name: string, inside?: string): Fields {
  const inner = fields[name]
  if (!isFields(inner)) return fields
  const kept = withoutEmptyFields(inner, {})
  return { ...fields, [name]: inside === undefined ? kept : withoutNulls(kept, inside) }
}
