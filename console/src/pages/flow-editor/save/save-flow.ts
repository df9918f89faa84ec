import { type Api, bodyOf } from '../../../api/api.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import type { WholeFlow } from '../../flows/flow-queries.ts'
import type { FlowDocument } from '../document/flow-document.ts'
import type { Origin } from '../origin.ts'

/** The outcome of saving: a revision, a conflict with another user's version, or a deleted flow. */
export type Saving =
  | { readonly saved: Origin; readonly isNew: boolean }
  | { readonly conflict: Conflict }
  | { readonly gone: true }

/** Another user saved meanwhile. */
export interface Conflict {
  readonly theirs: WholeFlow
  /** What was to be told about the version that was not saved. */
  readonly note: string
}

interface WantedSave {
  readonly flow: string | null
  /** The revision that the document was made on. */
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
    // There are conflicts of other kinds, which their own words tell.
    if (theirs.current_revision === base) throw error
    return { conflict: { theirs, note } }
  }
}

function savedAs(flow: string, revision: number, document: FlowDocument) {
  return { saved: { flow, revision, copyOf: null, document }, isNew: true }
}

/** That an id is taken belongs to the field of the id. */
function tellTaken(error: unknown): never {
  if (!(error instanceof ApiFailure) || error.status !== 409) throw error
  const { status, code, message, requestId } = error
  const problems = [{ path: 'id', message: 'is already used by another flow' }]
  throw new ApiFailure({ status, code, message, requestId, problems, cause: error })
}
