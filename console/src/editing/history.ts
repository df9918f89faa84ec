/** A document, and what was done to it next. */
interface Moment<Document> {
  readonly document: Document
  /** Such as `the title of step 2`. */
  readonly what: string
}

/** A document with what came before it and, after an undo, what came after. */
export interface History<Document> {
  readonly past: readonly Moment<Document>[]
  readonly present: Document
  readonly future: readonly Moment<Document>[]
  /** What was changed last and when, so that a word is one change and not five. */
  readonly last: { readonly group: string; readonly at: number } | null
}

export interface Change {
  /** What is changed, for the words beside undo. */
  readonly what: string
  /** Changes of one group in quick succession are undone together. */
  readonly group?: string
}

const maxMoments = 200

/** A pause this long begins a new change. */
const pauseMs = 1_000

export function beginHistory<Document>(document: Document): History<Document> {
  return { past: [], present: document, future: [], last: null }
}

/** Goes on to a changed document. What was undone before is forgotten. */
export function record<Document>(
  history: History<Document>,
  document: Document,
  { what, group, at, isSame }: Change & { readonly at: number; readonly isSame: IsSame<Document> },
): History<Document> {
  if (isSame(history.present, document)) return { ...history, present: document }
  const last = group === undefined ? null : { group, at }
  const goesOn =
    last !== null &&
    history.last?.group === last.group &&
    at - history.last.at < pauseMs &&
    history.future.length === 0
  if (goesOn) return { ...history, present: document, last }
  const past = [...history.past, { document: history.present, what }].slice(-maxMoments)
  return { past, present: document, future: [], last }
}

/** Whether going from one document to the other changes nothing. */
type IsSame<Document> = (left: Document, right: Document) => boolean

export function undo<Document>(history: History<Document>): History<Document> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: before.document,
    future: [{ document: history.present, what: before.what }, ...history.future],
    last: null,
  }
}

export function redo<Document>(history: History<Document>): History<Document> {
  const [after, ...future] = history.future
  if (after === undefined) return history
  return {
    past: [...history.past, { document: history.present, what: after.what }],
    present: after.document,
    future,
    last: null,
  }
}

/** Changes every document of a history alike, as if it had been so from the beginning. What then changes nothing goes. */
export function rewrite<Document>(
  history: History<Document>,
  change: (document: Document) => Document,
  isSame: IsSame<Document>,
): History<Document> {
  const present = change(history.present)
  const past: Moment<Document>[] = []
  let later = present
  for (const { document, what } of history.past.toReversed()) {
    const changed = change(document)
    if (!isSame(changed, later)) past.unshift({ document: changed, what })
    later = changed
  }
  const future: Moment<Document>[] = []
  let earlier = present
  for (const { document, what } of history.future) {
    const changed = change(document)
    if (!isSame(changed, earlier)) future.push({ document: changed, what })
    earlier = changed
  }
  return { past, present, future, last: null }
}
