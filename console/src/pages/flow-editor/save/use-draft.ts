import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { isSameDocument } from '../document/flow-document.ts'
import { createFlowEditor, type FlowEditor } from '../document/flow-editor.ts'
import type { Origin } from '../origin.ts'
import { browserDrafts } from './browser-drafts.ts'
import { createDraftKeeper, type DraftKeeper } from './draft-keeper.ts'
import { draftName, type KeptDraft } from './drafts.ts'
import { createLineage } from './lineage.ts'

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
  /** The platform has this now: because it was just saved, or because somebody else saved it. */
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
      editor.change({ what: 'throwing the draft away' }, () => origin.document)
    },
    keepNow: () => keeper.current?.keepNow() ?? false,
    forget: () => keeper.current?.forget(),
  }
}
