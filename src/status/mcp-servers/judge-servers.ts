import type { ProbeResult } from '../services/service.ts'
import type { McpCount } from './store.ts'

const mostNamed = 5

/**
 * All servers as one service. Those that are switched off, and those that nobody has looked at yet, do not count.
 *
 * | of those that count             | the service is |
 * |---------------------------------|----------------|
 * | there are none                  | unconfigured   |
 * | all are online                  | online         |
 * | all are offline                 | offline        |
 * | anything else                   | degraded       |
 */
export function judgeServers(count: McpCount): ProbeResult {
  const { online, degraded, offline, slowestMs, names } = count
  const looked = online + degraded + offline
  if (looked === 0) {
    const problem = count.enabled === 0 ? 'No MCP server is registered.' : 'No MCP server was looked at yet.'
    return { state: 'unconfigured', problem }
  }
  // Null where only programs answer, or nobody: how long it takes to read this here says nothing about them.
  const responseMs = slowestMs
  if (online === looked) return { state: 'online', problem: null, responseMs }
  const told = `${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ', …' : ''}`
  const problem = `${offline + degraded} of ${looked} MCP servers ${offline + degraded === 1 ? 'is' : 'are'} not well: ${told}.`
  return { state: offline === looked ? 'offline' : 'degraded', problem, responseMs }
}
