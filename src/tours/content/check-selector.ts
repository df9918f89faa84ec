import { parse, type Selector, SelectorType } from 'css-what'
import { maxPathParts, splitSelector } from '../player/selector-path.ts'

/** Pseudo-classes that every current browser supports and that are meaningful on a static page. */
const knownPseudoClasses = new Set([
  'any-link',
  'checked',
  'default',
  'defined',
  'disabled',
  'empty',
  'enabled',
  'first-child',
  'first-of-type',
  'focus',
  'focus-visible',
  'focus-within',
  'has',
  'hover',
  'in-range',
  'indeterminate',
  'invalid',
  'is',
  'lang',
  'last-child',
  'last-of-type',
  'link',
  'not',
  'nth-child',
  'nth-last-child',
  'nth-last-of-type',
  'nth-of-type',
  'only-child',
  'only-of-type',
  'optional',
  'out-of-range',
  'placeholder-shown',
  'read-only',
  'read-write',
  'required',
  'root',
  'target',
  'valid',
  'where',
])

const traversals = new Set<SelectorType>([
  SelectorType.Adjacent,
  SelectorType.Child,
  SelectorType.Descendant,
  SelectorType.Sibling,
])

/** The parser's message repeats its input, which may be long. */
const maxParserMessageLength = 100

/**
 * Validates a selector: each part between `>>>` as browsers validate CSS. The problem continues a sentence that the field
 * name begins.
 */
export function checkSelector(selector: string): string | undefined {
  const parts = splitSelector(selector)
  if (parts.length > maxPathParts) return `must have at most ${maxPathParts} parts separated by >>>`
  if (parts.length > 1 && parts.includes('')) return 'must have a selector on both sides of >>>'
  for (const part of parts) {
    const problem = checkPart(part)
    if (problem !== undefined) return problem
  }
  return undefined
}

function checkPart(selector: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(selector))
    return 'must be one line without control characters'
  if (!selector.isWellFormed()) return 'must not contain an unpaired surrogate'
  if (selector.trim() === '') return 'must name an element'
  const problem = checkCharacters(selector)
  if (problem !== undefined) return problem
  try {
    return checkParts(parse(selector)) ?? checkStrictly(selector)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be parsed'
    return `is not a CSS selector: ${lowerFirst(reason).slice(0, maxParserMessageLength)}`
  }
}

/** Finds characters that the parser accepts and browsers do not. Strings and escapes are masked first. */
function checkCharacters(selector: string): string | undefined {
  const bare = selector
    .replaceAll(/\\(?:[0-9a-f]{1,6}\s?|[^0-9a-f])/gi, 'x')
    .replaceAll(/"[^"]*"|'[^']*'/g, '""')
    .replaceAll(/\[[^\]]*\]/g, '[]')
  if (/[#.](?:-?\d|[^-_\p{L}\p{M}\p{N}\p{S}\u00b7]|$)/u.test(bare)) {
    return 'is not a CSS selector: the name after # or . is missing or begins with a digit'
  }
  const unexpected = /[<{}@$%!&?/;`\\]|\|\|/.exec(bare)?.[0]
  return unexpected === undefined ? undefined : `is not a CSS selector: unexpected ${unexpected}`
}

/** Finds syntax that the parser accepts and browsers do not. */
function checkStrictly(selector: string): string | undefined {
  const at = findSyntaxError(selector, knownPseudoClasses)
  if (at === undefined) return undefined
  const rest = Array.from(selector.slice(at)).slice(0, 20).join('')
  return `is not a CSS selector: browsers cannot parse it from ${rest}`
}

function checkParts(alternatives: readonly (readonly Selector[])[]): string | undefined {
  if (alternatives.length === 0) return 'must name an element'
  for (const parts of alternatives) {
    const problem = checkAlternative(parts)
    if (problem !== undefined) return problem
  }
  return undefined
}

function checkAlternative(parts: readonly Selector[]): string | undefined {
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1]
    const opens = before === undefined || traversals.has(before.type)
    if (part.type === SelectorType.PseudoElement)
      return `must not contain a pseudo-element such as ::${part.name}`
    if (part.type === SelectorType.Parent || part.type === SelectorType.ColumnCombinator)
      return 'is not a CSS selector'
    if (traversals.has(part.type) && (before === undefined || index === parts.length - 1)) {
      return 'is not a CSS selector: a combinator needs a selector on both sides'
    }
    if ((part.type === SelectorType.Universal || part.type === SelectorType.Tag) && !opens) {
      return 'is not a CSS selector: the name of an element must come first'
    }
    if ('namespace' in part && part.namespace !== null && !['', '*'].includes(part.namespace)) {
      return `must not use the namespace ${part.namespace}; pages declare none for selectors`
    }
    if (part.type === SelectorType.Pseudo) {
      if (!knownPseudoClasses.has(part.name))
        return `must not use :${part.name}, which not every browser supports`
      const within = Array.isArray(part.data) ? checkWithin(part.name, part.data) : undefined
      if (within !== undefined) return within
    }
  }
  return undefined
}

/** Selectors in `:has` may begin with a combinator. */
function checkWithin(name: string, alternatives: readonly (readonly Selector[])[]): string | undefined {
  const relative = name === 'has'
  return checkParts(
    alternatives.map((parts) => {
      const [first, ...rest] = parts
      return relative && first !== undefined && traversals.has(first.type) ? rest : parts
    }),
  )
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Unambiguous, to avoid backtracking: six hex digits, or fewer that no hex digit follows. */
const escaped = String.raw`\\(?:(?:[0-9a-f]{6}|[0-9a-f]{1,5}(?![0-9a-f])) ?|[^0-9a-f])`
const name = String.raw`(?:[a-z_\u0080-\u{10ffff}]|${escaped})`
const nameRest = String.raw`(?:[\w\u0080-\u{10ffff}-]|${escaped})*`
const identifier = `(?:--(?!>)|-?${name})${nameRest}`
const text = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`
const namespace = String.raw`(?:\*?\|(?!=))`

const patterns = {
  space: / */,
  comma: / *, */,
  combinator: / *[>+~] *| +(?![,) ]|$)/,
  leadingCombinator: /[>+~] */,
  element: `${namespace}?(?:${identifier}|\\*)`,
  idOrClass: `[#.]${identifier}`,
  attribute: `\\[ *${namespace}?${identifier} *(?:[~|^$*]?= *(?:${identifier}|${text}) *i? *)?\\]`,
  pseudo: `:${identifier}`,
  open: /\( */,
  close: / *\)/,
  nth: /even|odd|[+-]?\d*n(?: *[+-] *\d+)?|[+-]?\d+/,
  of: / +of +/,
  language: identifier,
}

type Pattern = keyof typeof patterns

const selectorLists = new Set(['is', 'where', 'not', 'has'])
const nthChildPseudos = new Set(['nth-child', 'nth-last-child'])
const nthTypePseudos = new Set(['nth-of-type', 'nth-last-of-type'])

/**
 * Parses a selector of one line as strictly as browsers do, which the parser library does not: `[tabindex=0]`,
 * `:nth-child(x)` and `:has(:has(a))` are invalid. Returns the index of the syntax error; undefined when it is valid.
 */
function findSyntaxError(selector: string, pseudoClasses: ReadonlySet<string>): number | undefined {
  let at = 0

  function take(pattern: Pattern): string | undefined {
    const reading = new RegExp(patterns[pattern], 'iuy')
    reading.lastIndex = at
    const taken = reading.exec(selector)?.[0]
    at += taken?.length ?? 0
    return taken
  }

  function readList(within: { readonly has: boolean; readonly relative: boolean }): boolean {
    do {
      if (within.relative) take('leadingCombinator')
      if (!readComplex(within.has)) return false
    } while (take('comma') !== undefined)
    return true
  }

  function readComplex(inHas: boolean): boolean {
    do {
      if (!readCompound(inHas)) return false
    } while (take('combinator') !== undefined)
    return true
  }

  function readCompound(inHas: boolean): boolean {
    const start = at
    take('element')
    for (;;) {
      if (take('idOrClass') !== undefined || take('attribute') !== undefined) continue
      const pseudo = take('pseudo')?.slice(1).toLowerCase()
      if (pseudo === undefined) return at > start
      if (!readArguments(pseudo, inHas)) return false
    }
  }

  /** Reads the arguments of a pseudo-class that needs them; others must have none. */
  function readArguments(pseudo: string, inHas: boolean): boolean {
    const end = at
    const needs =
      pseudo === 'lang' || [selectorLists, nthChildPseudos, nthTypePseudos].some((some) => some.has(pseudo))
    const opens = take('open') !== undefined
    if (opens !== needs || !pseudoClasses.has(pseudo) || (pseudo === 'has' && inHas)) {
      at = end - pseudo.length - 1
      return false
    }
    return !opens || (readWithin(pseudo, inHas) && take('close') !== undefined)
  }

  function readWithin(pseudo: string, inHas: boolean): boolean {
    if (pseudo === 'has') return readList({ has: true, relative: true })
    if (selectorLists.has(pseudo)) return readList({ has: inHas, relative: false })
    if (pseudo === 'lang') return take('language') !== undefined
    if (take('nth') === undefined) return false
    const isOf = nthChildPseudos.has(pseudo) && take('of') !== undefined
    return !isOf || readList({ has: inHas, relative: false })
  }

  take('space')
  const isRead = readList({ has: false, relative: false })
  take('space')
  return isRead && at === selector.length ? undefined : Math.min(at, selector.length - 1)
}
