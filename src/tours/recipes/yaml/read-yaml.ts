import {
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import { checkTokens } from './check-tokens.ts'
import { YamlMistake } from './yaml-mistake.ts'

export type YamlMap = ReadonlyMap<unknown, unknown>

/** What a YAML file says, with the lines it says it on. */
export interface YamlContent {
  /** Maps as `Map`, lists as arrays. */
  readonly value: unknown
  /** The line a path is on, or the nearest one above it that is there. */
  readonly lineOf: (path: readonly (string | number)[]) => number | null
}

const deepest = 64

/** Reads the plain part of YAML that recipes are written in. */
export function readYaml(text: string): YamlContent {
  checkTokens(text)
  const lines = new LineCounter()
  const document = parse(text, lines)
  const lineAt = (node: { range?: readonly number[] | null } | null | undefined) =>
    node?.range?.[0] === undefined ? null : lines.linePos(node.range[0]).line
  const [error] = document.errors
  if (error !== undefined) {
    if (/call stack/.test(error.message)) throw new YamlMistake('This is nested too deeply.', null)
    throw new YamlMistake(
      `This is not valid YAML: ${firstLine(error.message)}.`,
      error.linePos?.[0].line ?? null,
    )
  }
  visit(document, {
    Map(_key, map, above) {
      if (above.length > deepest) throw new YamlMistake('This is nested too deeply.', lineAt(map))
      checkKeys(map, lineAt)
    },
    Seq(_key, list, above) {
      if (above.length > deepest) throw new YamlMistake('This is nested too deeply.', lineAt(list))
    },
  })
  return {
    value: document.toJS({ mapAsMap: true, maxAliasCount: 0 }),
    lineOf: (path) => lineAt(findNode(document.contents, path)),
  }
}

function parse(text: string, lineCounter: LineCounter) {
  return parseDocument(text, {
    lineCounter,
    schema: 'core',
    merge: false,
    // The library compares every key with every other; ours are looked up.
    uniqueKeys: false,
    logLevel: 'error',
  })
}

function checkKeys(map: YAMLMap, lineAt: (node: Node) => number | null): void {
  const seen = new Set<string>()
  for (const { key } of map.items) {
    if (!isScalar(key)) throw new YamlMistake('A key is no plain text.', isNode(key) ? lineAt(key) : null)
    const name = String(key.value)
    if (name === '<<') throw new YamlMistake('Merge keys (<<) are not read; write the keys out.', lineAt(key))
    if (seen.has(name)) throw new YamlMistake(`The key "${name.slice(0, 80)}" is there twice.`, lineAt(key))
    seen.add(name)
  }
}

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '').replace(/\.$/, '')
}

/** The key of the last step that exists, since its value may begin on a later line. */
function findNode(contents: unknown, path: readonly (string | number)[]): Node | null {
  let found: Node | null = isNode(contents) ? contents : null
  let now: unknown = contents
  for (const step of path) {
    if (isMap(now)) {
      const pair = now.items.find(
        (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(step),
      )
      if (pair === undefined) return found
      found = isNode(pair.key) ? pair.key : found
      now = pair.value
    } else if (isNode(now) && 'items' in now && Array.isArray(now.items)) {
      const item: unknown = now.items[Number(step)]
      if (!isNode(item)) return found
      found = item
      now = item
    } else {
      return found
    }
  }
  return found
}
