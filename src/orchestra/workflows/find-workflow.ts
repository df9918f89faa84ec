import type { Engine, Flow } from '#engine'
import type { Failure } from '#kernel/errors'
import { orchestraFailure } from '../errors.ts'

/** The failure for an unknown workflow, with similar ids. */
export async function noSuchWorkflow({ flows }: Pick<Engine, 'flows'>, id: string): Promise<Failure> {
  const suggestions = await flows.similarTo(id)
  const [best] = suggestions
  return orchestraFailure('WORKFLOW_NOT_FOUND', {
    message: `There is no workflow "${id}".${best === undefined ? '' : ` Is "${best}" meant?`}`,
    details: { workflow_id: id, suggestions },
  })
}

/** Throws `WORKFLOW_NOT_FOUND`. */
export async function findWorkflow(engine: Pick<Engine, 'flows'>, id: string): Promise<Flow> {
  const flow = await engine.flows.find(id)
  if (flow === undefined) throw await noSuchWorkflow(engine, id)
  return flow
}
