import type { FlowDefinition } from '#engine'
import type { PlatformOptions } from '../../find-platform.ts'
import { printFlow } from '../../print-flow.ts'
import { connect } from '../platform-api.ts'
import { exitCodes, inPath } from '../remote-command.ts'
import type { RemoteFlow } from './flow-files.ts'

export interface ShowOptions extends PlatformOptions {
  readonly revision?: number
}

/** `tutti flows show` on a platform. */
export async function showFlowOfPlatform(id: string, { revision, ...options }: ShowOptions) {
  const api = await connect(options)
  const path = `/flows/${inPath(id)}${revision === undefined ? '' : `/versions/${revision}`}`
  const flow = await api.call<RemoteFlow>(path)
  printFlow({
    // The platform saves valid definitions only.
    definition: flow.flow_definition as unknown as FlowDefinition,
    metadata: flow.metadata,
    revision: flow.revision,
    currentRevision: flow.current_revision,
    note: flow.note,
  })
  return exitCodes.done
}
