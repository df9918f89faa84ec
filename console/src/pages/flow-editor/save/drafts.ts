import { type FlowDocument, readDefinition } from '../document/flow-document.ts'
import type { UnreadCode } from '../document/flow-editor.ts'
import { isObject, type Json } from '../document/json.ts'
import type { Origin } from '../origin.ts'
import { createShelf, type Shelf } from './shelf.ts'

/** Unsaved changes of a flow. */
export interface UnsavedWork {
  readonly document: FlowDocument
  /** Typed code that is not valid yet. */
  readonly unread: UnreadCode | null
  /** The revision it is based on; null for a new flow. */
  readonly revision: number | null
}

export interface KeptDraft extends UnsavedWork {
  readonly at: Date
}

export interface Drafts {
  readonly find: (name: string) => KeptDraft | null
  /** Returns false where the browser refuses to store it. */
  readonly keep: (name: string, work: UnsavedWork) => boolean
  readonly forget: (name: string) => void
}

/** The storage key of a draft, unique per account and flow. */
export function draftName(account: string, { flow, copyOf }: Pick<Origin, 'flow' | 'copyOf'>): string {
  return flow === null ? `${account}/new/${copyOf ?? ''}` : `${account}/flow/${flow}`
}

export function createDrafts(shelf: Shelf): Drafts {
  return {
    find(name) {
      const entry = shelf.read(name)
      if (entry === undefined || !isObject(entry.value)) return null
      const { definition = null, metadata, unread, revision } = entry.value
      const read = readDefinition(definition)
      // Checked by `isDefinition`, not by `problem`: a definition may have a field of that name.
      if (!isDefinition(read) || !isObject(metadata)) return null
      if (revision !== null && typeof revision !== 'number') return null
      const document = { definition: read, metadata }
      return { document, unread: readUnread(unread, read), revision, at: entry.at }
    },
    keep: (name, { document: { definition, metadata }, unread, revision }) =>
      shelf.write(name, {
        definition,
        metadata,
        unread: unread === null ? null : { text: unread.text, problem: unread.problem },
        revision,
      }),
    forget: shelf.remove,
  }
}

function isDefinition(read: ReturnType<typeof readDefinition>): read is FlowDocument['definition'] {
  return 'steps' in read
}

function readUnread(value: Json | undefined, over: UnreadCode['over']): UnreadCode | null {
  if (!isObject(value)) return null
  const { text, problem } = value
  return typeof text === 'string' && typeof problem === 'string' ? { text, problem, over } : null
}

const maxDrafts = 20

/** The drafts stored in this browser. */
export function browserDrafts(): Drafts {
  return createDrafts(
    createShelf({ storage: () => window.localStorage, heading: 'tutti-flow-drafts', most: maxDrafts }),
  )
}
