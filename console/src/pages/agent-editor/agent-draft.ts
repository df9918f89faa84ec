import type { WholeAgent } from '../agents/agent-queries.ts'
import { isObject, type Json, type JsonObject } from '../flow-editor/document/json.ts'

/** A definition that is being edited. It may be any JSON object; only the server validates it. */
export type AgentDraft = JsonObject

/** A text field of a draft, which may hold anything; empty where it holds no text. */
export function textIn(draft: AgentDraft, field: string): string {
  const value = draft[field]
  return typeof value === 'string' ? value : ''
}

/** The agent that the editor opened with. */
export interface AgentOrigin {
  /** The edited agent; null for a new one. */
  readonly agent: string | null
  /** The version that the changes are based on; null for a new agent. */
  readonly revision: number | null
  /** The agent that a new one is a copy of; null without one. */
  readonly copyOf: string | null
  readonly definition: AgentDraft
}

export const newAgent: AgentOrigin = {
  agent: null,
  revision: null,
  copyOf: null,
  definition: { id: '', label: '', description: '', category: 'content', prompt: '{{content}}' },
}

type SavedAgent = Pick<WholeAgent, 'id' | 'label' | 'revision' | 'agent_definition'>

/** The origin for editing a stored agent. */
export function originOfAgent({ id, revision, agent_definition: definition }: SavedAgent): AgentOrigin {
  // The API declares the definition as a free-form object; the response is parsed JSON.
  return { agent: id, revision, copyOf: null, definition: definition as AgentDraft }
}

/** The origin of a new agent that begins as a copy. */
export function copyOfAgent({ id, label, agent_definition: definition }: SavedAgent): AgentOrigin {
  return { agent: null, revision: null, copyOf: id, definition: asCopy(definition as AgentDraft, id, label) }
}

/** The definition under another name. */
export function asCopy(definition: AgentDraft, id: string, label: string): AgentDraft {
  return { ...definition, id: `${id.slice(0, 59)}_copy`, label: `Copy of ${label}`.slice(0, 200) }
}

/** A valid agent ID made from a name. */
export function agentIdFrom(label: string): string {
  return label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, 64)
    .replace(/_+$/, '')
}

/** A copy with another key in the place of the old one; the same object where the key is taken. */
export function renameKey(record: JsonObject, before: string, after: string): JsonObject {
  if (before !== after && Object.hasOwn(record, after)) return record
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name === before ? after : name, value]),
  )
}

/** The first name of `stem`, `stem_2`, … that is free. */
export function freeKey(record: JsonObject, stem: string): string {
  let name = stem
  for (let nth = 2; Object.hasOwn(record, name); nth += 1) name = `${stem}_${nth}`
  return name
}

export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'list'] as const

type FieldType = (typeof fieldTypes)[number]

/** One field of a simple output schema. */
export interface OutputField {
  readonly name: string
  readonly type: FieldType
  readonly description: string
  readonly required: boolean
}

/** The fields of a schema; undefined when the schema has more than a list of fields can show. */
export function fieldsOfSchema(schema: Json | undefined): readonly OutputField[] | undefined {
  if (!isObject(schema)) return undefined
  const { type, properties = {}, required = [], additionalProperties = false, ...others } = schema
  if (type !== 'object' || additionalProperties !== false || Object.keys(others).length > 0) return undefined
  if (!isObject(properties) || !Array.isArray(required)) return undefined
  const fields = Object.entries(properties).map(([name, value]) => fieldOf(name, value, required))
  return fields.every((field) => field !== undefined) ? fields : undefined
}

function fieldOf(name: string, value: Json, required: readonly Json[]): OutputField | undefined {
  if (!isObject(value)) return undefined
  const { type, description = '', items, ...others } = value
  if (typeof description !== 'string' || Object.keys(others).length > 0) return undefined
  const isTextList =
    type === 'array' && isObject(items) && items['type'] === 'string' && Object.keys(items).length === 1
  const found = isTextList ? 'list' : fieldTypes.find((known) => known === type && items === undefined)
  return found === undefined
    ? undefined
    : { name, type: found, description, required: required.includes(name) }
}

/** The schema of a list of fields. */
export function schemaOfFields(fields: readonly OutputField[]): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, type, description }) => [
        name,
        {
          ...(type === 'list' ? { type: 'array', items: { type: 'string' } } : { type }),
          ...(description === '' ? {} : { description }),
        },
      ]),
    ),
    required: fields.flatMap(({ name, required }) => (required ? [name] : [])),
    additionalProperties: false,
  }
}
