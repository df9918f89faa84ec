import type { DefaultTreeAdapterTypes } from 'parse5'
import { checkSelector } from '../../content/check-selector.ts'
import { walkHtml } from '../../content/find-removed-html.ts'
import { bounds, positions } from '../../tour.ts'
import type { YamlMap } from '../yaml/read-yaml.ts'
import { checkCharacters, checkLine, strayKeys } from './check-text.ts'
import type { FindingReporter } from './findings.ts'

const tipKeys = ['id', 'plugin', 'label', 'weight', 'position', 'selector', 'body', 'location']

/** Checks one step of a tour. */
export function checkTip(key: string, tip: unknown, report: FindingReporter): void {
  const at = (...rest: readonly string[]) => ['tips', key, ...rest]
  if (!(tip instanceof Map)) return report.error(at(), 'type', 'A step must be a map.')
  for (const stray of strayKeys(tip, tipKeys)) {
    report.error(at(stray), 'unknown_key', `"${stray}" is not a key of a step; the site refuses it.`)
  }
  if (tip.has('location')) {
    report.error(at('location'), 'removed_key', '"location" was removed in Drupal 10; use "position".')
  }
  checkId(key, tip.get('id'), at, report)
  if (tip.get('plugin') !== 'text') {
    report.error(at('plugin'), 'unknown_plugin', 'This must be text: the site refuses unknown plugins.')
  }
  checkLine(tip.get('label'), at('label'), report)
  checkWeight(tip.get('weight'), at, report)
  checkPosition(tip, at, report)
  checkTarget(tip.get('selector'), at, report)
  checkBody(tip.get('body'), at('body'), report)
}

type At = (...rest: readonly string[]) => string[]

function checkId(key: string, id: unknown, at: At, report: FindingReporter): void {
  if (typeof id !== 'string' && typeof id !== 'number')
    return report.error(at('id'), 'required', 'This is required; the site refuses the step without it.')
  if (String(id) !== key) {
    report.error(
      at('id'),
      'key_differs',
      `This must be "${key}", the key of the step; the site does not find a step with another id.`,
    )
  }
  if (!/^[a-z0-9_-]+$/.test(String(id))) {
    report.error(
      at('id'),
      'pattern',
      'This may contain a-z, 0-9, _ and - only; the site cannot store other keys, such as one with a dot.',
    )
  }
}

function checkWeight(weight: unknown, at: At, report: FindingReporter): void {
  if (weight === undefined || weight === null) {
    return report.error(
      at('weight'),
      'required',
      'This is required: without it the position of the step in the tour is undefined.',
    )
  }
  if (!Number.isSafeInteger(weight)) return report.error(at('weight'), 'type', 'This must be an integer.')
  if (Number(weight) < 1)
    report.error(at('weight'), 'weight', 'This must be 1 or more: the site sorts other weights wrongly.')
}

function checkPosition(tip: YamlMap, at: At, report: FindingReporter): void {
  const position = tip.get('position')
  if (position === undefined || position === null) {
    return report.error(
      at('position'),
      'required',
      'This is required: without it the page breaks when the tour is shown.',
    )
  }
  if (position === 'center') {
    return report.error(
      at('position'),
      'unknown_position',
      'The site refuses center; use "position: auto" and "selector: null".',
    )
  }
  if (typeof position !== 'string' || !positions.some((known) => known === position)) {
    return report.error(
      at('position'),
      'unknown_position',
      'This must be auto, top, bottom, left or right, optionally with -start or -end; the site refuses other values.',
    )
  }
  if (position !== 'auto' && (tip.get('selector') ?? null) === null) {
    report.note(
      at('position'),
      'no_element',
      'The step has no element, so it is shown in the middle of the page and this is ignored.',
    )
  }
}

function checkTarget(selector: unknown, at: At, report: FindingReporter): void {
  if (selector === undefined || selector === null) return
  if (typeof selector !== 'string')
    return report.error(at('selector'), 'type', 'This must be a string; put it in quotes.')
  if (selector.trim() === '') {
    return report.error(
      at('selector'),
      'blank',
      'The site refuses an empty selector; use null for a step without an element.',
    )
  }
  const problem =
    selector.length > bounds.selector
      ? `must have at most ${bounds.selector} characters`
      : checkSelector(selector)
  if (problem !== undefined)
    report.error(
      at('selector'),
      'invalid_selector',
      `This ${problem}. The site accepts it, and the tour stops at this step.`,
    )
}

type Element = DefaultTreeAdapterTypes.Element

/** The HTML elements that the site shows in a step. It removes all others silently when it shows the step. */
const allowedSiteTags = new Set(
  (
    'a abbr acronym address article aside b bdi bdo big blockquote br caption cite code col colgroup dd del details dfn div dl ' +
    'dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li mark menu meter nav ol output p pre ' +
    'progress q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'
  ).split(' '),
)

const maxReported = 5

/** Checks that a step has text and that the site shows all of it. */
export function checkBody(body: unknown, path: readonly string[], report: FindingReporter): void {
  if (body === undefined || body === null) {
    report.error(path, 'required', 'This is required: without it the page breaks when the tour is shown.')
  } else if (typeof body !== 'string') {
    report.error(path, 'type', 'This must be a string; put it in quotes.')
  } else if (body.trim() === '') {
    report.warning(path, 'empty', 'The step has no text.')
  } else {
    checkCharacters(body, path, report)
    // Parsing is synchronous: a very large amount of markup would block the server.
    if (body.split('<', bounds.sentTags + 1).length > bounds.sentTags) {
      report.error(path, 'too_much_markup', `This contains ${bounds.sentTags} tags or more.`)
      return
    }
    for (const removed of walkHtml(body, removedOf).slice(0, maxReported)) {
      report.error(path, 'removed_html', `The site removes ${removed} silently when it shows the step.`)
    }
  }
}

function removedOf({ tagName, attrs }: Element): string[] {
  if (!allowedSiteTags.has(tagName)) return [`<${tagName.slice(0, 40)}>`]
  return attrs.flatMap(({ name, value }) => {
    if (/^on/i.test(name) || name === 'style') return [`the attribute ${name.slice(0, 40)} of <${tagName}>`]
    const isScript = ['href', 'src', 'action', 'cite'].includes(name) && isScriptAddress(value)
    return isScript ? [`the URL of <${tagName}>`] : []
  })
}

function isScriptAddress(address: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^(?:javascript|vbscript|data):/i.test(address.replaceAll(/[\u0000-\u0020]/g, ''))
}
