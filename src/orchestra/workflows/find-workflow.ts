import type { Engine, Flow } from '#engine'
import { Failure, kernelFailure } from '#kernel/errors'
import { orchestraFailure } from '../errors.ts'

/** The failure for an unknown workflow, with similar ids. */
async function noSuchWorkflow({ flows }: Pick<Engine, 'flows'>, id: string): Promise<Failure> {
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

/** Runs an operation of the engine, and rethrows its failures about flows and steps as failures about workflows and agents. */
export async function asWorkflowFailures<Result>(
  engine: Pick<Engine, 'flows'>,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'flow_not_found') throw await noSuchWorkflow(engine, id)
    if (error.code !== 'invalid_flow_definition') throw error
    const problems = error.problems.map((problem) => ({ ...problem, path: toAgentPath(problem.path) }))
    throw kernelFailure('invalid_input', {
      message: `The workflow is invalid. ${problems[0]?.path ?? ''}: ${problems[0]?.message ?? ''}.`,
      problems,
    })
  }
}

/** The n-th agent of a request is the n-th step of the flow. */
function toAgentPath(path: string): string {
  return path.replace(/^steps(?=\[|$)/, 'agents')
}
