import type { Text } from '@codemirror/state'
import type { JsonPath } from '../document/json.ts'
import { type Code, countBefore, entriesOf, type JsonNode, pathTo, readString } from './json-tree.ts'

/** The completion context at a position of the code. */
export interface CodePlace {
  readonly kind: 'name' | 'value'
  /** The path of the value; for a name, that of its object. */
  readonly path: JsonPath
  /** The range a completion replaces, including existing quotes. */
  readonly from: number
  readonly to: number
  readonly isQuoted: boolean
}

/** The completion context at a cursor; undefined where no completion is possible. */
export function codePlaceAt({ tree, doc }: Code, at: number): CodePlace | undefined {
  const node = tree.resolveInner(at, -1)
  const isWithin = at > node.from && at < node.to
  if (node.name === 'PropertyName' || node.name === 'String') {
    if (!isWithin) return undefined
    const isName = node.name === 'PropertyName'
    const path = pathTo(node, doc)
    return {
      kind: isName ? 'name' : 'value',
      path: isName ? path.slice(0, -1) : path,
      from: node.from,
      to: node.to,
      isQuoted: true,
    }
  }
  return barePlaceAt(node, doc, at)
}

/** The completion context between tokens, where the typed text has no quotes yet. */
function barePlaceAt(node: JsonNode, doc: Text, at: number): CodePlace | undefined {
  const typed = /[\w.-]*$/.exec(doc.sliceString(Math.max(0, at - 100), at))?.[0] ?? ''
  const place = { from: at - typed.length, to: at, isQuoted: false }
  const before = doc
    .sliceString(Math.max(0, place.from - 2_000), place.from)
    .trimEnd()
    .at(-1)
  for (let around: JsonNode | null = node; around !== null; around = around.parent) {
    if (around.name === 'Property') {
      if (before === ':') return { kind: 'value', path: pathTo(around, doc), ...place }
      continue
    }
    if (around.name !== 'Object' && around.name !== 'Array') continue
    if (around.from >= place.from || isClosedBefore(around, doc, at)) continue
    if (around.name === 'Object') {
      return before === '{' || before === ','
        ? { kind: 'name', path: pathTo(around, doc), ...place }
        : undefined
    }
    const path = [...pathTo(around, doc), countBefore(around, place.from)]
    return before === '[' || before === ',' ? { kind: 'value', path, ...place } : undefined
  }
  return undefined
}

function isClosedBefore({ to }: JsonNode, doc: Text, at: number): boolean {
  return to <= at && /[\]}]/.test(doc.sliceString(to - 1, to))
}

/** The node at a path, as far as the text parses. */
function nodeAt({ tree, doc }: Code, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = tree.topNode.firstChild ?? undefined
  for (const part of path) node = node && entriesOf(node, doc).find(({ name }) => name === part)?.value
  return node
}

/** The text at a path; undefined without one. */
export function textAt(code: Code, path: JsonPath): string | undefined {
  const node = nodeAt(code, path)
  return node?.name === 'String' ? readString(node, code.doc) : undefined
}

/** The names the object at a path has already. */
export function namesAt(code: Code, path: JsonPath): ReadonlySet<string> {
  const node = nodeAt(code, path)
  return new Set(node?.name === 'Object' ? entriesOf(node, code.doc).map(({ name }) => String(name)) : [])
}
