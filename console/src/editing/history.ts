/** A document and the description of the change that followed it. */
interface Moment<Document> {
  readonly document: Document
  /** The description of a change, such as `the title of step 2`. */
  readonly what: string
}

/** A document with its earlier versions and, after an undo, its later ones. */
export interface History<Document> {
  readonly past: readonly Moment<Document>[]
  readonly present: Document
  readonly future: readonly Moment<Document>[]
  /** The group and time of the last change, so that a typed word is one change and not one per letter. */
  readonly last: { readonly group: string; readonly at: number } | null
}

export interface Change {
  /** The description of the change, for the labels of undo and redo. */
  readonly what: string
  /** Changes of one group in quick succession are undone together. */
  readonly group?: string
}

const maxMoments = 200

/** A pause this long starts a new change. */
const pauseMs = 1_000

export function beginHistory<Document>(document: Document): History<Document> {
  return { past: [], present: document, future: [], last: null }
}

/** Records a changed document. Undone changes are discarded. */
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

/** Whether two documents are equal. */
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

/**
 * Applies a change to every document of a history, as if it had been there from the beginning. Changes that no longer
 * have an effect are dropped.
 */
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
