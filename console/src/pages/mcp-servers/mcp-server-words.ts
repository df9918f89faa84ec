import type { Tone } from '../../parts/Status.tsx'
import type { McpServer } from './mcp-server-calls.ts'

interface Words {
  readonly tone: Tone
  readonly word: string
}

/** The display names of the states. */
export const serverStates: Readonly<Record<McpServer['state'], Words>> = {
  online: { tone: 'good', word: 'Online' },
  degraded: { tone: 'warn', word: 'Degraded' },
  offline: { tone: 'bad', word: 'Offline' },
  unknown: { tone: 'busy', word: 'Not checked' },
  disabled: { tone: 'idle', word: 'Disabled' },
}

/** The URL or the command line of a server. */
export function describeTransport({ transport }: Pick<McpServer, 'transport'>): string {
  return transport.type === 'http' ? transport.url : [transport.command, ...transport.args].join(' ')
}

export function describeTools({ tools_total: total }: Pick<McpServer, 'tools_total'>): string {
  return total === 1 ? '1 tool' : `${total.toLocaleString()} tools`
}
