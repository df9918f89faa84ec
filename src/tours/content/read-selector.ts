/** Read in one way only: six digits, or fewer that no other follows. */
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
  place: /even|odd|[+-]?\d*n(?: *[+-] *\d+)?|[+-]?\d+/,
  of: / +of +/,
  language: identifier,
}

type Pattern = keyof typeof patterns

const selectorLists = new Set(['is', 'where', 'not', 'has'])
const childPlaces = new Set(['nth-child', 'nth-last-child'])
const typePlaces = new Set(['nth-of-type', 'nth-last-of-type'])

/**
 * Reads a selector of one line as strictly as browsers do, which parsers for programs do not: `[tabindex=0]`, `:nth-child(x)`
 * and `:has(:has(a))` are none. Answers with the place where it cannot be read on; undefined when all of it can.
 */
export function findMiswriting(selector: string, pseudoClasses: ReadonlySet<string>): number | undefined {
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

  /** What stands in parentheses, for the names that need it; the others must have none. */
  function readArguments(pseudo: string, inHas: boolean): boolean {
    const end = at
    const needs =
      pseudo === 'lang' || [selectorLists, childPlaces, typePlaces].some((some) => some.has(pseudo))
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
    if (take('place') === undefined) return false
    const isOf = childPlaces.has(pseudo) && take('of') !== undefined
    return !isOf || readList({ has: inHas, relative: false })
  }

  take('space')
  const isRead = readList({ has: false, relative: false })
  take('space')
  return isRead && at === selector.length ? undefined : Math.min(at, selector.length - 1)
}
