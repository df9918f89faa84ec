import { kernelFailure } from '#kernel/errors'
import { halve, type OutputLimits } from '../gateway/bound.ts'

type Fields = Readonly<Record<string, unknown>>

/** The part of a request to a node that its price depends on. */
export interface MeteredBody {
  /** Without the data of images. */
  readonly text: string
  readonly images: number
  /** Parts around which a node adds tokens. */
  readonly parts: number
  /** The possible output limits of each response, the largest first; 0 for embeddings. */
  readonly limits: readonly number[]
  readonly choices: number
  /** The body with one of the limits. */
  readonly limitTo: (maxTokens: number) => Fields
}

/** Where a path takes the limit of the output; null where there is none. */
const limitFields: Readonly<Record<string, readonly string[] | 'options' | null>> = {
  '/api/generate': 'options',
  '/api/chat': 'options',
  '/api/embed': null,
  '/api/embeddings': null,
  '/v1/chat/completions': ['max_tokens', 'max_completion_tokens'],
  '/v1/completions': ['max_tokens'],
  '/v1/responses': ['max_output_tokens'],
  '/v1/messages': ['max_tokens'],
  '/v1/embeddings': null,
}

/** Paths that generate nothing. */
export const freePaths: ReadonlySet<string> = new Set(['/api/show', '/v1/messages/count_tokens'])

/**
 * Reads a request whose model has a price, and limits its output. Throws `invalid_input` for a path or a field whose cost is
 * unknown.
 */
export function readMeteredBody(
  path: string,
  body: Fields,
  { defaultOutputTokens }: OutputLimits,
): MeteredBody {
  const fields = limitFields[path]
  if (fields === undefined) {
    throw invalid(`a model with a price cannot be used at ${path}, which the platform cannot charge`)
  }
  requireLowerCase(body, '')
  const { options } = body
  if (isFields(options)) requireLowerCase(options, 'options.')
  const { text, images, parts } = measure(body)
  const choices = Math.max(1, countOf(body['n']) ?? 1, countOf(body['best_of']) ?? 1)
  const measured = { text, images, parts, choices }
  if (fields === null) return { ...measured, choices: 1, limits: [0], limitTo: () => body }
  if (fields === 'options') {
    const given = isFields(options) ? options : {}
    const limit = countOf(given['num_predict'])
    return {
      ...measured,
      limits: limit === undefined ? halve(defaultOutputTokens) : [limit],
      limitTo: (maxTokens) => ({ ...body, options: { ...given, num_predict: maxTokens } }),
    }
  }
  const given = fields.flatMap((field) => {
    const limit = countOf(body[field])
    return limit === undefined ? [] : [[field, limit] as const]
  })
  const others = Object.entries(body).filter(([field]) => !fields.includes(field))
  if (given.length > 0) {
    return {
      ...measured,
      limits: [Math.max(...given.map(([, limit]) => limit))],
      limitTo: () => Object.fromEntries([...others, ...given]),
    }
  }
  return {
    ...measured,
    limits: halve(defaultOutputTokens),
    limitTo: (maxTokens) =>
      Object.fromEntries([...others, ...fields.slice(0, 1).map((field) => [field, maxTokens] as const)]),
  }
}

/** Nodes do not distinguish the case of fields, so that another spelling could replace the limit. */
function requireLowerCase(body: Fields, path: string): void {
  const field = Object.keys(body).find((name) => name !== name.toLowerCase())
  if (field !== undefined) throw invalid(`the field ${path}${field} must be in lower case`)
}

/** Fields that hold the data or the address of images. */
const imageFields = new Set(['images', 'image_url', 'source'])

function measure(body: Fields): Pick<MeteredBody, 'text' | 'images' | 'parts'> {
  let [images, parts] = [0, 0]
  const text = JSON.stringify(body, (field, value: unknown) => {
    if (imageFields.has(field) && field !== '' && typeof value === 'object' && value !== null) {
      images += Array.isArray(value) ? value.length : 1
      return undefined
    }
    if (field === 'image_url') {
      images += 1
      return undefined
    }
    if (isFields(value)) parts += 1
    return value
  })
  return { text, images, parts }
}

/** A positive integer; undefined for anything else, such as the -1 that stands for no limit. */
function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(message: string) {
  return kernelFailure('invalid_input', { message })
}
