import { runPlainly } from '../database/engine-setting.ts'
import {
  type FlowsPlatform,
  type FlowsPlatformOptions,
  openFlowsPlatform,
  type RunStep,
} from '../support/flows-platform.ts'
import type { OpenPlatformOptions } from '../support/platform.ts'
import { unlimitedReads } from './request-limits.ts'

export type WorkflowsServer = FlowsPlatform

interface WorkflowsServerOptions
  extends Omit<FlowsPlatformOptions, 'runStep'>,
    Pick<OpenPlatformOptions, 'cancelWaitMs' | 'wrapLimiter'> {
  readonly runStep?: RunStep
}

/** `nora` and `otto` run workflows, `mara` manages them, `vera` may only read analytics. */
const permissionsOf = {
  nora: ['run workflows', 'manage webhooks'],
  otto: ['run workflows', 'manage webhooks'],
  mara: ['run workflows', 'manage workflows', 'view workflow analytics', 'manage webhooks'],
  vera: ['view workflow analytics'],
}

/** A platform without built-in flows and without a limit of reads per second, for tests of the Workflows API. */
export async function startWorkflowsServer(options: WorkflowsServerOptions = {}): Promise<WorkflowsServer> {
  const { runStep = runPlainly } = options
  return await openFlowsPlatform(
    { seed: false, microDollarsPerDay: 1e9, ...unlimitedReads, ...options, runStep: () => runStep },
    { prefix: '/ai-workflows/api', permissionsOf },
  )
}
