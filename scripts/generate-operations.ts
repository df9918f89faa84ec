import type { OpenApiDocument } from '#kernel/http'

/** The part of an operation that the clients need. */
interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly responses?: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<
          Record<
            string,
            {
              readonly schema?: {
                readonly properties?: Readonly<Record<string, { readonly type?: string }>>
              }
            }
          >
        >
      }
    >
  >
}

const heading =
  '// Generated from the OpenAPI description by `npm run generate`. Change the routes, not this file.\n\n'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

interface Described {
  readonly method: (typeof methods)[number]
  readonly path: string
  /** The field of the entries, if it is a list with pages. */
  readonly listKey: string | undefined
  readonly takesKey: boolean
}

function operationsOf(document: OpenApiDocument): readonly Described[] {
  const paths = Object.entries(document.paths) as unknown as readonly [
    string,
    Readonly<Record<string, Operation>>,
  ][]
  return paths
    .flatMap(([path, operations]) =>
      methods.flatMap((method) => {
        const operation = operations[method]
        if (operation === undefined) return []
        const listKey = method === 'get' ? listKeyOf(operation) : undefined
        return [{ method, path, listKey, takesKey: method === 'post' && takesIdempotencyKey(operation) }]
      }),
    )
    .toSorted((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0))
}

/** The content of sdk/typescript/src/operations.generated.ts: what the client must know of an operation besides its types. */
export function generateOperations(document: OpenApiDocument): string {
  const operations = operationsOf(document)
  const lists = operations.flatMap(({ path, listKey }) =>
    listKey === undefined ? [] : [`  '${path}': '${listKey}',`],
  )
  const withKey = operations.filter(({ takesKey }) => takesKey)
  return [
    heading,
    '/** The lists with pages, and the field of their entries. */\n',
    `export const listKeys = {\n${lists.join('\n')}\n} as const\n\n`,
    '/** Paths whose POST can be repeated with the same `Idempotency-Key`. */\n',
    'export const pathsWithIdempotencyKey: ReadonlySet<string> = new Set([\n',
    `${withKey.map(({ path }) => `  '${path}',`).join('\n')}\n])\n`,
  ].join('')
}

/** The content of sdk/python/src/tutti/_operations.py: every operation, with types of the paths of each method. */
export function generatePythonOperations(document: OpenApiDocument): string {
  const operations = operationsOf(document)
  const types = methods.map((method) => {
    const own = operations.filter((operation) => operation.method === method)
    const name = `${method.slice(0, 1).toUpperCase()}${method.slice(1)}Path`
    return `${name} = Literal[\n${entries(own.map(({ path }) => `"${path}"`))}]\n`
  })
  const all = operations.map(({ method, path }) => `"${method.toUpperCase()} ${path}"`)
  const lists = operations.flatMap(({ path, listKey }) =>
    listKey === undefined ? [] : [`"${path}": "${listKey}"`],
  )
  const withKey = operations.filter(({ takesKey }) => takesKey).map(({ path }) => `"${path}"`)
  return [
    '"""Generated from the OpenAPI description by `npm run generate`. Change the routes, not this file."""\n\n',
    'from __future__ import annotations\n\nfrom typing import Literal\n\n',
    types.join('\n'),
    `\n#: Every operation of the platform.\nOPERATIONS = {\n${entries(all)}}\n`,
    `\n#: The lists with pages, and the field of their entries.\nLIST_KEYS = {\n${entries(lists)}}\n`,
    '\n#: Paths whose POST can be repeated with the same `Idempotency-Key`.\n',
    `PATHS_WITH_IDEMPOTENCY_KEY = {\n${entries(withKey)}}\n`,
  ].join('')
}

/** The lines of a Python collection. */
function entries(texts: readonly string[]): string {
  return texts.map((text) => `    ${text},\n`).join('')
}

function takesIdempotencyKey({ parameters = [] }: Operation): boolean {
  return parameters.some(({ in: place, name }) => place === 'header' && name === 'idempotency-key')
}

/** Lists with pages have the parameter `page`; the first list of their response holds the entries. */
function listKeyOf({ parameters = [], responses = {} }: Operation): string | undefined {
  if (!parameters.some(({ in: place, name }) => place === 'query' && name === 'page')) return undefined
  const properties = responses['200']?.content?.['application/json']?.schema?.properties ?? {}
  return Object.keys(properties).find((name) => properties[name]?.type === 'array')
}
