import {
  type CheckedFields,
  type Fields,
  isFields,
  withoutEmptyFields,
} from '../requests/unsupported-fields.ts'
import { inertMessageFields } from './chat-request.ts'

/** Checks the fields of a chat request. */
export function checkChatFields(fields: Fields): CheckedFields {
  const { messages } = fields
  const cleaned = withoutNulls(withoutNulls(fields, 'stream_options'), 'response_format', 'json_schema')
  if (!Array.isArray(messages)) return { fields: cleaned, problems: [] }
  const kept = messages.map((message: unknown) =>
    isFields(message) ? withoutEmptyFields(message, inertMessageFields) : message,
  )
  return { fields: { ...cleaned, messages: kept }, problems: [] }
}

/** Checks the fields of a completion request. */
export function checkCompletionFields(fields: Fields): CheckedFields {
  return { fields: withoutNulls(fields, 'stream_options'), problems: [] }
}

/** The fields without the nulls inside one of them, or inside a field of that one. */
function withoutNulls(fields: Fields, name: string, inside?: string): Fields {
  const inner = fields[name]
  if (!isFields(inner)) return fields
  const kept = withoutEmptyFields(inner, {})
  return { ...fields, [name]: inside === undefined ? kept : withoutNulls(kept, inside) }
}
