import { setTimeout } from 'node:timers/promises'
import { runPlainly } from '../database/engine-setting.ts'
import type { Calls } from '../support/calls.ts'
import {
  type FlowsPlatform,
  type FlowsPlatformOptions,
  openFlowsPlatform,
  type RunStep,
} from '../support/flows-platform.ts'

export type WorkflowsServer = FlowsPlatform

interface WorkflowsServerOptions extends Omit<FlowsPlatformOptions, 'runStep'> {
  readonly runStep?: RunStep
}

/** `nora` and `otto` run workflows, `mara` manages them, `vera` may only read analytics. */
const permissionsOf = {
  nora: ['run workflows', 'manage webhooks'],
  otto: ['run workflows', 'manage webhooks'],
  mara: ['run workflows', 'manage workflows', 'view workflow analytics', 'manage webhooks'],
  vera: ['view workflow analytics'],
}

/** A platform without built-in flows, for tests of the Workflows API. */
export async function startWorkflowsServer(options: WorkflowsServerOptions = {}): Promise<WorkflowsServer> {
  const { runStep = runPlainly } = options
  const platform = await openFlowsPlatform(
    { seed: false, microDollarsPerDay: 1e9, ...options, runStep: () => runStep },
    { prefix: '/ai-workflows/api', permissionsOf },
  )

  /** Reads and controls are limited to ten in a second, which these tests do not test: they wait for the next second. */
  const call: Calls['call'] = async (path, how) => {
    const answer = await platform.call(path, how)
    if (answer.status !== 429 || answer.headers.get('x-ratelimit-limit') !== '10') return answer
    await setTimeout(Number(answer.headers.get('retry-after')) * 1000)
    return await call(path, how)
  }

  return {
    ...platform,
    call,
    post: (path, body, how = {}) => call(path, { ...how, method: 'POST', body }),
  }
}
