import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { bounds } from '../../tour.ts'
import { hasControls } from './check-text.ts'
import type { Finder } from './finder.ts'

type Element = DefaultTreeAdapterTypes.Element

/** What the site shows of a step's HTML. Everything else it takes out when it shows the step, and says nothing. */
const shownTags = new Set(
  (
    'a abbr acronym address article aside b bdi bdo big blockquote br caption cite code col colgroup dd del details dfn div dl ' +
    'dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li mark menu meter nav ol output p pre ' +
    'progress q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'
  ).split(' '),
)

const mostTold = 5

/** The text of a step: that it is there, and that the site shows all of it. */
export function checkBody(body: unknown, path: readonly string[], finder: Finder): void {
  if (body === undefined || body === null) {
    finder.error(
      path,
      'required',
      'This is missing: the site takes the step, and its page breaks when the tour is shown.',
    )
  } else if (typeof body !== 'string') {
    finder.error(path, 'type', 'This must be a text; put it into quotes.')
  } else if (body.trim() === '') {
    finder.warning(path, 'empty', 'The step says nothing.')
  } else {
    if (hasControls(body)) {
      finder.error(path, 'control_characters', 'This has control characters; the site refuses them.')
    }
    // Reading very much markup would keep everyone else waiting.
    if (body.split('<', bounds.sentTags + 1).length > bounds.sentTags) {
      finder.error(path, 'too_much_markup', `This has ${bounds.sentTags} tags or more, which no step needs.`)
      return
    }
    for (const removed of findRemoved(body).slice(0, mostTold)) {
      finder.error(
        path,
        'removed_html',
        `The site takes ${removed} out without a word when it shows the step.`,
      )
    }
  }
}

/** Walks without recursion: the depth is the author's to choose. */
function findRemoved(html: string): string[] {
  const found = new Set<string>()
  const waiting: DefaultTreeAdapterTypes.Node[] = [parseFragment(html)]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node) for (const what of removedOf(node)) found.add(what)
    if ('childNodes' in node) waiting.push(...node.childNodes.toReversed())
  }
  return [...found]
}

function removedOf({ tagName, attrs }: Element): string[] {
  if (!shownTags.has(tagName)) return [`<${tagName.slice(0, 40)}>`]
  return attrs.flatMap(({ name, value }) => {
    if (/^on/i.test(name) || name === 'style') return [`the attribute ${name.slice(0, 40)} of <${tagName}>`]
    const isScript = ['href', 'src', 'action', 'cite'].includes(name) && isScriptAddress(value)
    return isScript ? [`the address of <${tagName}>`] : []
  })
}

function isScriptAddress(address: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^(?:javascript|vbscript|data):/i.test(address.replaceAll(/[\u0000-\u0020]/g, ''))
}
