import { type FlowDocument, isSameDocument } from '../document/flow-document.ts'
import type { FlowEditor } from '../document/flow-editor.ts'

/** A document that is known to be, or to be made on, a revision of the flow; null for a flow that nobody saved. */
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
        // Whoever saved has seen all that came before it.
        known = [saved]
        base = saved.revision
        return
      }
      remember()
      known = [...known, saved]
    },
  }
}
