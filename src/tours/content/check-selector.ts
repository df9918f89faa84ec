import { parse, type Selector, SelectorType } from 'css-what'
import { findMiswriting } from './read-selector.ts'

/** Pseudo-classes that every browser of today knows and that say something about a page at rest. */
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

/** The parser repeats what it could not read, however long that is. */
const mostToldOfParser = 100

/** Says what is wrong with a CSS selector, as a sentence goes on after its name; undefined when a browser accepts it. */
export function checkSelector(selector: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(selector))
    return 'must be one line without control characters'
  if (!selector.isWellFormed()) return 'must not have half a character'
  if (selector.trim() === '') return 'must name an element'
  const unreadable = checkWriting(selector)
  if (unreadable !== undefined) return unreadable
  try {
    return checkParts(parse(selector)) ?? checkStrictly(selector)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read'
    return `is not a CSS selector: ${lowerFirst(reason).slice(0, mostToldOfParser)}`
  }
}

/** What the parser lets pass and browsers do not. Strings and what was escaped say nothing about the rest. */
function checkWriting(selector: string): string | undefined {
  const bare = selector
    .replaceAll(/\\(?:[0-9a-f]{1,6}\s?|[^0-9a-f])/gi, 'x')
    .replaceAll(/"[^"]*"|'[^']*'/g, '""')
    .replaceAll(/\[[^\]]*\]/g, '[]')
  if (/[#.](?:-?\d|[^-_\p{L}\p{M}\p{N}\p{S}\u00b7]|$)/u.test(bare)) {
    return 'is not a CSS selector: a name after # or . must not begin with a digit, or be missing'
  }
  const strange = /[<{}@$%!&?/;`\\]|\|\|/.exec(bare)?.[0]
  return strange === undefined ? undefined : `is not a CSS selector: ${strange} has no meaning there`
}

/** What the parser reads more kindly than browsers do. */
function checkStrictly(selector: string): string | undefined {
  const at = findMiswriting(selector, knownPseudoClasses)
  if (at === undefined) return undefined
  const rest = Array.from(selector.slice(at)).slice(0, 20).join('')
  return `is not a CSS selector: browsers do not read on at ${rest}`
}

function checkParts(alternatives: readonly (readonly Selector[])[]): string | undefined {
  if (alternatives.length === 0) return 'must name an element'
  for (const parts of alternatives) {
    const wrong = checkAlternative(parts)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

function checkAlternative(parts: readonly Selector[]): string | undefined {
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1]
    const opens = before === undefined || traversals.has(before.type)
    if (part.type === SelectorType.PseudoElement)
      return `must not name a pseudo-element: ::${part.name} is no element`
    if (part.type === SelectorType.Parent || part.type === SelectorType.ColumnCombinator)
      return 'is not a CSS selector'
    if (traversals.has(part.type) && (before === undefined || index === parts.length - 1)) {
      return 'is not a CSS selector: something is missing beside a combinator'
    }
    if ((part.type === SelectorType.Universal || part.type === SelectorType.Tag) && !opens) {
      return 'is not a CSS selector: an element’s name must come first'
    }
    if ('namespace' in part && part.namespace !== null && !['', '*'].includes(part.namespace)) {
      return `must not name the namespace ${part.namespace}, which no page declares for selectors`
    }
    if (part.type === SelectorType.Pseudo) {
      if (!knownPseudoClasses.has(part.name)) return `must not use :${part.name}, which browsers do not know`
      const within = Array.isArray(part.data) ? checkWithin(part.name, part.data) : undefined
      if (within !== undefined) return within
    }
  }
  return undefined
}

/** In `:has`, a selector may begin with a combinator. */
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
