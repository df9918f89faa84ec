import {
  type FlowsPlatform,
  type FlowsPlatformOptions,
  openFlowsPlatform,
  shareFlowsPlatform,
} from '../support/flows-platform.ts'
import type { OpenPlatformOptions } from '../support/platform.ts'
import { unlimitedReads } from './request-limits.ts'

export type OrchestraServer = FlowsPlatform
export type OrchestraServerOptions = FlowsPlatformOptions &
  Pick<OpenPlatformOptions, 'cancelWaitMs' | 'liveStatusEveryMs' | 'wrapLimiter'>

/** `nora` and `otto` run workflows, `mara` manages them, `vera` may only read analytics. */
const permissionsOf = {
  nora: ['run workflows', 'manage webhooks'],
  otto: ['run workflows'],
  mara: ['run workflows', 'manage workflows', 'view workflow analytics', 'manage webhooks'],
  vera: ['view workflow analytics'],
}

const api = { prefix: '/ai-orchestra/api', permissionsOf }

/** A platform that measures often and has no limit of reads per second, for tests of the Orchestra API. */
export async function startOrchestraServer(options: OrchestraServerOptions = {}): Promise<OrchestraServer> {
  return await openFlowsPlatform(
    {
      metricsHistory: { sampleEveryMs: 200, gaugeEveryMs: 50, flushEveryMs: 500 },
      ...unlimitedReads,
      ...options,
    },
    api,
  )
}

/** The platform that test files share, for files that look only at executions of their own. */
export async function shareOrchestraServer(): Promise<OrchestraServer> {
  return await shareFlowsPlatform(api)
}
