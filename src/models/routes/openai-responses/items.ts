import { type Static, type TSchema, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import type { Item } from '../../stored-responses/stored-responses.ts'
import { isFields } from '../requests/unsupported-fields.ts'

/*
 * The items of a conversation and the parts of their content. Each is checked by the schema of its type, so that a problem is
 * reported for the type that was sent. Items and parts of other types are passed on to providers with this protocol only.
 */

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

const identifier = Type.String({ minLength: 1, maxLength: 512 })

/** A URL of a web page, or the data itself. */
const mediaUrl = Type.String({
  pattern: '^(https?://|data:[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+;base64,)',
  'x-means': 'must be an http or https URL, or a data URL in base64',
})

const partSchemas = {
  input_text: Type.Object({ type: Type.Literal('input_text'), text: Type.String() }),
  output_text: Type.Object({ type: Type.Literal('output_text'), text: Type.String() }),
  refusal: Type.Object({ type: Type.Literal('refusal'), refusal: Type.String() }),
  input_image: Type.Object({
    type: Type.Literal('input_image'),
    image_url: nullable(mediaUrl),
    file_id: nullable(identifier),
    detail: nullable(Type.Enum(['auto', 'low', 'high', 'original'])),
  }),
  input_file: Type.Object({
    type: Type.Literal('input_file'),
    file_data: nullable(mediaUrl),
    file_url: nullable(mediaUrl),
    file_id: nullable(identifier),
    filename: nullable(Type.String({ maxLength: 512 })),
  }),
  input_audio: Type.Object({
    type: Type.Literal('input_audio'),
    input_audio: Type.Object({ data: Type.String(), format: Type.Enum(['wav', 'mp3']) }),
  }),
}

type PartSchemas = typeof partSchemas
export type KnownPart = { [Name in keyof PartSchemas]: Static<PartSchemas[Name]> }[keyof PartSchemas]

const content = Type.Union([
  Type.String(),
  Type.Array(Type.Unsafe<Item>({ type: 'object', additionalProperties: true })),
])

const itemSchemas = {
  message: Type.Object({
    type: Type.Literal('message'),
    id: nullable(identifier),
    role: Type.Enum(['user', 'assistant', 'system', 'developer']),
    content,
  }),
  function_call: Type.Object({
    type: Type.Literal('function_call'),
    id: nullable(identifier),
    call_id: identifier,
    name: Type.String({ minLength: 1, maxLength: 128 }),
    namespace: nullable(Type.String({ maxLength: 128 })),
    arguments: Type.String(),
  }),
  function_call_output: Type.Object({
    type: Type.Literal('function_call_output'),
    id: nullable(identifier),
    call_id: identifier,
    output: content,
  }),
  custom_tool_call: Type.Object({
    type: Type.Literal('custom_tool_call'),
    id: nullable(identifier),
    call_id: identifier,
    name: Type.String({ minLength: 1, maxLength: 128 }),
    namespace: nullable(Type.String({ maxLength: 128 })),
    input: Type.String(),
  }),
  custom_tool_call_output: Type.Object({
    type: Type.Literal('custom_tool_call_output'),
    id: nullable(identifier),
    call_id: identifier,
    output: content,
  }),
  reasoning: Type.Object({
    type: Type.Literal('reasoning'),
    id: nullable(identifier),
    summary: Type.Optional(Type.Array(Type.Object({ type: Type.String(), text: Type.String() }))),
    content: nullable(Type.Array(Type.Object({ type: Type.String(), text: Type.String() }))),
    encrypted_content: nullable(Type.String()),
  }),
  item_reference: Type.Object({ type: Type.Literal('item_reference'), id: identifier }),
}

type ItemSchemas = typeof itemSchemas
export type KnownItem = { [Name in keyof ItemSchemas]: Static<ItemSchemas[Name]> }[keyof ItemSchemas]

type Check = (value: unknown) => readonly Problem[]

const checksOf = (schemas: Readonly<Record<string, TSchema>>): ReadonlyMap<string, Check> =>
  new Map(Object.entries(schemas).map(([type, schema]) => [type, createValueCheck(schema)]))

const itemChecks = checksOf(itemSchemas)
const partChecks = checksOf(partSchemas)

/** The problems of an item, with their paths. An item of an unknown type has none. */
export function findItemProblems(item: unknown, path: string): readonly Problem[] {
  const problems = check(itemChecks, item, path)
  if (problems.length > 0 || !isFields(item)) return problems
  const field = outputTypes.has(String(item['type'])) ? 'output' : 'content'
  const parts = item['type'] === 'reasoning' ? undefined : item[field]
  if (!itemChecks.has(String(item['type'])) || !Array.isArray(parts)) return []
  return parts.flatMap((part, index) => {
    const partPath = `${path}.${field}[${index}]`
    const found = check(partChecks, part, partPath)
    return found.length > 0 ? found : findMissingSource(part, partPath)
  })
}

const outputTypes: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output'])

function check(checks: ReadonlyMap<string, Check>, value: unknown, path: string): readonly Problem[] {
  if (!isFields(value)) return [{ path, message: 'must be an object', code: 'type' }]
  const { type } = value
  if (typeof type !== 'string' || type === '' || type.length > maxTypeLength) {
    const known = [...checks.keys()].join(', ')
    return [{ path: `${path}.type`, message: `is required: ${known}`, code: 'required' }]
  }
  const problems = checks.get(type)?.(value) ?? []
  return problems.map((problem) => ({
    ...problem,
    path: problem.path === '' ? path : `${path}.${problem.path}`,
  }))
}

const maxTypeLength = 128

/** A medium has to be somewhere. */
function findMissingSource(part: Item, path: string): readonly Problem[] {
  const sources = sourcesOf[part.type]
  if (sources === undefined || sources.some((name) => typeof part[name] === 'string')) return []
  return [{ path: `${path}.${sources[0]}`, message: `or ${sources.at(-1)} is required`, code: 'required' }]
}

const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  input_image: ['image_url', 'file_id'],
  input_file: ['file_data', 'file_url', 'file_id'],
}

/** Whether an item without problems has a type that every provider gets. */
export function isKnownItem(item: Item | KnownItem): item is KnownItem {
  return itemChecks.has(item.type)
}

/** Whether a part without problems has a type that every provider gets. */
export function isKnownPart(part: Item | KnownPart): part is KnownPart {
  return partChecks.has(part.type)
}

/** The prefix of the signature of reasoning that a provider with another protocol wrote. */
const signaturePrefix = 'signature:'

/** The field of an item with the signature of its reasoning, which the provider needs again in the next turn. */
export function writeSignature(signature: string): string {
  return `${signaturePrefix}${signature}`
}

/** The signature in an item; undefined when there is none, or when the content is that of a provider with this protocol. */
export function readSignature(encrypted: unknown): string | undefined {
  return typeof encrypted === 'string' && encrypted.startsWith(signaturePrefix)
    ? encrypted.slice(signaturePrefix.length)
    : undefined
}
