import { once } from 'node:events'
import { createServer } from 'node:net'
import { bad, type Finding, good } from './finding.ts'

export interface PortToCheck {
  readonly purpose: string
  readonly host: string
  readonly port: number
  readonly variable: string
}

/** A port is well when it is free, or when a Tutti that runs already has it. */
export async function checkPort({ purpose, host, port, variable }: PortToCheck): Promise<Finding> {
  if (port === 0) return good(`${purpose}: any free port`)
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    return good(`${purpose}: port ${port} is free`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' && (await isTutti(host, port)))
      return good(`${purpose}: Tutti is running on port ${port}`)
    if (code === 'EADDRINUSE') {
      return bad(
        `${purpose}: port ${port} is taken by another program`,
        `Stop it, or set ${variable} to another port.`,
      )
    }
    return bad(
      `${purpose}: cannot listen on ${host}:${port} (${code ?? 'unknown reason'})`,
      `Set ${variable} to a port above 1023 on an address of this machine.`,
    )
  } finally {
    server.close()
  }
}

async function isTutti(host: string, port: number): Promise<boolean> {
  const reachable =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  try {
    const answer = await fetch(`http://${reachable}:${port}/healthz`, { signal: AbortSignal.timeout(2000) })
    const body: unknown = await answer.json()
    return JSON.stringify(body) === '{"status":"alive"}'
  } catch {
    return false
  }
}
