import type { McpServer } from './mcp-server-calls.ts'

/** A server as it is being written: texts as they were typed. */
export interface McpServerDraft {
  readonly name: string
  readonly type: 'http' | 'stdio'
  readonly url: string
  /** `Name: value`, one on each line. */
  readonly headers: string
  readonly command: string
  /** One on each line. */
  readonly args: string
  /** `NAME=value`, one on each line. */
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

/** The draft that would make a server as it is. Values are not known any more: a name without one keeps it. */
export function draftOf({ name, transport }: Pick<McpServer, 'name' | 'transport'>): McpServerDraft {
  const { type } = transport
  if (transport.type === 'http') {
    const headers = transport.headers.map((header) => `${header}:`).join('\n')
    return { ...emptyDraft, name, type, url: transport.url, headers }
  }
  const env = transport.env.map((variable) => `${variable}=`).join('\n')
  return { ...emptyDraft, name, type, command: transport.command, args: transport.args.join('\n'), env }
}

/** How it is reached, as the platform wants to be told. */
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

/** Whether saving would change how the server is reached: then all that is known of it is found out anew. */
export function isReachedAnew(draft: McpServerDraft, server: Pick<McpServer, 'name' | 'transport'>): boolean {
  return JSON.stringify(transportOf(draft)) !== JSON.stringify(transportOf(draftOf(server)))
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Null keeps what is stored under the name. */
function valuesIn(text: string, sign: string): Record<string, string | null> {
  const values = linesIn(text).map((line) => {
    const at = line.indexOf(sign)
    if (at < 0) return [line, null] as const
    const value = line.slice(at + 1).trim()
    return [line.slice(0, at).trim(), value === '' ? null : value] as const
  })
  return Object.fromEntries(values)
}
