import { parse as parseYaml } from 'yaml'
import type { Outbound } from '#kernel/outbound'
import { describeBadUrl, type HttpOperation } from './http-tool.ts'
import type { JsonSchema } from './tool.ts'

/** An operation of an OpenAPI document, with all that a call needs: a run never reads the document. */
export interface ResolvedOperation extends HttpOperation {
  readonly description: string
}

interface OperationSource {
  readonly url: string
  /** Its operationId. */
  readonly operation: string
}

interface ResolveOptions {
  readonly outbound: Pick<Outbound, 'request'>
  readonly accountId: string
}

/** Why an operation cannot be a tool; completes the sentence "openapi …". */
export class OpenApiProblem extends Error {
  override readonly name = 'OpenApiProblem'
}

const maxDocumentBytes = 2 * 1024 * 1024
const maxSchemaLength = 64 * 1024
const maxDepth = 40

/** Reads an OpenAPI document, JSON or YAML. Throws an OpenApiProblem, and the outbound failures. */
export async function fetchDocument(url: string, { outbound, accountId }: ResolveOptions): Promise<unknown> {
  const { status, body } = await outbound.request(url, {
    account: accountId,
    accept: 'application/json, application/yaml;q=0.9, */*;q=0.5',
    maxResponseBytes: maxDocumentBytes,
    timeoutMs: 15_000,
  })
  if (status !== 200) throw new OpenApiProblem(`cannot be read: ${url} responded with status ${status}`)
  return readDocument(body.toString('utf8'))
}

function readDocument(text: string): unknown {
  try {
    // Aliases are refused: a few lines of them could expand to gigabytes.
    return text.trimStart().startsWith('{') ? JSON.parse(text) : parseYaml(text, { maxAliasCount: 0 })
  } catch {
    throw new OpenApiProblem('is neither JSON nor YAML')
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Finds an operation by its operationId and resolves its references. Throws an OpenApiProblem. */
export function resolveOperation(
  document: unknown,
  { url, operation: id }: OperationSource,
): ResolvedOperation {
  const root = asObject(document)
  if (!/^3\.[01]/.test(String(root['openapi'])))
    throw new OpenApiProblem('is not an OpenAPI document of version 3.0 or 3.1')
  for (const [path, given] of Object.entries(asObject(root['paths']))) {
    const item = asObject(given)
    for (const method of methods) {
      const found = asObject(item[method])
      if (found['operationId'] !== id) continue
      return describeOperation(root, { base: url, path, method, item, found })
    }
  }
  throw new OpenApiProblem(`has no operation "${id}"`)
}

interface Found {
  readonly base: string
  readonly path: string
  readonly method: (typeof methods)[number]
  readonly item: Fields
  readonly found: Fields
}

/** The specification says that such parameters are ignored; a connection sends credentials. */
const ignoredHeaders = /^(?:accept|content-type|authorization|cookie|host|proxy-.*)$/i

type Fields = Readonly<Record<string, unknown>>

function describeOperation(root: Fields, { base, path, method, item, found }: Found): ResolvedOperation {
  const listed = [...asList(item['parameters']), ...asList(found['parameters'])]
    .map((it) => asObject(resolve(root, it)))
    .filter((it) => !(it['in'] === 'header' && ignoredHeaders.test(String(it['name']))))
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  for (const { name, in: place, required: isRequired, schema, description } of listed) {
    if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
      throw new OpenApiProblem(`has a parameter whose name cannot be an argument: ${String(name)}`)
    if (place === 'cookie') throw new OpenApiProblem(`has a parameter in a cookie: ${name}`)
    properties[name] = {
      ...asObject(schema),
      ...(typeof description === 'string' && { description: description.slice(0, 500) }),
    }
    if (isRequired === true || place === 'path') required.push(name)
  }
  const body = asObject(resolve(root, found['requestBody'] ?? {}))
  const bodySchema = asObject(asObject(body['content'])['application/json'])['schema']
  if (body['content'] !== undefined && bodySchema === undefined)
    throw new OpenApiProblem('needs a body that is not JSON')
  if (bodySchema !== undefined) {
    if (Object.hasOwn(properties, 'body'))
      throw new OpenApiProblem('has a parameter named body besides its body')
    properties['body'] = bodySchema
    if (body['required'] === true) required.push('body')
  }
  const parameters: JsonSchema = { type: 'object', required, properties, additionalProperties: false }
  if (JSON.stringify(parameters).length > maxSchemaLength)
    throw new OpenApiProblem(`has arguments with a schema of more than ${maxSchemaLength / 1024} KiB`)
  const inPlace = (wanted: string) =>
    listed.filter((it) => it['in'] === wanted).map((it) => String(it['name']))
  const url = `${serverOf(root, base)}${path.replaceAll(/\{([A-Za-z0-9_-]{1,64})\}/g, '{{arguments.$1}}')}`
  const wrong = describeBadUrl(url)
  if (wrong !== undefined) throw new OpenApiProblem(`has a URL that ${wrong}: ${url}`)
  return {
    method: method.toUpperCase() as ResolvedOperation['method'],
    url,
    query: inPlace('query'),
    headers: inPlace('header'),
    body: bodySchema === undefined ? undefined : 'body',
    parameters,
    description: [found['summary'], found['description']]
      .filter((it) => typeof it === 'string')
      .join('\n')
      .slice(0, 1000),
  }
}

/** The first server of the document, which may be relative to the address of the document. */
function serverOf(root: Fields, base: string): string {
  const { url = '/' } = asObject(asList(root['servers'])[0]) as { readonly url?: unknown }
  if (typeof url !== 'string' || url.includes('{') || !URL.canParse(url, base))
    throw new OpenApiProblem('has no server with a fixed URL')
  return new URL(url, base).href.replace(/\/$/, '')
}

/** The value with all local references replaced. Throws for a reference to another document, and for a schema that contains itself. */
function resolve(root: Fields, value: unknown, depth = 0): unknown {
  if (depth > maxDepth) throw new OpenApiProblem('has a schema that contains itself, or is nested too deeply')
  if (Array.isArray(value)) return value.map((it) => resolve(root, it, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: reference } = value as { readonly $ref?: unknown }
  if (reference === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, resolve(root, it, depth + 1)]))
  }
  if (typeof reference !== 'string' || !reference.startsWith('#/'))
    throw new OpenApiProblem(`has a reference to another document: ${JSON.stringify(reference)}`)
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const target = keys.reduce<unknown>(
    (at, key) => (Object.hasOwn(asObject(at), key) ? asObject(at)[key] : undefined),
    root,
  )
  if (target === undefined) throw new OpenApiProblem(`has a reference to nothing: ${reference}`)
  return resolve(root, target, depth + 1)
}

function asObject(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
