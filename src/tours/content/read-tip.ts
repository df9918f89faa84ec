import { type Advance, bounds, type Location, type Route, type Tip } from '../tour.ts'
import { checkLabel, oneLine } from './check-label.ts'
import { checkSelector } from './check-selector.ts'
import { cleanBody } from './clean-body.ts'
import { locationOf, precisePosition } from './positions.ts'
import type { Problems } from './problems.ts'

/** A step as sent by a client. */
export interface TipInput {
  readonly label: string
  readonly body?: string | undefined
  readonly selector?: string | null | undefined
  readonly location?: Location | undefined
  readonly position?: string | null | undefined
  readonly route?: string | null | undefined
  readonly candidates?: readonly string[] | undefined
  readonly target_text?: string | null | undefined
  readonly advance?: Advance | undefined
}

interface TipContext {
  readonly id: string
  readonly routes: readonly Route[]
  /** The path of a field of the step in the request. */
  readonly at: (field: keyof TipInput) => string
  readonly found: Problems
}

/** Validates a step, sanitises it and fills in defaults. Adds problems to `found`. */
export function readTip(given: TipInput, { id, routes, at, found }: TipContext): Tip {
  const problem = checkLabel(given.label, at('label'))
  if (problem !== undefined) found.invalid.push(problem)
  const route = given.route ?? null
  if (route !== null && !routes.some(({ route_name }) => route_name === route)) {
    found.unprocessable.push({
      path: at('route'),
      message: 'must be one of the routes of the tour',
      code: 'unknown',
    })
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

/** Sanitises the body of a step. Adds problems to `found`. */
export function readBody(written: string, path: string, found: Problems): string {
  if (written.split('<').length > bounds.sentTags) {
    found.unprocessable.push({
      path,
      message: `must have fewer than ${bounds.sentTags} tags`,
      code: 'too_long',
    })
    return ''
  }
  const body = cleanBody(written)
  if (body.length > bounds.body) {
    found.unprocessable.push({
      path,
      message: `must have at most ${bounds.body} characters, but has ${body.length}`,
      code: 'too_long',
    })
  }
  return body
}

type Target = Pick<Tip, 'selector' | 'location' | 'position' | 'candidates' | 'target_text' | 'advance'>

/** A step in the middle of the page has no element that could be used. */
const noTarget = {
  selector: '',
  location: 'center',
  candidates: [],
  target_text: null,
  advance: 'next',
} as const

function readTarget(given: TipInput, at: TipContext['at'], found: Problems): Target {
  const selector = given.selector?.trim()
  const location = given.location ?? locationOf(given.position, selector ?? '')
  if (location === 'center') {
    return { ...noTarget, candidates: [], position: precisePosition(given.position, 'center', '') }
  }
  if (selector === undefined) {
    found.invalid.push({
      path: at('selector'),
      message: 'is required unless location is center',
      code: 'required',
    })
  } else collectSelectorProblem(selector, at('selector'), found)
  const candidates = [...new Set((given.candidates ?? []).map((candidate) => candidate.trim()))]
  for (const [index, candidate] of candidates.entries()) {
    collectSelectorProblem(candidate, `${at('candidates')}[${index}]`, found)
  }
  return {
    selector: selector ?? '',
    location,
    position: precisePosition(given.position, location, selector ?? ''),
    candidates: candidates.filter((candidate) => candidate !== selector),
    target_text: oneLine(given.target_text ?? null),
    advance: given.advance ?? 'next',
  }
}

function collectSelectorProblem(selector: string, path: string, found: Problems): void {
  const message = checkSelector(selector)
  if (message !== undefined) found.unprocessable.push({ path, message, code: 'invalid_selector' })
}
