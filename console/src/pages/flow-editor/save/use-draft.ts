import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { type FlowDocument, isSameDocument } from '../document/flow-document.ts'
import { createFlowEditor, type EditorState, type FlowEditor } from '../document/flow-editor.ts'
import type { Origin } from '../origin.ts'
import { browserDrafts, type Drafts, draftName, type KeptDraft } from './drafts.ts'

/** A flow in the editor with its draft in this browser. */
export interface Draft {
  readonly editor: FlowEditor
  /** The saved flow; its revision is the base of the document in the editor. */
  readonly origin: Origin
  /** The draft found on opening, until the next save. */
  readonly found: KeptDraft | null
  /** The newest known revision; null for a new flow. */
  readonly newest: number | null
  /** Whether this browser stores the draft; false where it refuses. */
  readonly isKept: boolean
  /** Records the saved revision: after a save, or after loading another user's version. */
  readonly platformHas: (saved: Origin) => void
  /** Returns to the saved flow; undo restores the draft. */
  readonly discard: () => void
  /** Stores pending changes at once; returns false where this browser refuses. */
  readonly keepNow: () => boolean
  readonly forget: () => void
}

/** An editor that restores the draft of this browser. */
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
    // A phone may end a hidden page without another event.
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

/** Tracks the revision that the document in the editor is based on. */
interface Lineage {
  readonly base: () => number | null
  /** Remembers the current document with its base revision before another one replaces it. */
  readonly remember: () => void
  /** Records a document saved as a revision. */
  readonly platformHas: (known: KnownDocument) => void
}

/**
 * Undo can go back past a document that was replaced as a whole: by a newer revision, or by discarding a draft. These
 * documents are remembered with their revisions; edits keep the base revision until a remembered document is in the
 * editor again.
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
        // After a save, every earlier document counts as based on the saved revision.
        known = [saved]
        base = saved.revision
        return
      }
      remember()
      known = [...known, saved]
    },
  }
}

/** The delay before a change is stored, together with all changes until then. */
const keptAfterMs = 400

interface DraftKeeperOptions {
  readonly editor: Pick<FlowEditor, 'read' | 'subscribe'>
  readonly drafts: Drafts
  readonly name: string
  /** The revision the draft is based on. */
  readonly base: () => number | null
  /** Called after each attempt with whether the browser stored the draft. */
  readonly onKept: (isKept: boolean) => void
}

/** Stores the draft shortly after each change. */
interface DraftKeeper {
  /** Stores pending changes at once. Returns whether this browser has all of them. */
  readonly keepNow: () => boolean
  /** Stores the draft even without pending changes: another window with the same flow may have discarded it. */
  readonly keepAgain: () => void
  /** Removes the draft until the next change. */
  readonly forget: () => void
  /** Stores pending changes, and then stops. */
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
