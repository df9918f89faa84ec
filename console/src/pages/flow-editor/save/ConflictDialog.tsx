import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { WholeFlow } from '../../flows/flow-bodies.ts'
import { diffQuery } from '../../flows/flow-queries.ts'
import { type Origin, originOf } from '../origin.ts'
import { useEditing } from '../use-flow-editor.ts'
import styles from './ConflictDialog.module.css'
import { Dialog, DialogFoot, DialogText } from './Dialog.tsx'
import { type Saving, saveFlow } from './save-flow.ts'

interface ConflictDialogProps {
  readonly origin: Origin
  /** What somebody else saved in between. */
  readonly theirs: WholeFlow
  /** What was to be told about the version that was not saved. */
  readonly note: string
  /** The platform has this now. */
  readonly onSaved: (saved: Origin) => void
  readonly onDone: (saving: Saving) => Promise<void>
  readonly onClose: () => void
}

/** Somebody else saved in between: what they changed, and what may become of both. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { origin, theirs, note, onSaved, onDone, onClose } = props
  const api = useApi()
  const { editor, announce } = useEditing()
  const { current_revision: newest, saved_at: savedAt } = theirs
  const save = useMutation({
    mutationFn: () =>
      saveFlow(api, { flow: origin.flow, base: newest, document: editor.read().document, note }),
    onSuccess: onDone,
  })
  const saveOnTop = () => {
    if (!save.isPending) save.mutate()
  }
  const loadTheirs = () => {
    const loaded = originOf(theirs)
    onSaved(loaded)
    editor.change({ what: `loading version ${newest}` }, () => loaded.document)
    announce(`Version ${newest} is loaded. Undo brings back what you made.`)
    onClose()
  }
  return (
    <Dialog title={`Somebody else saved version ${newest}`} onClose={onClose}>
      <DialogText>
        <p>
          It was saved <RelativeTime at={new Date(savedAt * 1000).toISOString()} />
          {theirs.note === null ? '' : ` (“${theirs.note}”)`}, and yours is made on version {origin.revision}.
          Nothing of yours is lost, and theirs stays among the versions whatever you choose.
        </p>
      </DialogText>
      <TheirChanges id={theirs.id} from={origin.revision ?? 1} to={newest} />
      {save.error === null ? null : (
        <FailureNotice
          what="Nothing was saved. Your changes are still here."
          error={save.error}
          onRetry={saveOnTop}
        />
      )}
      <DialogFoot>
        <Button size="sm" variant="default" data-autofocus onClick={onClose}>
          Keep editing
        </Button>
        <Button size="sm" variant="default" onClick={loadTheirs}>
          Load theirs
        </Button>
        <Button size="sm" aria-disabled={save.isPending} onClick={saveOnTop}>
          Save mine on top
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function TheirChanges({ id, from, to }: { id: string; from: number; to: number }) {
  const { data, failure, refetch } = useAnswer(diffQuery(useApi(), { id, from, to }))
  if (data === undefined) {
    return failure === null ? (
      <Skeleton width={280} />
    ) : (
      <FailureNotice
        what="What they changed could not be read."
        error={failure}
        onRetry={() => void refetch()}
      />
    )
  }
  const lines = data.summary.length === 0 ? ['Nothing is different.'] : data.summary
  return (
    <section className={styles['changes']} aria-label="What they changed" tabIndex={0}>
      <h3>What they changed</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}
