import { checkSelector } from '../../content/check-selector.ts'
import { bounds } from '../../tour.ts'
import { positions } from '../drupal/positions.ts'
import type { YamlMap } from '../yaml/read-yaml.ts'
import { checkBody } from './check-body.ts'
import { checkLine, strayKeys } from './check-text.ts'
import type { Finder } from './finder.ts'

const tipKeys = ['id', 'plugin', 'label', 'weight', 'position', 'selector', 'body', 'location']

/** One step of a tour, under its key. */
export function checkTip(key: string, tip: unknown, finder: Finder): void {
  const at = (...rest: readonly string[]) => ['tips', key, ...rest]
  if (!(tip instanceof Map)) return finder.error(at(), 'type', 'A step must be a map of its fields.')
  for (const stray of strayKeys(tip, tipKeys)) {
    finder.error(at(stray), 'unknown_key', `A step has no "${stray}"; the site refuses it.`)
  }
  if (tip.has('location')) {
    finder.error(at('location'), 'removed_key', '"location" is no more since Drupal 10; write "position".')
  }
  checkId(key, tip.get('id'), at, finder)
  if (tip.get('plugin') !== 'text') {
    finder.error(
      at('plugin'),
      'unknown_plugin',
      'This must be text: the site refuses a plugin it does not have.',
    )
  }
  checkLine(tip.get('label'), at('label'), finder)
  checkWeight(tip.get('weight'), at, finder)
  checkPosition(tip, at, finder)
  checkTarget(tip.get('selector'), at, finder)
  checkBody(tip.get('body'), at('body'), finder)
}

type At = (...rest: readonly string[]) => string[]

function checkId(key: string, id: unknown, at: At, finder: Finder): void {
  if (typeof id !== 'string' && typeof id !== 'number')
    return finder.error(at('id'), 'required', 'This is missing; the site refuses the step.')
  if (String(id) !== key) {
    finder.error(
      at('id'),
      'key_differs',
      `This must be "${key}", the key of the step: the site loses track of a step that is called otherwise.`,
    )
  }
  if (!/^[a-z0-9_-]+$/.test(String(id))) {
    finder.error(
      at('id'),
      'pattern',
      'This must be of a-z, 0-9, _ and -; the site cannot keep a key with a dot, for one.',
    )
  }
}

function checkWeight(weight: unknown, at: At, finder: Finder): void {
  if (weight === undefined || weight === null) {
    return finder.error(
      at('weight'),
      'required',
      'This is missing: the site takes the step, and shows it anywhere in the tour.',
    )
  }
  if (!Number.isSafeInteger(weight)) return finder.error(at('weight'), 'type', 'This must be a whole number.')
  if (Number(weight) < 1)
    finder.error(at('weight'), 'weight', 'This must be 1 or more: the site sorts other weights wrongly.')
}

function checkPosition(tip: YamlMap, at: At, finder: Finder): void {
  const position = tip.get('position')
  if (position === undefined || position === null) {
    return finder.error(
      at('position'),
      'required',
      'This is missing: the site takes the step, and its page breaks when the tour is shown.',
    )
  }
  if (position === 'center') {
    return finder.error(
      at('position'),
      'unknown_position',
      'The site refuses center; write "position: auto" and "selector: null".',
    )
  }
  if (typeof position !== 'string' || !positions.includes(position)) {
    return finder.error(
      at('position'),
      'unknown_position',
      'This must be auto, top, bottom, left or right, each alone or with -start or -end; the site refuses all else.',
    )
  }
  if (position !== 'auto' && (tip.get('selector') ?? null) === null) {
    finder.note(
      at('position'),
      'no_element',
      'The step has no element, so it stands in the middle of the page whatever this says.',
    )
  }
}

function checkTarget(selector: unknown, at: At, finder: Finder): void {
  if (selector === undefined || selector === null) return
  if (typeof selector !== 'string')
    return finder.error(at('selector'), 'type', 'This must be a text; put it into quotes.')
  if (selector.trim() === '') {
    return finder.error(
      at('selector'),
      'blank',
      'The site refuses an empty selector; write null for a step without an element.',
    )
  }
  const wrong =
    selector.length > bounds.selector
      ? `must have at most ${bounds.selector} characters`
      : checkSelector(selector)
  if (wrong !== undefined)
    finder.error(
      at('selector'),
      'invalid_selector',
      `This ${wrong}. The site takes it, and the tour stops there.`,
    )
}
