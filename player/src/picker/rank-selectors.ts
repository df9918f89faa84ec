import type { SelectorCandidate, Stability } from '../protocol.ts'
import { isGenerated } from './names.ts'

/** What an element says about itself. */
export interface ElementFacts {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  /** Its words, as `target_text` keeps them. */
  readonly text: string | null
}

export interface Ranking {
  readonly element: ElementFacts
  /** The elements around it, the nearest first. */
  readonly ancestors: readonly ElementFacts[]
  /** How many elements a selector matches now. */
  readonly count: (selector: string) => number
  /** How many of them have these words. */
  readonly countWithText: (selector: string, text: string) => number
  /** A selector by the element's place in the page, or undefined. */
  readonly byPlace: () => string | undefined
}

interface Idea {
  readonly selector: string
  readonly stability: Stability
  readonly why: string
}

/** The step's own selector, and as many others as a person can compare. */
const most = 5

/**
 * Lists ways to find an element again, the most lasting first: what was put there for tours, for tests, an id, names, an
 * address, role and words, and last its place in the page. What matches several elements is narrowed by a lasting ancestor.
 */
export function rankSelectors(ranking: Ranking): readonly SelectorCandidate[] {
  const { element, count } = ranking
  const ideas = [...anchors(element), ...words(element)].map((idea) => narrow(idea, ranking))
  const listed = [...ideas, ...byText(ranking), ...byPlace(ranking)]
  const seen = new Set<string>()
  const candidates = listed
    .map((idea) => ({ ...idea, matches: count(idea.selector) }))
    .filter(({ selector, matches }) => matches > 0 && !seen.has(selector) && seen.add(selector))
    .map(warnOfSeveral)
  return [...candidates.filter(isSure), ...candidates.filter((one) => !isSure(one))].slice(0, most)
}

const decidedByText = 'its words decide'
const testAttributes = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']

/** What does not change when the page is restyled or reworded. */
function anchors({ tag, attributes }: ElementFacts): readonly Idea[] {
  const ideas: Idea[] = []
  const tour = attributes['data-tour']
  if (tour)
    ideas.push({ selector: attribute('data-tour', tour), stability: 'high', why: 'Put there for tours.' })
  for (const name of testAttributes) {
    const value = attributes[name]
    if (value && !isGenerated(value))
      ideas.push({
        selector: attribute(name, value),
        stability: 'high',
        why: 'Put there for tests, which would notice a change.',
      })
  }
  const { id, name } = attributes
  if (id && !isGenerated(id))
    ideas.push({ selector: idSelector(id), stability: 'high', why: 'An id that somebody chose.' })
  if (name && !isGenerated(name) && tag !== 'a')
    ideas.push({
      selector: tag + attribute('name', name),
      stability: 'high',
      why: 'The name of a field, which its form depends on.',
    })
  return ideas
}

/** What changes when the page is reworded or its addresses are. */
function words({ tag, attributes }: ElementFacts): readonly Idea[] {
  const ideas: Idea[] = []
  const label = attributes['aria-label']
  if (label && label.length <= 100)
    ideas.push({
      selector: tag + attribute('aria-label', label),
      stability: 'medium',
      why: 'Its label; another language or wording changes it.',
    })
  const { href } = attributes
  if (href && isLastingAddress(href))
    ideas.push({
      selector: `a${attribute('href', href)}`,
      stability: 'medium',
      why: 'Where it leads; lasts as long as that address.',
    })
  return ideas
}

function byText({ element, count, countWithText }: Ranking): readonly Idea[] {
  const { tag, text, attributes } = element
  const { role } = attributes
  if (text === null || text.length > 60) return []
  const selector = role ? attribute('role', role) : tag
  if (!role && !/^(?:a|button|summary|label|h[1-6]|th|legend|option)$/.test(tag)) return []
  if (countWithText(selector, text) !== 1) return []
  const decides = count(selector) > 1 ? `; among several ${decidedByText}` : ''
  return [{ selector, stability: 'medium', why: `The ${role ?? tag} that says “${text}”${decides}.` }]
}

function byPlace({ byPlace: find }: Ranking): readonly Idea[] {
  const selector = find()
  return selector === undefined
    ? []
    : [{ selector, stability: 'low', why: 'By its place in the page; a new layout loses it.' }]
}

/** Looks for it inside the nearest element that lasts, when alone it is not the only one. */
function narrow(idea: Idea, { ancestors, count }: Ranking): Idea {
  if (count(idea.selector) === 1) return idea
  for (const ancestor of ancestors) {
    for (const { selector } of anchors(ancestor)) {
      const inside = `${selector} ${idea.selector}`
      if (count(inside) === 1) return { ...idea, selector: inside }
    }
  }
  return idea
}

function isSure({ matches, why }: SelectorCandidate): boolean {
  return matches === 1 || why.includes(decidedByText)
}

function warnOfSeveral(candidate: SelectorCandidate): SelectorCandidate {
  if (isSure(candidate)) return candidate
  return { ...candidate, stability: 'low', why: `Matches ${candidate.matches} elements: the first is shown.` }
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
