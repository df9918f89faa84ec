import { compile } from './compile.ts'
import { maxExpressionLength } from './environment.ts'
import { splitPath } from './paths.ts'

/** What stands between `{{` and `}}`. */
export type Placeholder =
  | { readonly kind: 'path'; readonly path: string }
  /** `path ?? default`: the default in place of a value that is missing or null. */
  | { readonly kind: 'default'; readonly path: string; readonly value: unknown }
  /** `= expression` */
  | { readonly kind: 'expression'; readonly source: string }
  | { readonly kind: 'invalid'; readonly problem: string }

/** A placeholder in a text. */
interface FoundPlaceholder {
  readonly start: number
  readonly end: number
  /** The trimmed text between the braces. */
  readonly written: string
}

/** Each one with `=` or `??` that has no end costs a search, so their number is limited. */
const maxSpecial = 100

const opening = /\{\{\s*=/y
const withDefault = /\{\{[^{}?]{1,300}\?\?/y
/** `{{ path }}`. Braces are excluded from the path. */
const plain = /\{\{([^{}]{1,300})\}\}/y

interface Scanned {
  readonly found: readonly FoundPlaceholder[]
  /** The position of a placeholder with `=` or `??` that has no end, or is one too many; such a text stays as it is. */
  readonly broken: number | undefined
}

/** Finds the placeholders of a text, in linear time. */
export function scanPlaceholders(text: string): Scanned {
  const found: FoundPlaceholder[] = []
  let broken: number | undefined
  let special = 0
  for (let start = text.indexOf('{{'); start !== -1; start = text.indexOf('{{', start)) {
    const isSpecial = matchAt(opening, text, start) !== null || matchAt(withDefault, text, start) !== null
    if (isSpecial) special += 1
    const end = isSpecial
      ? special > maxSpecial
        ? undefined
        : endOf(text, start + 2)
      : matchAt(plain, text, start)?.[0].length
    if (end === undefined) {
      if (isSpecial) broken ??= start
      start += 1
      continue
    }
    const close = isSpecial ? end : start + end
    found.push({ start, end: close, written: text.slice(start + 2, close - 2).trim() })
    start = close
  }
  return { found, broken }
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index
  return pattern.exec(text)
}

/** The position after the `}}` that closes an expression or a JSON value. Braces in pairs and in quotes belong to it. */
function endOf(text: string, from: number): number | undefined {
  const last = Math.min(text.length, from + maxExpressionLength + 500)
  let depth = 0
  for (let at = from; at < last; at += 1) {
    const character = text[at]
    if (character === '"' || character === "'") {
      const closing = closingQuote(text, at, last)
      if (closing === undefined) return undefined
      at = closing
    } else if (character === '{') depth += 1
    else if (character === '}') {
      if (depth === 0) return text[at + 1] === '}' ? at + 2 : undefined
      depth -= 1
    }
  }
  return undefined
}

/** The position of the last quote of a text in quotes. `"""` starts one over several lines. */
function closingQuote(text: string, opens: number, last: number): number | undefined {
  const quote = text[opens] ?? '"'
  const delimiter = text.startsWith(quote.repeat(3), opens) ? quote.repeat(3) : quote
  for (let at = opens + delimiter.length; at < last; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text.startsWith(delimiter, at)) return at + delimiter.length - 1
  }
  return undefined
}

/** Reads what stands between the braces. Never throws. */
export function readPlaceholder(written: string): Placeholder {
  if (written.startsWith('=')) return { kind: 'expression', source: written.slice(1).trim() }
  const at = written.indexOf('??')
  const path = at === -1 ? written : written.slice(0, at).trim()
  if (splitPath(path) === undefined)
    return { kind: 'invalid', problem: `"{{${written}}}" is not a path such as {{analysis.score}}` }
  if (at === -1) return { kind: 'path', path }
  try {
    return { kind: 'default', path, value: JSON.parse(written.slice(at + 2)) }
  } catch {
    const problem = `"{{${written}}}" has no JSON value such as "text", 0 or [] after "??"`
    return { kind: 'invalid', problem }
  }
}

/** The problem of an expression with its position; undefined when it is valid. */
export function describeBadExpression(source: string): string | undefined {
  const compiled = compile(source)
  if (compiled.kind === 'compiled') return undefined
  const { message, position } = compiled.problem
  const place = position === null ? '' : ` (at character ${position + 1})`
  return `the expression "${source.slice(0, 100)}" is not valid: ${message}${place}`
}
