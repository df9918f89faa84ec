import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState, Text } from '@codemirror/state'
import type { JsonPath } from '../document/json.ts'

type Tree = ReturnType<typeof syntaxTree>
export type JsonNode = Tree['topNode']

/** A text with its syntax tree. Invalid JSON has a partial tree. */
export interface Code {
  readonly tree: Tree
  readonly doc: Text
}

export interface Range {
  readonly from: number
  readonly to: number
}

/**
 * The range of a path such as `steps[2].prompt`. A missing value has the range of the innermost existing object or
 * list; a value of several lines, that of its name.
 */
export function findPlace({ tree, doc }: Code, path: string): Range {
  let node = valueIn(tree.topNode)
  let rest = path
  while (node !== null && rest !== '') {
    const next: { readonly node: JsonNode; readonly rest: string } | undefined = step(node, rest, doc)
    if (next === undefined) break
    node = next.node
    rest = next.rest
  }
  return node === null ? { from: 0, to: Math.min(1, doc.length) } : headOf(node)
}

/** Names may contain dots and look like numbers, so the longest existing name wins. */
function step(node: JsonNode, path: string, doc: Text) {
  if (node.name === 'Array') {
    const [said = '', index] = /^\[(\d+)\]/.exec(path) ?? []
    const entry = valuesIn(node)[Number(index)]
    return entry && { node: entry, rest: withoutDot(path.slice(said.length)) }
  }
  const found = entriesOf(node, doc)
    .map(({ name, value }) => ({
      node: value,
      said: [String(name), `[${name}]`].find((text) => isStart(text, path)),
    }))
    .filter((entry): entry is { node: JsonNode; said: string } => entry.said !== undefined)
    .toSorted((left, right) => right.said.length - left.said.length)[0]
  return found && { node: found.node, rest: withoutDot(path.slice(found.said.length)) }
}

function withoutDot(path: string): string {
  return path.startsWith('.') ? path.slice(1) : path
}

function isStart(text: string, path: string): boolean {
  return path.startsWith(text) && ['', '.', '['].includes(path.charAt(text.length))
}

function headOf(node: JsonNode): Range {
  if (!isContainer(node)) return { from: node.from, to: node.to }
  const name = node.parent?.name === 'Property' ? node.parent.getChild('PropertyName') : null
  return name === null ? { from: node.from, to: node.from + 1 } : { from: name.from, to: name.to }
}

/** The path of a node. */
export function pathTo(node: JsonNode, doc: Text): JsonPath {
  const path: (string | number)[] = []
  for (let place: JsonNode | null = node; place !== null; place = place.parent) {
    const { parent } = place
    if (place.name === 'Property') path.unshift(nameOfProperty(place, doc))
    else if (parent?.name === 'Array') path.unshift(countBefore(parent, place.from))
  }
  return path
}

export function entriesOf(
  node: JsonNode,
  doc: Text,
): readonly { readonly name: string | number; readonly value: JsonNode }[] {
  if (node.name === 'Array') return valuesIn(node).map((value, name) => ({ name, value }))
  return node.getChildren('Property').flatMap((property) => {
    const value = valueIn(property)
    return value === null ? [] : [{ name: nameOfProperty(property, doc), value }]
  })
}

/** The number of list values that end before a position. */
export function countBefore(list: JsonNode, at: number): number {
  return valuesIn(list).filter(({ to }) => to <= at).length
}

function nameOfProperty(property: JsonNode, doc: Text): string {
  const name = property.getChild('PropertyName')
  return name === null ? '' : readString(name, doc)
}

/** The value of a string; an invalid one is taken as written. */
export function readString({ from, to }: Range, doc: Text): string {
  const written = doc.sliceString(from, to)
  try {
    return String(JSON.parse(written))
  } catch {
    return written.replaceAll('"', '')
  }
}

/** The ID of the step at a position; undefined outside of steps. */
export function stepAt({ tree, doc }: Code, at: number): string | undefined {
  for (let node: JsonNode | null = tree.resolveInner(at, -1); node !== null; node = node.parent) {
    if (node.name !== 'Object') continue
    const path = pathTo(node, doc)
    // `steps[3].steps[0]`: the steps inside of a container are steps too.
    const isStep = path.every((part, index) =>
      index % 2 === 0 ? part === 'steps' : typeof part === 'number',
    )
    if (!isStep || path.length === 0 || path.length % 2 === 1) continue
    const id = entriesOf(node, doc).find(({ name }) => name === 'id')?.value
    return id?.name === 'String' ? readString(id, doc) : undefined
  }
  return undefined
}

function isContainer({ name }: JsonNode): boolean {
  return name === 'Object' || name === 'Array'
}

const values = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null'])

function valueIn(node: JsonNode): JsonNode | null {
  return valuesIn(node)[0] ?? null
}

function valuesIn(node: JsonNode): JsonNode[] {
  const found: JsonNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (values.has(child.name)) found.push(child)
  }
  return found
}

/** The time limit for parsing, longer than any flow takes; a longer text has a partial tree. */
const patienceMs = 200

/** The text of a view with the tree of all of it, not only of the visible part. */
export function codeIn(state: EditorState): Code {
  const { doc } = state
  return { doc, tree: ensureSyntaxTree(state, doc.length, patienceMs) ?? syntaxTree(state) }
}
