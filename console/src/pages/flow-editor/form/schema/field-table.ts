import { isObject, type Json, type JsonObject } from '../../document/json.ts'

/** The types of a field in the table of a JSON schema. */
export const rowTypes = [
  'text',
  'long text',
  'number',
  'whole number',
  'yes or no',
  'choice',
  'choices',
  'date',
  'email',
  'list',
  'object',
] as const

export type RowType = (typeof rowTypes)[number]

/** The types that the form of a human task can have. */
export const formRowTypes: readonly RowType[] = [
  'text',
  'long text',
  'number',
  'whole number',
  'yes or no',
  'choice',
  'choices',
  'date',
  'email',
]

/** The types that the output of a model can have. */
export const outputRowTypes: readonly RowType[] = [
  'text',
  'number',
  'whole number',
  'yes or no',
  'choice',
  'list',
  'object',
]

/** One field of an object, as a row of a table. */
export interface SchemaRow {
  readonly name: string
  readonly type: RowType
  readonly isRequired: boolean
  /** The label of the field for a person; empty where its name is the label. */
  readonly title: string
  readonly description: string
  /** The least and the most: of a number its value, of a text its length. */
  readonly limits: RowLimits
  /** The values of a choice. */
  readonly options: readonly string[]
  /** The rest of its schema, which the table does not show. */
  readonly rest: JsonObject
}

interface RowLimits {
  readonly least?: number | undefined
  readonly most?: number | undefined
}

const numberWords = { least: 'minimum', most: 'maximum' } as const
const textWords = { least: 'minLength', most: 'maxLength' } as const

/** The words of a schema for the limits of a type; undefined where it has none. */
function limitWordsOf(type: RowType): typeof numberWords | typeof textWords | undefined {
  if (type === 'number' || type === 'whole number') return numberWords
  return type === 'text' || type === 'long text' ? textWords : undefined
}

/** What the limits of a type limit; undefined where it has none. */
export function limitedBy(type: RowType): 'value' | 'length' | undefined {
  const words = limitWordsOf(type)
  return words === undefined ? undefined : words === numberWords ? 'value' : 'length'
}

/** The row with another type. Limits of a value say nothing about a length. */
export function withType(row: SchemaRow, type: RowType): SchemaRow {
  const isChosen = type === 'choice' || type === 'choices'
  return {
    ...row,
    type,
    options: isChosen ? (row.options.length > 0 ? row.options : ['yes', 'no']) : [],
    limits: limitedBy(row.type) === limitedBy(type) ? row.limits : {},
  }
}

/** Whether an object may have no other fields than those of the table. */
export function refusesOthers(schema: Json | undefined): boolean {
  return isObject(schema) && schema['additionalProperties'] === false
}

/** The schema, with or without fields besides those of the table. */
export function refuseOthers(schema: Json | undefined, isRefused: boolean): JsonObject {
  const { additionalProperties: _, ...others } = isObject(schema) ? schema : {}
  return isRefused ? { ...others, additionalProperties: false } : others
}

/** The rows of a schema; undefined where it is more than a table can show. */
export function readRows(schema: Json | undefined): readonly SchemaRow[] | undefined {
  if (schema === undefined) return []
  if (!isObject(schema)) return undefined
  const { type, properties = {}, required = [], ...others } = schema
  const isTable = Object.keys(others).every((key) => tableWords.has(key))
  if (type !== 'object' || !isObject(properties) || !Array.isArray(required) || !isTable) return undefined
  const rows = Object.entries(properties).map(([name, field]) =>
    readRow(name, field, (required as readonly Json[]).includes(name)),
  )
  return rows.every((row) => row !== undefined) ? rows : undefined
}

/** Words of the whole schema that stay as they are. */
const tableWords = new Set(['title', 'description', 'additionalProperties'])

function readRow(name: string, field: Json, isRequired: boolean): SchemaRow | undefined {
  if (!isObject(field)) return undefined
  const { title = '', description = '', type, format, enum: options, items, ...others } = field
  if (typeof title !== 'string' || typeof description !== 'string') return undefined
  const found = typeOf({ type, format, options, items })
  if (found === undefined) return undefined
  const { limits, rest } = readLimits(found.type, others)
  return { name, type: found.type, isRequired, title, description, limits, options: found.options, rest }
}

function readLimits(type: RowType, others: JsonObject): Pick<SchemaRow, 'limits' | 'rest'> {
  const words = limitWordsOf(type)
  if (words === undefined) return { limits: {}, rest: others }
  const { [words.least]: least, [words.most]: most, ...rest } = others
  if (!isLimit(least) || !isLimit(most)) return { limits: {}, rest: others }
  return {
    limits: { ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) },
    rest,
  }
}

function isLimit(value: Json | undefined): value is number | undefined {
  return value === undefined || typeof value === 'number'
}

interface Parts {
  readonly type: Json | undefined
  readonly format: Json | undefined
  readonly options: Json | undefined
  readonly items: Json | undefined
}

function typeOf({
  type,
  format,
  options,
  items,
}: Parts): { readonly type: RowType; readonly options: readonly string[] } | undefined {
  const none: readonly string[] = []
  if (type === 'string' && isTexts(options))
    return format === undefined ? { type: 'choice', options } : undefined
  if (options !== undefined) return undefined
  if (type === 'string') {
    const found = { multiline: 'long text', date: 'date', email: 'email' } as const
    if (format === undefined) return { type: 'text', options: none }
    const known = typeof format === 'string' ? found[format as keyof typeof found] : undefined
    return known === undefined ? undefined : { type: known, options: none }
  }
  if (format !== undefined) return undefined
  if (type === 'array') {
    if (isObject(items) && items['type'] === 'string' && Object.keys(items).length === 1) {
      return { type: 'list', options: none }
    }
    const chosen = isObject(items) ? items['enum'] : undefined
    return isTexts(chosen) ? { type: 'choices', options: chosen } : undefined
  }
  if (items !== undefined) return undefined
  if (type === 'number') return { type: 'number', options: none }
  if (type === 'integer') return { type: 'whole number', options: none }
  if (type === 'boolean') return { type: 'yes or no', options: none }
  return type === 'object' ? { type: 'object', options: none } : undefined
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && (value as readonly Json[]).every((it) => typeof it === 'string')
}

/** The schema with other rows; undefined without any row. */
export function writeRows(schema: Json | undefined, rows: readonly SchemaRow[]): JsonObject | undefined {
  if (rows.length === 0) return undefined
  const { required: _, ...before } = isObject(schema) ? schema : {}
  const required = rows.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  return {
    ...before,
    type: 'object',
    properties: Object.fromEntries(rows.map((row) => [row.name, writeRow(row)])),
    ...(required.length === 0 ? {} : { required }),
  }
}

function writeRow({ type, title, description, limits, options, rest }: SchemaRow): JsonObject {
  const words = limitWordsOf(type)
  const { least, most } = limits
  return {
    ...schemaOf(type, options),
    ...(title === '' ? {} : { title }),
    ...(words === undefined || least === undefined ? {} : { [words.least]: least }),
    ...(words === undefined || most === undefined ? {} : { [words.most]: most }),
    ...rest,
    ...(description === '' ? {} : { description }),
  }
}

function schemaOf(type: RowType, options: readonly string[]): JsonObject {
  switch (type) {
    case 'text':
      return { type: 'string' }
    case 'long text':
      return { type: 'string', format: 'multiline' }
    case 'date':
    case 'email':
      return { type: 'string', format: type }
    case 'number':
      return { type: 'number' }
    case 'whole number':
      return { type: 'integer' }
    case 'yes or no':
      return { type: 'boolean' }
    case 'choice':
      return { type: 'string', enum: options }
    case 'choices':
      return { type: 'array', items: { enum: options } }
    case 'list':
      return { type: 'array', items: { type: 'string' } }
    default:
      return { type: 'object' }
  }
}
