import type { WholeFlow } from './flow-queries.ts'

interface FlowFile {
  readonly flow?: { readonly flow_definition: object; readonly metadata?: object }
  readonly problem?: string
}

/** The export format of a flow: the body of `POST /flows`. */
export function writeFlowFile({
  flow_definition,
  metadata,
}: {
  readonly flow_definition: object
  readonly metadata: object
}): string {
  return `${JSON.stringify({ flow_definition, metadata }, null, 2)}\n`
}

/** Parses an exported flow, or a definition alone. The server validates the content. */
export function readFlowFile(text: string): FlowFile {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return { problem: 'The definition must be a JSON object in braces.' }
    const { flow_definition: definition, metadata } = value
    if (isObject(definition)) {
      return { flow: { flow_definition: definition, ...(isObject(metadata) ? { metadata } : {}) } }
    }
    if (Array.isArray(value['steps'])) return { flow: { flow_definition: value } }
    return { problem: 'This is not a workflow: “flow_definition” or “steps” is missing.' }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Downloads a workflow as a file that Import accepts, on this or another platform. */
export function downloadFlow(flow: WholeFlow): void {
  const address = URL.createObjectURL(new Blob([writeFlowFile(flow)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${flow.id}.flow.json`
  link.click()
  URL.revokeObjectURL(address)
}
