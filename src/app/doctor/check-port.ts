import { once } from 'node:events'
import { createServer } from 'node:net'
import { addressOf, type Place } from '../places.ts'
import { bad, type Finding, good } from './finding.ts'

/** A port is well when it is free, or when a Tutti that runs already has it. */
export async function checkPort({ purpose, host, port, variables }: Place): Promise<Finding> {
  if (port === 0) return good(`${purpose}: any free port`)
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    return good(`${purpose}: port ${port} is free`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES') {
      return bad(`${purpose}: port ${port} needs more rights`, `Set ${variables.port} to a port above 1023.`)
    }
    if (code !== 'EADDRINUSE') {
      return bad(
        `${purpose}: this machine has no address ${host}`,
        `Set ${variables.host} to one it has, such as 127.0.0.1.`,
      )
    }
    if (await isTutti(addressOf(host, port))) return good(`${purpose}: Tutti is running on port ${port}`)
    return bad(
      `${purpose}: port ${port} is taken by another program`,
      `Stop it, or set ${variables.port} to another port.`,
    )
  } finally {
    server.close()
  }
}

async function isTutti(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(2000) })
    const body: unknown = await answer.json()
    return JSON.stringify(body) === '{"status":"alive"}'
  } catch {
    return false
  }
}
