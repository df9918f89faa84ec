import type { SelectorCandidate, Stability } from '../protocol.ts'
import { isGenerated } from './names.ts'

/** The properties of an element that selectors are built from. */
export interface ElementInfo {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  /** Its text, as stored in `target_text`. */
  readonly text: string | null
}

export interface Ranking {
  readonly element: ElementInfo
  /** Its ancestors, nearest first. */
  readonly ancestors: readonly ElementInfo[]
  /** The number of elements that a selector matches. */
  readonly count: (selector: string) => number
  /** The number of those with this text. */
  readonly countWithText: (selector: string, text: string) => number
  /** A selector by the position of the element in the page, or undefined. */
  readonly byPosition: () => string | undefined
}

interface Suggestion {
  readonly selector: string
  readonly stability: Stability
  readonly why: string
}

/** As many selectors as an editor can compare. */
const maxCandidates = 5

/**
 * Ranks selectors of an element by stability: attributes for tours, attributes for tests, id, name, label, link, role with
 * text, and last its position in the page. A selector that matches several elements is narrowed by a stable ancestor.
 */
export function rankSelectors(ranking: Ranking): readonly SelectorCandidate[] {
  const { element, count } = ranking
  const suggestions = [...stableSelectors(element), ...labelSelectors(element)].map((suggestion) =>
    narrow(suggestion, ranking),
  )
  const listed = [...suggestions, ...byText(ranking), ...byPosition(ranking)]
  const seen = new Set<string>()
  const candidates = listed
    .map((suggestion) => ({ ...suggestion, matches: count(suggestion.selector) }))
    .filter(({ selector, matches }) => matches > 0 && !seen.has(selector) && seen.add(selector))
    .map(warnOfSeveral)
  return [...candidates.filter(isSure), ...candidates.filter((candidate) => !isSure(candidate))].slice(
    0,
    maxCandidates,
  )
}

const decidedByText = 'its text decides'
const testAttributes = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']

/** Selectors that survive changes of style and text. */
function stableSelectors({ tag, attributes }: ElementInfo): readonly Suggestion[] {
  const suggestions: Suggestion[] = []
  const tour = attributes['data-tour']
  if (tour)
    suggestions.push({
      selector: attribute('data-tour', tour),
      stability: 'high',
      why: 'An attribute for tours.',
    })
  for (const name of testAttributes) {
    const value = attributes[name]
    if (value && !isGenerated(value))
      suggestions.push({
        selector: attribute(name, value),
        stability: 'high',
        why: 'An attribute for tests, which would fail after a change.',
      })
  }
  const { id, name } = attributes
  if (id && !isGenerated(id))
    suggestions.push({ selector: idSelector(id), stability: 'high', why: 'An id written by hand.' })
  if (name && !isGenerated(name) && tag !== 'a')
    suggestions.push({
      selector: tag + attribute('name', name),
      stability: 'high',
      why: 'The name of a form field.',
    })
  return suggestions
}

/** Selectors that depend on the label or the link of the element. */
function labelSelectors({ tag, attributes }: ElementInfo): readonly Suggestion[] {
  const suggestions: Suggestion[] = []
  const label = attributes['aria-label']
  if (label && label.length <= 100)
    suggestions.push({
      selector: tag + attribute('aria-label', label),
      stability: 'medium',
      why: 'Its label, which changes with the language or the text.',
    })
  const { href } = attributes
  if (href && isLastingAddress(href))
    suggestions.push({
      selector: `a${attribute('href', href)}`,
      stability: 'medium',
      why: 'The URL of the link, stable as long as the URL.',
    })
  return suggestions
}

function byText({ element, count, countWithText }: Ranking): readonly Suggestion[] {
  const { tag, text, attributes } = element
  const { role } = attributes
  if (text === null || text.length > 60) return []
  const selector = role ? attribute('role', role) : tag
  if (!role && !/^(?:a|button|summary|label|h[1-6]|th|legend|option)$/.test(tag)) return []
  if (countWithText(selector, text) !== 1) return []
  const decides = count(selector) > 1 ? `; among several ${decidedByText}` : ''
  return [{ selector, stability: 'medium', why: `The ${role ?? tag} with the text “${text}”${decides}.` }]
}

function byPosition({ byPosition: find }: Ranking): readonly Suggestion[] {
  const selector = find()
  return selector === undefined
    ? []
    : [{ selector, stability: 'low', why: 'Its position in the page, which changes with the layout.' }]
}

/** Prefixes a selector that matches several elements with the nearest stable ancestor that makes it unique. */
function narrow(suggestion: Suggestion, { ancestors, count }: Ranking): Suggestion {
  if (count(suggestion.selector) === 1) return suggestion
  for (const ancestor of ancestors) {
    for (const { selector } of stableSelectors(ancestor)) {
      const inside = `${selector} ${suggestion.selector}`
      if (count(inside) === 1) return { ...suggestion, selector: inside }
    }
  }
  return suggestion
}

function isSure({ matches, why }: SelectorCandidate): boolean {
  return matches === 1 || why.includes(decidedByText)
}

function warnOfSeveral(candidate: SelectorCandidate): SelectorCandidate {
  if (isSure(candidate)) return candidate
  return {
    ...candidate,
    stability: 'low',
    why: `Matches ${candidate.matches} elements; the first one is used.`,
  }
}

function isLastingAddress(href: string): boolean {
  if (href.length > 200 || /^(?:javascript|data|blob):/i.test(href) || href === '#') return false
  return !/[?&=]/.test(href) && !href.split(/[/#]/).some(isGenerated)
}

function attribute(name: string, value: string): string {
  return `[${name}="${escapeText(value)}"]`
}

function idSelector(id: string): string {
  return /^[a-z_][\w-]*$/i.test(id) ? `#${id}` : attribute('id', id)
}

function escapeText(value: string): string {
  return value
    .replace(/["\\]/g, '\\$&')
    .replace(/[\n\r\f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)
}
