import { bounds, type Location, type Route, type Tip } from '../tour.ts'
import { checkLabel, oneLine } from './check-label.ts'
import { checkSelector } from './check-selector.ts'
import { cleanBody } from './clean-body.ts'
import type { Findings } from './findings.ts'

/** A step as somebody writes it. */
export interface GivenTip {
  readonly label: string
  readonly body?: string | undefined
  readonly selector?: string | null | undefined
  readonly location?: Location | undefined
  readonly route?: string | null | undefined
  readonly candidates?: readonly string[] | undefined
  readonly target_text?: string | null | undefined
}

interface Surroundings {
  readonly id: string
  readonly routes: readonly Route[]
  /** What the step’s fields are called where it was written. */
  readonly at: (field: keyof GivenTip) => string
  readonly found: Findings
}

/** Reads a step: cleaned, with everything that was left out filled in. What is wrong goes to `found`. */
export function readTip(given: GivenTip, { id, routes, at, found }: Surroundings): Tip {
  const mistaken = checkLabel(given.label, at('label'))
  if (mistaken !== undefined) found.invalid.push(mistaken)
  const route = given.route ?? null
  if (route !== null && !routes.some(({ route_name }) => route_name === route)) {
    found.wrong.push({ path: at('route'), message: `must be one of the tour’s routes`, code: 'unknown' })
  }
  return {
    id,
    label: given.label.trim(),
    body: readBody(given.body ?? '', at('body'), found),
    ...readTarget(given, at, found),
    weight: 0,
    route,
  }
}

function readBody(written: string, path: string, found: Findings): string {
  if (written.split('<').length > bounds.sentTags) {
    found.wrong.push({ path, message: `must have fewer than ${bounds.sentTags} tags`, code: 'too_long' })
    return ''
  }
  const body = cleanBody(written)
  if (body.length > bounds.body) {
    found.wrong.push({
      path,
      message: `must have at most ${bounds.body} characters, and has ${body.length}`,
      code: 'too_long',
    })
  }
  return body
}

type Target = Pick<Tip, 'selector' | 'location' | 'candidates' | 'target_text'>

/** What stands in the middle of the page points at nothing. */
const nothing: Target = { selector: '', location: 'center', candidates: [], target_text: null }

function readTarget(given: GivenTip, at: Surroundings['at'], found: Findings): Target {
  const selector = given.selector?.trim()
  const location = given.location ?? (selector ? 'bottom' : 'center')
  if (location === 'center') return nothing
  if (selector === undefined) {
    found.invalid.push({
      path: at('selector'),
      message: 'is required, unless location is center',
      code: 'required',
    })
  } else refuseBadSelector(selector, at('selector'), found)
  const candidates = [...new Set((given.candidates ?? []).map((candidate) => candidate.trim()))]
  for (const [index, candidate] of candidates.entries()) {
    refuseBadSelector(candidate, `${at('candidates')}[${index}]`, found)
  }
  return {
    selector: selector ?? '',
    location,
    candidates: candidates.filter((candidate) => candidate !== selector),
    target_text: oneLine(given.target_text ?? null),
  }
}

function refuseBadSelector(selector: string, path: string, found: Findings): void {
  const message = checkSelector(selector)
  if (message !== undefined) found.wrong.push({ path, message, code: 'invalid_selector' })
}
