import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Api, bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Form } from '../../../parts/Form.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { notify } from '../../../shell/notify.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { diffQuery, type WholeFlow } from '../../workflows/flow-queries.ts'
import { setFlowValue } from '../document/edits.ts'
import type { FlowDocument } from '../document/flow-document.ts'
import { type Origin, originOf } from '../origin.ts'
import type { FlowProblem } from '../problems/problem.ts'
import type { Validation } from '../problems/use-validation.ts'
import { useEditing } from '../use-flow-editor.ts'
import { Dialog, DialogFoot, DialogText } from './Dialog.tsx'
import { RefusedPlaces } from './RefusedPlaces.tsx'
import styles from './SaveFlow.module.css'

interface SaveFlowProps {
  readonly origin: Origin
  readonly validation: Validation
  /** Called with the saved flow. */
  readonly onSaved: (saved: Origin) => void
}

/** The save button with its dialogs: it requests missing fields, and reports the result. */
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
    // The flow was deleted meanwhile: the save dialog offers to create it again.
    if ('gone' in saving) return setAsks('what to save')
    const { saved, isNew } = saving
    onSaved(saved)
    close()
    const title = isNew ? `Saved as version ${saved.revision}` : `No changes: still version ${saved.revision}`
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
  /** The path to open; undefined without one. */
  readonly path?: string
}

/** Why the flow cannot be saved now; null when it can. */
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
  return origin.flow !== null && !isChanged ? { words: 'No changes to save.' } : null
}

/** Fields of the save dialog may be missing before it opens. */
function isAskedFor({ flow }: Origin, path: string): boolean {
  return flow === null && (path === 'id' || path === 'label')
}

interface ConflictDialogProps {
  readonly origin: Origin
  /** The version another user saved meanwhile. */
  readonly theirs: WholeFlow
  /** The note of the version that was not saved. */
  readonly note: string
  /** Called with the saved flow. */
  readonly onSaved: (saved: Origin) => void
  readonly onDone: (saving: Saving) => Promise<void>
  readonly onClose: () => void
}

/** A save conflict: the other user's changes, and the choice between both versions. */
function ConflictDialog(props: ConflictDialogProps) {
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
    announce(`Version ${newest} is loaded. Undo restores your changes.`)
    onClose()
  }
  return (
    <Dialog title={`Version ${newest} was saved by another user`} onClose={onClose}>
      <DialogText>
        <p>
          It was saved <RelativeTime at={new Date(savedAt * 1000).toISOString()} />
          {theirs.note === null ? '' : ` (“${theirs.note}”)`}, and your changes are based on version{' '}
          {origin.revision}. Nothing is lost: their version stays in the version list whatever you choose.
        </p>
      </DialogText>
      <TheirChanges id={theirs.id} from={origin.revision ?? 1} to={newest} />
      {save.error === null ? null : (
        <FailureNotice
          what="The workflow was not saved. Your changes are still here."
          error={save.error}
          onRetry={saveOnTop}
        />
      )}
      <DialogFoot>
        <Button size="sm" variant="default" data-autofocus onClick={onClose}>
          Keep editing
        </Button>
        <Button size="sm" variant="default" onClick={loadTheirs}>
          Load their version
        </Button>
        <Button size="sm" aria-disabled={save.isPending} onClick={saveOnTop}>
          Save my version
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function TheirChanges({ id, from, to }: { id: string; from: number; to: number }) {
  const { data, failure, refetch } = useApiQuery(diffQuery(useApi(), { id, from, to }))
  if (data === undefined) {
    return failure === null ? (
      <Skeleton width={280} />
    ) : (
      <FailureNotice
        what="Their changes could not be loaded."
        error={failure}
        onRetry={() => void refetch()}
      />
    )
  }
  const lines = data.summary.length === 0 ? ['No differences.'] : data.summary
  return (
    <section className={styles['changes']} aria-label="Their changes" tabIndex={0}>
      <h3>Their changes</h3>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}

interface SaveDialogProps {
  readonly origin: Origin
  readonly idTaken: boolean
  readonly onDone: (saving: Saving) => Promise<void>
  readonly onClose: () => void
}

/** Requests the name of a new flow, and a note about the changes. */
function SaveDialog({ origin, idTaken, onDone, onClose }: SaveDialogProps) {
  const { editor } = useEditing()
  const { flow, revision: base } = origin
  const [note, setNote] = useState('')
  const [isGone, setGone] = useState(false)
  const submission = useSubmission({
    fields: ['id', 'label', 'note'],
    send: (api) =>
      saveFlow(api, { flow: isGone ? null : flow, base, document: editor.read().document, note }),
    onDone: (saving) => ('gone' in saving ? setGone(true) : onDone(saving)),
  })
  const refused = submission.failure instanceof ApiFailure ? submission.failure.problems : []
  return (
    <Dialog
      title={flow === null ? 'Save workflow' : isGone ? 'Recreate workflow' : 'Save new version'}
      onClose={onClose}
      holdsInput
    >
      <Form
        submission={submission}
        submitLabel="Save"
        failureSentence="The workflow was not saved. Your changes are still here."
        onCancel={onClose}
      >
        {isGone ? <p role="alert">This workflow was deleted meanwhile. Saving creates it again.</p> : null}
        {flow === null ? <NameFields idTaken={idTaken} problemOf={submission.problemOf} /> : null}
        <TextInput
          label="Change note"
          description="Optional. Shown in the list of versions."
          maxLength={1000}
          {...(flow === null ? {} : { 'data-autofocus': true })}
          value={note}
          error={submission.problemOf('note')}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <RefusedPlaces
          problems={refused}
          onOpen={(path) => {
            onClose()
            editor.ask(path)
          }}
        />
      </Form>
    </Dialog>
  )
}

interface NameFieldsProps {
  readonly idTaken: boolean
  readonly problemOf: (field: string) => string | undefined
}

/** Label and ID, written directly to the flow. The ID follows the label until the user edits it. */
function NameFields({ idTaken, problemOf }: NameFieldsProps) {
  const { editor, state } = useEditing()
  const { id, label } = state.document.definition
  const [follows, setFollows] = useState(id === '' || id === idFromLabel(label))
  return (
    <>
      <TextInput
        label="Label"
        description="Display name."
        data-autofocus
        maxLength={200}
        value={label}
        error={problemOf('label')}
        onChange={({ currentTarget: { value } }) =>
          editor.change({ what: 'the label of the workflow', group: 'flow label' }, (document) => {
            const labelled = setFlowValue(document, ['label'], value)
            return follows ? setFlowValue(labelled, ['id'], idFromLabel(value)) : labelled
          })
        }
      />
      <TextInput
        label="ID"
        description="Permanent ID in URLs and the API: lower-case letters, digits, hyphens and underscores."
        maxLength={64}
        value={id}
        error={idTaken ? 'Already used by another workflow.' : problemOf('id')}
        onChange={({ currentTarget: { value } }) => {
          setFollows(false)
          editor.change({ what: 'the id of the workflow', group: 'flow id' }, (document) =>
            setFlowValue(document, ['id'], value),
          )
        }}
      />
    </>
  )
}

/** The outcome of saving: a revision, a conflict with another user's version, or a deleted flow. */
type Saving =
  | { readonly saved: Origin; readonly isNew: boolean }
  | { readonly conflict: Conflict }
  | { readonly gone: true }

/** Another user saved meanwhile. */
interface Conflict {
  readonly theirs: WholeFlow
  /** The note of the version that was not saved. */
  readonly note: string
}

interface WantedSave {
  readonly flow: string | null
  /** The revision that the document is based on. */
  readonly base: number | null
  readonly document: FlowDocument
  readonly note: string
}

/** Saves a flow, as a new one or as a new revision. Other users' versions are never overwritten. */
export async function saveFlow(api: Api, { flow, base, document, note }: WantedSave): Promise<Saving> {
  // A draft may be any JSON; the server validates it.
  const body = {
    flow_definition: document.definition as never,
    metadata: document.metadata as never,
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  }
  if (flow === null) {
    const made = await bodyOf(api.client.POST('/ai-workflows/api/flows', { body })).catch(tellTaken)
    return savedAs(made.flow_id, made.deployment_info.revision, document)
  }
  const params = { path: { id: flow } }
  const expected = base === null ? {} : { expected_version: base }
  try {
    const { status, deployment_info: info } = await bodyOf(
      api.client.PUT('/ai-workflows/api/flows/{id}', { params, body: { ...body, ...expected } }),
    )
    return { ...savedAs(flow, info.revision, document), isNew: status !== 'unchanged' }
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return { gone: true }
    if (!(error instanceof ApiFailure) || error.status !== 409) throw error
    const theirs = await bodyOf(api.client.GET('/ai-workflows/api/flows/{id}', { params }))
    // Conflicts of other kinds keep the message of the server.
    if (theirs.current_revision === base) throw error
    return { conflict: { theirs, note } }
  }
}

function savedAs(flow: string, revision: number, document: FlowDocument) {
  return { saved: { flow, revision, copyOf: null, document }, isNew: true }
}

/** Converts a taken ID into a problem of the ID field. */
function tellTaken(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.status !== 409) throw error
  const { status, code, message, requestId } = error
  const problems = [{ path: 'id', message: 'is already used by another workflow' }]
  throw new ApiFailure({ status, code, message, requestId, problems, cause: error })
}

/** A valid flow ID made from a label. */
export function idFromLabel(label: string): string {
  return label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 64)
    .replace(/-+$/, '')
}
