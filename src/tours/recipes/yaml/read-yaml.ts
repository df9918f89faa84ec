import {
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'

export type YamlMap = ReadonlyMap<unknown, unknown>

/** The value of a YAML file, and the lines of its keys. */
export interface YamlContent {
  /** Maps as `Map`, lists as arrays. */
  readonly value: unknown
  /** Unquoted keys and values that Drupal's parser reads as a number or a time, and this one as text; with their paths. */
  readonly ambiguous: readonly { readonly path: readonly (string | number)[]; readonly text: string }[]
  /** The line of a path, or of its nearest existing ancestor. */
  readonly lineOf: (path: readonly (string | number)[]) => number | null
}

const maxDepth = 64

/** Reads the subset of YAML that recipes use. Throws a YamlMistake with the line. */
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
  const ambiguous: YamlContent['ambiguous'][number][] = []
  visit(document, {
    Scalar(_key, { type, value }, above) {
      if (type !== 'PLAIN' || typeof value !== 'string' || !isAmbiguous(value)) return
      ambiguous.push({ path: pathOf(above), text: value })
    },
    Map(_key, map, above) {
      if (above.length > maxDepth) throw new YamlMistake('This is nested too deeply.', lineAt(map))
      checkKeys(map, lineAt)
    },
    Seq(_key, list, above) {
      if (above.length > maxDepth) throw new YamlMistake('This is nested too deeply.', lineAt(list))
    },
  })
  return {
    value: document.toJS({ mapAsMap: true, maxAliasCount: 0 }),
    ambiguous,
    lineOf: (path) => lineAt(findNode(document.contents, path)),
  }
}

/** Numbers with underscores, and times, as YAML 1.1 has them. */
function isAmbiguous(text: string): boolean {
  return (
    (text.includes('_') && /^[-+]?(?:0x[0-9a-f_]+|0o[0-7_]+|[0-9][0-9_]*(?:\.[0-9_]+)?)$/i.test(text)) ||
    /^\d{4}-\d\d?-\d\d?(?:(?:T|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?)?$/i.test(
      text,
    )
  )
}

/** The path of a scalar: the keys and indexes above it. */
function pathOf(above: readonly unknown[]): (string | number)[] {
  return above.flatMap((node, index): (string | number)[] => {
    const child = above[index + 1]
    if (isPair(node)) return isScalar(node.key) ? [String(node.key.value)] : []
    if (isSeq(node) && child !== undefined) return [node.items.indexOf(child)]
    return []
  })
}

function parse(text: string, lineCounter: LineCounter) {
  return parseDocument(text, {
    lineCounter,
    schema: 'core',
    merge: false,
    // The library's check for duplicate keys is quadratic; `checkKeys` uses a set.
    uniqueKeys: false,
    logLevel: 'error',
  })
}

function checkKeys(map: YAMLMap, lineAt: (node: Node) => number | null): void {
  const seen = new Set<string>()
  for (const { key } of map.items) {
    if (!isScalar(key)) throw new YamlMistake('A key must be a scalar.', isNode(key) ? lineAt(key) : null)
    const name = String(key.value)
    if (name === '<<')
      throw new YamlMistake('Merge keys (<<) are not supported; write the keys out.', lineAt(key))
    if (seen.has(name)) throw new YamlMistake(`The key "${name.slice(0, 80)}" occurs twice.`, lineAt(key))
    seen.add(name)
  }
}

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '').replace(/\.$/, '')
}

/** Finds the key of the last path segment that exists: its value may begin on a later line. */
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

const maxTokens = 50_000
const maxBracketDepth = 32

/**
 * Checks the tokens before parsing: some files of a few kilobytes keep the parser busy for minutes. Anchors, aliases and
 * tags are refused: they can expand a few bytes to gigabytes or create objects, and no recipe needs them.
 */
function checkTokens(text: string): void {
  let tokens = 0
  let depth = 0
  let line = 1
  // The token after this mark is text, even when it looks like syntax.
  let isText = false
  for (const token of new Lexer().lex(text)) {
    tokens += 1
    if (tokens > maxTokens) throw new YamlMistake('This has too many entries for a recipe.', line)
    if (!isText) {
      if (/^[&*]./.test(token)) {
        throw new YamlMistake(
          'Anchors (&) and aliases (*) are not supported; write the value where it is used.',
          line,
        )
      }
      if (token.startsWith('!'))
        throw new YamlMistake(`The tag ${short(token)} is not supported; write a plain value.`, line)
      if (token === '[' || token === '{') depth += 1
      if (token === ']' || token === '}') depth -= 1
      if (depth > maxBracketDepth) throw new YamlMistake('This is nested too deeply.', line)
    }
    isText = token === scalarMark
    line += token.split('\n').length - 1
  }
}

/** The lexer's mark before an unquoted text and before a block of text. */
const scalarMark = '\u001f'

function short(token: string): string {
  return token.length > 40 ? `${token.slice(0, 37)}…` : token
}

/** The reason why a YAML file is refused, with its line. */
export class YamlMistake extends Error {
  override readonly name = 'YamlMistake'
  readonly line: number | null

  constructor(message: string, line: number | null, options?: ErrorOptions) {
    super(message, options)
    this.line = line
  }
}

/** A text of a map. Numbers and booleans are read as strings whose quotes were forgotten. */
export function textIn(map: YamlMap, key: string): string {
  const value = map.get(key)
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
}
