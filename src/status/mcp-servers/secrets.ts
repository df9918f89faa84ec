import type { Sealing, Seat } from '#kernel/sealing'
import type { McpServerRow, Secrets } from './server.ts'

const seatOf = (id: string): Seat => ({ purpose: 'mcp-server', place: id })

/** Null when there is nothing to hide. */
export async function sealSecrets(
  sealing: Pick<Sealing, 'seal'>,
  id: string,
  secrets: Secrets,
): Promise<string | null> {
  if (Object.keys(secrets).length === 0) return null
  return await sealing.seal(JSON.stringify(secrets), seatOf(id))
}

export async function openSecrets(
  sealing: Pick<Sealing, 'open'>,
  { id, secrets }: Pick<McpServerRow, 'id' | 'secrets'>,
): Promise<Secrets> {
  if (secrets === null) return {}
  return JSON.parse(await sealing.open(secrets, seatOf(id))) as Secrets
}
