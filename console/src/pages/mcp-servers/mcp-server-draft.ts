import type { McpServer } from './mcp-server-calls.ts'

/** The form state of a server: texts as typed. */
export interface McpServerDraft {
  readonly name: string
  readonly type: 'http' | 'stdio'
  readonly url: string
  /** `Name: value`, one per line. */
  readonly headers: string
  readonly command: string
  /** The arguments, one per line. */
  readonly args: string
  /** `NAME=value`, one per line. */
  readonly env: string
}

export const emptyDraft: McpServerDraft = {
  name: '',
  type: 'http',
  url: '',
  headers: '',
  command: '',
  args: '',
  env: '',
}

/** The form state of an existing server. The API does not return secret values: a name without one keeps the stored value. */
export function draftOf({ name, transport }: Pick<McpServer, 'name' | 'transport'>): McpServerDraft {
  const { type } = transport
  if (transport.type === 'http') {
    const headers = transport.headers.map((header) => `${header}:`).join('\n')
    return { ...emptyDraft, name, type, url: transport.url, headers }
  }
  const env = transport.env.map((variable) => `${variable}=`).join('\n')
  return { ...emptyDraft, name, type, command: transport.command, args: transport.args.join('\n'), env }
}

/** The transport for the request. */
export function transportOf(draft: McpServerDraft) {
  if (draft.type === 'http') {
    return { type: 'http' as const, url: draft.url.trim(), headers: valuesIn(draft.headers, ':') }
  }
  return {
    type: 'stdio' as const,
    command: draft.command.trim(),
    args: linesIn(draft.args),
    env: valuesIn(draft.env, '='),
  }
}

/** Whether saving changes the transport. The server is then checked again. */
export function isReachedAnew(draft: McpServerDraft, server: Pick<McpServer, 'name' | 'transport'>): boolean {
  return JSON.stringify(transportOf(draft)) !== JSON.stringify(transportOf(draftOf(server)))
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Parses named values; null keeps the stored value. */
function valuesIn(text: string, sign: string): Record<string, string | null> {
  const values = linesIn(text).map((line) => {
    const at = line.indexOf(sign)
    if (at < 0) return [line, null] as const
    const value = line.slice(at + 1).trim()
    return [line.slice(0, at).trim(), value === '' ? null : value] as const
  })
  return Object.fromEntries(values)
}
