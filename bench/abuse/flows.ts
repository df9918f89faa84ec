/** The steps of the flows of the benchmark. */

/** Ends at once, without a call. */
export const greet = {
  id: 'greet',
  type: 'data_transform',
  transformations: [{ operation: 'generate_summary', template: 'Hello' }],
}

/** Calls a service. */
export function callService(url: string, more: object = {}, id = 'call'): object {
  return { id, type: 'external_api', api: { url, ...more } }
}

export const executeFlow = '/ai-workflows/api/execute-flow'
export const executeFlowAsync = '/ai-workflows/api/execute-flow-async'
