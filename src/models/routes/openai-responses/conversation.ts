import { kernelFailure } from '#kernel/errors'
import { shareLongTexts } from '#kernel/http'
import {
  type Item,
  type StoredResponses,
  storedResponseLimits,
} from '../../stored-responses/stored-responses.ts'
import { readSignature } from './items.ts'
import type { ResponsesRequestBody } from './request.ts'

/** The items of a request: those of the responses that it continues, and its own. */
export interface Conversation {
  readonly earlier: readonly Item[]
  /** References are replaced by their items. */
  readonly own: readonly Item[]
}

const maxReferences = 500

/**
 * Reads the conversation of a request. Throws `previous_response_not_found`, `conversation_too_long`, and `invalid_input` for a
 * request without input and for references to unknown items.
 */
export async function readConversation(
  stored: StoredResponses,
  accountId: string,
  { input, previous_response_id: previousId }: ResponsesRequestBody,
): Promise<Conversation> {
  const items = typeof input === 'string' ? [userMessage(input)] : (input ?? [])
  if (items.length === 0 && previousId === undefined) throw invalid('input', 'is required', 'required')
  const earlier = previousId === undefined ? [] : await stored.readConversation(accountId, previousId)
  return { earlier, own: await resolveReferences(stored, accountId, items, earlier) }
}

function userMessage(text: string): Item {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
}

async function resolveReferences(
  stored: StoredResponses,
  accountId: string,
  items: readonly Item[],
  earlier: readonly Item[],
): Promise<readonly Item[]> {
  const ids = items.flatMap((item) => (item.type === 'item_reference' ? [String(item['id'])] : []))
  if (ids.length === 0) return items
  if (ids.length > maxReferences) throw invalid('input', `has more than ${maxReferences} references`)
  const present = new Set(earlier.map(({ id }) => id))
  const found = await stored.findItems(
    accountId,
    ids.filter((id) => !present.has(id)),
  )
  return items.flatMap((item, index) => {
    if (item.type !== 'item_reference') return [item]
    const id = String(item['id'])
    // The item is part of the conversation already.
    if (present.has(id)) return []
    const referenced = found.get(id)
    if (referenced === undefined) {
      throw invalid(`input[${index}].id`, `refers to the item "${id}", which was not found`)
    }
    return [referenced]
  })
}

/** The body for a provider with this protocol: it gets the whole conversation and stores nothing. */
export function expandedBody(
  body: ResponsesRequestBody,
  { earlier, own }: Conversation,
): Readonly<Record<string, unknown>> {
  const { previous_response_id: _previousId, ...rest } = body
  const input = [...earlier.flatMap(withoutState), ...own.filter((item) => !isOwnReasoning(item))]
  const expanded = {
    ...rest,
    store: false,
    ...(typeof body.input === 'string' && earlier.length === 0 ? {} : { input }),
  }
  shareLongTexts(body, expanded)
  return expanded
}

/**
 * The provider has no state of earlier items: it would look up messages and calls by their ids, and reads reasoning only from
 * its own encrypted content.
 */
function withoutState(item: Item): readonly Item[] {
  if (item.type === 'reasoning') {
    return typeof item['encrypted_content'] === 'string' && !isOwnReasoning(item) ? [item] : []
  }
  if (!statelessTypes.has(item.type)) return [item]
  const { id: _id, ...rest } = item
  return [{ ...rest, type: item.type }]
}

const statelessTypes: ReadonlySet<string> = new Set([
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
])

/** Reasoning of a provider with another protocol. */
function isOwnReasoning(item: Item): boolean {
  return item.type === 'reasoning' && readSignature(item['encrypted_content']) !== undefined
}

const inputPrefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
  reasoning: 'rs',
}

/** The items of a request as they are stored and listed: with an id, and with parts in place of a text. */
export function listedItems(items: readonly Item[], callId: string): readonly Item[] {
  return items.map((item, index) => {
    const id = item['id'] ?? `${inputPrefixes[item.type] ?? 'item'}_${callId}_in${index}`
    if (item.type !== 'message') return { ...item, id }
    const { content, role } = item
    const type = role === 'assistant' ? 'output_text' : 'input_text'
    return {
      ...item,
      id,
      status: item['status'] ?? 'completed',
      content: typeof content === 'string' ? [{ type, text: content }] : content,
    }
  })
}

/** Throws `invalid_input` for a request that is too large to be stored. */
export function requireStorable(own: readonly Item[]): void {
  const { maxInputBytes } = storedResponseLimits
  if (Buffer.byteLength(JSON.stringify(own)) <= maxInputBytes) return
  throw invalid('input', `has more than ${maxInputBytes} bytes, which cannot be stored; send "store": false`)
}

function invalid(path: string, message: string, code = 'reference') {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code }],
  })
}
