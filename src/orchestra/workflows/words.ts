import type { Engine } from '#engine'
import { Failure, kernelFailure } from '#kernel/errors'
import { noSuchWorkflow } from './not-found.ts'

/** Does something with a workflow; what the engine says of flows and steps is said of workflows and agents instead. */
export async function inWordsOfWorkflows<Made>(
  engine: Pick<Engine, 'flows'>,
  id: string,
  work: () => Promise<Made>,
): Promise<Made> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code === 'flow_not_found') throw await noSuchWorkflow(engine, id)
    if (error.code !== 'invalid_flow_definition') throw error
    const problems = error.problems.map((problem) => ({ ...problem, path: ofAgents(problem.path) }))
    throw kernelFailure('invalid_input', {
      message: `The workflow cannot be saved as it is. ${problems[0]?.path ?? ''}: ${problems[0]?.message ?? ''}.`,
      problems,
    })
  }
}

/** Each agent of a request became the step of the same place. */
function ofAgents(path: string): string {
  return path.replace(/^steps(?=\[|$)/, 'agents')
}
