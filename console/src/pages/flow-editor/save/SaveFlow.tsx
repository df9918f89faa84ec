import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../../shell/notify.ts'
import type { Origin } from '../origin.ts'
import type { FlowProblem } from '../problems/problem.ts'
import type { Validation } from '../problems/use-validation.ts'
import { useEditing } from '../use-flow-editor.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { SaveDialog } from './SaveDialog.tsx'
import type { Conflict, Saving } from './save-flow.ts'

interface SaveFlowProps {
  readonly origin: Origin
  readonly validation: Validation
  /** The platform has this now. */
  readonly onSaved: (saved: Origin) => void
}

/** Saves the flow: asks for what is needed, and tells what came of it. */
export function SaveFlow({ origin, validation, onSaved }: SaveFlowProps) {
  const { state, editor, announce } = useEditing()
  const cache = useQueryClient()
  const [asks, setAsks] = useState<'nothing' | 'what to save' | Conflict>('nothing')
  const close = () => setAsks('nothing')
  const hindrance = hindranceOf({ origin, problems: validation.problems, isChanged: state.isChanged })

  function begin(): void {
    if (hindrance === null) return setAsks('what to save')
    announce(hindrance.words)
    if (hindrance.path !== undefined) editor.ask(hindrance.path)
  }

  async function finish(saving: Saving): Promise<void> {
    if ('conflict' in saving) return setAsks(saving.conflict)
    // There is nothing to be saved on top of any more: the other dialog knows what to do about it.
    if ('gone' in saving) return setAsks('what to save')
    const { saved, isNew } = saving
    onSaved(saved)
    close()
    const title = isNew
      ? `Saved as version ${saved.revision}`
      : `Nothing is different: it is still version ${saved.revision}`
    announce(`${title}.`)
    await Promise.all([cache.invalidateQueries({ queryKey: ['flows'] }), notify({ title })])
  }

  return (
    <>
      <Button
        size="compact-sm"
        data-save
        aria-disabled={hindrance !== null}
        title={hindrance?.words ?? 'Save'}
        aria-keyshortcuts="Control+S Meta+S"
        onClick={begin}
      >
        Save
      </Button>
      {asks === 'what to save' ? (
        <SaveDialog origin={origin} idTaken={validation.idTaken} onDone={finish} onClose={close} />
      ) : null}
      {typeof asks === 'object' ? (
        <ConflictDialog
          origin={origin}
          theirs={asks.theirs}
          note={asks.note}
          onSaved={onSaved}
          onDone={finish}
          onClose={close}
        />
      ) : null}
    </>
  )
}

interface Hindrance {
  readonly words: string
  /** Where to begin; undefined when there is nothing to be done. */
  readonly path?: string
}

/** Why saving now would make no sense; null when it would. */
function hindranceOf({
  origin,
  problems,
  isChanged,
}: {
  readonly origin: Origin
  readonly problems: readonly FlowProblem[]
  readonly isChanged: boolean
}): Hindrance | null {
  const errors = problems.filter(({ severity, path }) => severity === 'error' && !isAskedFor(origin, path))
  const [first] = errors
  if (first !== undefined) {
    const what = errors.length === 1 ? 'A problem has' : `${errors.length} problems have`
    return { words: `${what} to be solved before it can be saved.`, path: first.path }
  }
  return origin.flow !== null && !isChanged ? { words: 'There is nothing to save.' } : null
}

/** What the dialog asks for need not be there before. */
function isAskedFor({ flow }: Origin, path: string): boolean {
  return flow === null && (path === 'id' || path === 'label')
}
