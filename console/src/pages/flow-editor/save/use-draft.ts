import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { type FlowDocument, isSameDocument } from '../document/flow-document.ts'
import { createFlowEditor, type EditorState, type FlowEditor } from '../document/flow-editor.ts'
import type { Origin } from '../origin.ts'
import { browserDrafts, type Drafts, draftName, type KeptDraft } from './drafts.ts'

/** A flow that is being made, and what this browser keeps of it. */
export interface Draft {
  readonly editor: FlowEditor
  /** What the platform has; its revision is the one that the document in the editor was made on. */
  readonly origin: Origin
  /** What was found when the editor was opened, until something is saved. */
  readonly found: KeptDraft | null
  /** The newest revision there is, as far as anybody here knows; null for a new flow. */
  readonly newest: number | null
  /** Whether this browser keeps what is being made; false where it refuses to. */
  readonly isKept: boolean
  /** Records the saved revision: after a save, or after loading another user's version. */
  readonly platformHas: (saved: Origin) => void
  /** Goes back to what the platform has; one undo away. */
  readonly discard: () => void
  /** Keeps at once what is not kept yet; false where this browser refuses. */
  readonly keepNow: () => boolean
  readonly forget: () => void
}

/** An editor that goes on where this browser left off. */
export function useDraft(account: string, begin: () => Origin): Draft {
  const [origin, setOrigin] = useState(begin)
  const [drafts] = useState(browserDrafts)
  const name = draftName(account, origin)
  const [found, setFound] = useState(() => {
    const draft = drafts.find(name)
    return draft === null || (draft.unread === null && isSameDocument(draft.document, origin.document))
      ? null
      : draft
  })
  const [editor] = useState(() => {
    const made = createFlowEditor({ saved: origin.document, draft: found?.document })
    made.keepUnread(found?.unread ?? null)
    return made
  })
  const [lineage] = useState(() => createLineage(editor, [origin, ...(found === null ? [] : [found])]))
  const base = useSyncExternalStore(editor.subscribe, lineage.base)
  const [isKept, setKept] = useState(true)
  const keeper = useRef<DraftKeeper>(null)
  const beginKeeping = useEffectEvent((under: string) =>
    createDraftKeeper({ editor, drafts, name: under, base: lineage.base, onKept: setKept }),
  )

  useEffect(() => {
    const kept = beginKeeping(name)
    keeper.current = kept
    // A phone may end a page that is merely out of sight, without another word.
    const onHidden = () => document.hidden && kept.keepNow()
    window.addEventListener('pagehide', kept.keepAgain)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      window.removeEventListener('pagehide', kept.keepAgain)
      document.removeEventListener('visibilitychange', onHidden)
      kept.stop()
    }
  }, [name])

  return {
    editor,
    origin: { ...origin, revision: base },
    found,
    newest: origin.revision,
    isKept,
    platformHas(saved) {
      lineage.platformHas(saved)
      editor.saved(saved.document)
      if (!editor.read().isChanged) keeper.current?.forget()
      setOrigin(saved)
      setFound(null)
    },
    discard() {
      lineage.remember()
      editor.keepUnread(null)
      editor.change({ what: 'discarding the draft' }, () => origin.document)
    },
    keepNow: () => keeper.current?.keepNow() ?? false,
    forget: () => keeper.current?.forget(),
  }
}

/** A document known to equal, or to be based on, a revision of the flow; null for a new flow. */
interface KnownDocument {
  readonly document: FlowDocument
  readonly revision: number | null
}

/** Knows on which revision the document in the editor was made. */
interface Lineage {
  readonly base: () => number | null
  /** The document of now stays known as made on what it is made on, whatever takes its place. */
  readonly remember: () => void
  /** The platform has this document as this revision. */
  readonly platformHas: (known: KnownDocument) => void
}

/**
 * Undo can lead back behind a document that came whole from elsewhere: a newer revision that was loaded, a draft that was thrown
 * away. Those are known; whatever is made of one stays on its revision until another known one is in the editor.
 */
export function createLineage(
  editor: Pick<FlowEditor, 'read' | 'subscribe'>,
  begin: readonly KnownDocument[],
): Lineage {
  let known = begin
  let base: number | null = null

  function look(): void {
    const { document } = editor.read()
    const found = known.findLast((it) => isSameDocument(it.document, document))
    if (found !== undefined) base = found.revision
  }

  const remember = () => {
    known = [...known, { document: editor.read().document, revision: base }]
  }

  look()
  editor.subscribe(look)
  return {
    base: () => base,
    remember,
    platformHas(saved) {
      if (isSameDocument(saved.document, editor.read().document)) {
        // A save includes all earlier revisions.
        known = [saved]
        base = saved.revision
        return
      }
      remember()
      known = [...known, saved]
    },
  }
}

/** So long after a change it is kept, with whatever else changed until then. */
const keptAfterMs = 400

interface DraftKeeperOptions {
  readonly editor: Pick<FlowEditor, 'read' | 'subscribe'>
  readonly drafts: Drafts
  readonly name: string
  /** The revision the draft is made on. */
  readonly base: () => number | null
  /** Told each time whether the browser has it. */
  readonly onKept: (isKept: boolean) => void
}

/** Writes down what is being made, shortly after each change. */
interface DraftKeeper {
  /** Writes down at once what is not yet. Says whether this browser has it all. */
  readonly keepNow: () => boolean
  /** The same, also when it is already: another window with the same flow may have thrown it away. */
  readonly keepAgain: () => void
  /** There is no draft until something changes again. */
  readonly forget: () => void
  /** Keeps what is not kept yet, and then nothing any more. */
  readonly stop: () => void
}

export function createDraftKeeper({ editor, drafts, name, base, onKept }: DraftKeeperOptions): DraftKeeper {
  let last = editor.read()
  let isKept = true
  let isForgotten = false
  let due: ReturnType<typeof setTimeout> | undefined

  function take(): EditorState {
    clearTimeout(due)
    due = undefined
    last = editor.read()
    return last
  }

  function keepNow(): boolean {
    return isOther(last, editor.read()) ? keep() : isKept
  }

  function keep(): boolean {
    const { document, unread, isChanged } = take()
    isForgotten = false
    if (isChanged) {
      isKept = drafts.keep(name, { document, unread, revision: base() })
    } else {
      isKept = true
      drafts.forget(name)
    }
    onKept(isKept)
    return isKept
  }

  const unsubscribe = editor.subscribe(() => {
    if (isOther(last, editor.read())) due ??= setTimeout(keepNow, keptAfterMs)
  })

  return {
    keepNow,
    keepAgain() {
      if (!isForgotten && editor.read().isChanged) keep()
      else keepNow()
    },
    forget() {
      take()
      isForgotten = true
      drafts.forget(name)
    },
    stop() {
      unsubscribe()
      keepNow()
      clearTimeout(due)
    },
  }
}

function isOther(left: EditorState, right: EditorState): boolean {
  return left.document !== right.document || left.unread !== right.unread
}
