import type { Engine } from '#engine'
import { Failure, kernelFailure } from '#kernel/errors'
import { noSuchWorkflow } from './find-workflow.ts'

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
