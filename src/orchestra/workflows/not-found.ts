import type { Engine, Flow } from '#engine'
import type { Failure } from '#kernel/errors'
import { orchestraFailure } from '../errors.ts'

/** That a workflow is not there, with those that may have been meant. */
export async function noSuchWorkflow({ flows }: Pick<Engine, 'flows'>, id: string): Promise<Failure> {
  const suggestions = await flows.similarTo(id)
  const [likeliest] = suggestions
  return orchestraFailure('WORKFLOW_NOT_FOUND', {
    message: `There is no workflow "${id}".${likeliest === undefined ? '' : ` Is "${likeliest}" meant?`}`,
    details: { workflow_id: id, suggestions },
  })
}

export async function findWorkflow(engine: Pick<Engine, 'flows'>, id: string): Promise<Flow> {
  const flow = await engine.flows.find(id)
  if (flow === undefined) throw await noSuchWorkflow(engine, id)
  return flow
}
