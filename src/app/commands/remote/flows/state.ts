import { connect } from '../platform-api.ts'
import { exitCodes, inPath, printJson, type RemoteOptions } from '../remote-command.ts'

interface FlowState {
  readonly flow_id: string
  readonly enabled: boolean
  readonly status: 'enabled' | 'disabled' | 'unchanged'
}

/** `tutti flows enable` and `tutti flows disable` */
export async function enableFlow(id: string, enabled: boolean, { json, ...options }: RemoteOptions) {
  const api = await connect(options)
  const state = await api.call<FlowState>(`/flows/${inPath(id)}`, { method: 'PATCH', body: { enabled } })
  if (json === true) printJson(state)
  else {
    const was = state.status === 'unchanged' ? 'was already' : 'is'
    console.log(
      `The flow ${state.flow_id} ${was} ${enabled ? 'enabled' : 'disabled: it is not started until it is enabled'}.`,
    )
  }
  return exitCodes.done
}
