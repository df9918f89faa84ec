import { queryOptions } from '@tanstack/react-query'
import type { PlayableTip, PlayableTour } from '@tutti/player/protocol'
import type { Api } from '../../../../api/api.ts'
import type { paths } from '../../../../api/schema.generated.ts'
import { tourFailureOf } from '../../tour-failure.ts'
import type { CallAnswer } from './after-call.ts'
import type { CallOutcome } from './autosave.ts'
import type { SaveCall } from './next-call.ts'
import type { KeptStep, KeptTour } from './saved-tour.ts'
import type { Step } from './tour-document.ts'

const tourPath = '/admin/structure/recipe-onboarding/tours/{tour}'
const stepPath = '/api/recipe-tour-builder/tour/{tour}/step'

export type Tour = paths[typeof tourPath]['get']['responses'][200]['content']['application/json']['tour']
type Tip = Tour['tips'][number]

/** A tour, loaded again whenever its builder or preview opens. */
export function tourQuery(api: Api, tour: string) {
  return queryOptions({
    queryKey: ['tours', 'edited', tour],
    queryFn: async ({ signal }) => {
      const { data, error, response } = await api.client.GET(tourPath, { signal, params: { path: { tour } } })
      if (data === undefined) throw tourFailureOf(response, error)
      return data.tour
    },
    // While the tour is edited, the editor has the newest version; afterwards the cache is stale.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnMount: 'always',
  })
}

/** Converts a tour of the API to the builder's model. */
export function keptTour({ label, status, launch, routes, tips, revision, updated_by_name }: Tour): KeptTour {
  return {
    revision,
    label,
    isPublished: status,
    launch,
    routes: routes.map(({ route_name }) => route_name),
    steps: tips.map(keptStep),
    changedBy: updated_by_name,
  }
}

function keptStep({ id, label, body, selector, location, route, candidates, target_text }: Tip): KeptStep {
  return {
    id,
    title: label,
    body: readBody(body),
    selector,
    location,
    route,
    candidates,
    targetText: target_text,
  }
}

/** Converts a step to the player's model. */
export function playableTip(step: Step): PlayableTip {
  return {
    id: step.key,
    label: step.title,
    body: writeBody(step.body),
    selector: step.selector,
    location: step.location,
    candidates: step.candidates,
    target_text: step.targetText,
    route: step.route,
  }
}

/** Converts a tour to the player's model. */
export function playableTour({ id, label, launch, routes, tips }: Tour): PlayableTour {
  return { id, label, launch, routes, tips }
}

/** Creates the function that sends the builder's changes to the platform. */
export function createTourCalls(api: Api, tour: string) {
  return async (call: SaveCall, revision: number): Promise<CallOutcome> => {
    const { data, error, response } = await request(api, tour, call, revision)
    if (data !== undefined) return { kind: 'agreed', answer: readAnswer(data) }
    const current = (error as { readonly tour?: Tour } | undefined)?.tour
    if (response.status === 409 && current !== undefined) return { kind: 'conflict', tour: keptTour(current) }
    throw tourFailureOf(response, error)
  }
}

async function request(api: Api, tour: string, call: SaveCall, revision: number) {
  const params = { path: { tour } }
  if (call.kind === 'settings') {
    const { routes, ...settings } = call.settings
    const pages = routes === undefined ? {} : { routes: routes.map((route_name) => ({ route_name })) }
    return await api.client.PUT(tourPath, { params, body: { ...settings, ...pages, revision } })
  }
  if (call.kind === 'remove') {
    return await api.client.DELETE(`${stepPath}/{step_id}`, {
      params: { path: { tour, step_id: call.id }, query: { revision } },
    })
  }
  if (call.kind === 'reorder') {
    return await api.client.POST('/api/recipe-tour-builder/tour/{tour}/reorder', {
      params,
      body: { order: [...call.order], revision },
    })
  }
  const stepId = call.kind === 'add' ? 'new-step' : call.id
  return await api.client.POST(stepPath, {
    params,
    body: { stepId, stepData: stepData(call.step), revision },
  })
}

function stepData({ title, body, selector, location, route, candidates, targetText }: Step) {
  const target =
    location === 'center' ? {} : { selector, candidates: [...candidates], target_text: targetText }
  return { title, body: writeBody(body), location, route, ...target }
}

function readAnswer(data: { revision?: number; tour?: Tour; step?: Tip }): CallAnswer {
  const { tour, step } = data
  return {
    revision: data.revision ?? tour?.revision ?? 0,
    ...(step === undefined ? {} : { step: keptStep(step) }),
    ...(tour === undefined ? {} : { settings: settingsOf(keptTour(tour)) }),
  }
}

function settingsOf({ label, launch, routes }: KeptTour) {
  return { label, launch, routes }
}

/**
 * A body is stored and played as HTML. Users write it as text: a blank line begins a paragraph, a line break stays one, and
 * emphasis uses HTML tags. Lists and headings between the paragraphs are written as HTML.
 */

const blockStart = /^<(p|ul|ol|h3|h4|pre|blockquote)(?=[\s>])[^>]*>/i
const blankLine = /\n[^\S\n]*\n/
const bareAmpersand = /&(?!#?[a-z0-9]+;)/gi
const needlessEntity = /&amp;(?!#?[a-z0-9]+;)/gi

/** Converts the text of the field to HTML. */
export function writeBody(text: string): string {
  return splitBlocks(text.replaceAll('\r\n', '\n').replace(bareAmpersand, '&amp;'))
    .map(({ html, isBlock }) =>
      isBlock ? html : `<p>${html.replaceAll(/[^\S\n]*\n[^\S\n]*/g, '<br />')}</p>`,
    )
    .join('')
}

/** Converts HTML to the text of the field. */
export function readBody(html: string): string {
  return splitBlocks(html)
    .map(({ html: block }) => readParagraph(block) ?? block)
    .join('\n\n')
    .replace(needlessEntity, '&')
}

function readParagraph(block: string): string | undefined {
  const inside = /^<p>([\s\S]*)<\/p>$/i.exec(block)?.[1]?.trim()
  if (inside === undefined || inside === '') return undefined
  return inside.replaceAll(/\s+/g, ' ').replaceAll(/ ?<br ?\/?> ?/gi, '\n')
}

interface Block {
  readonly html: string
  /** The block is an element such as a list; other text becomes a paragraph. */
  readonly isBlock: boolean
}

/** Splits a body into its blocks, from top to bottom. */
function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let rest = text.trim()
  while (rest !== '') {
    const tag = blockStart.exec(rest)?.[1]
    const length = tag === undefined ? lengthOfParagraph(rest) : lengthOfElement(rest, tag.toLowerCase())
    blocks.push({ html: rest.slice(0, length).trim(), isBlock: tag !== undefined })
    rest = rest.slice(length).trim()
  }
  return blocks
}

/** The length up to the next blank line, or the next line that begins with a block element. */
function lengthOfParagraph(text: string): number {
  const blank = blankLine.exec(text)?.index ?? text.length
  const elements = [...text.matchAll(/\n\s*(?=<)/g)]
  const next = elements.find(({ index, 0: gap }) => blockStart.test(text.slice(index + gap.length)))?.index
  return Math.min(blank, next ?? text.length)
}

/** The length up to the closing tag of the element; the whole text when the tag is missing. */
function lengthOfElement(text: string, tag: string): number {
  let depth = 0
  for (const { index, 0: found } of text.matchAll(new RegExp(`</?${tag}(?=[\\s>])[^>]*>`, 'gi'))) {
    depth += found.startsWith('</') ? -1 : 1
    if (depth === 0) return index + found.length
  }
  return text.length
}
