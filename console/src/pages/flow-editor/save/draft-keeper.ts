import type { EditorState, FlowEditor } from '../document/flow-editor.ts'
import type { Drafts } from './drafts.ts'

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
export interface DraftKeeper {
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
