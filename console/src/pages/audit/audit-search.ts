import type { AuditType } from '../../api/responses.ts'
import { readText } from '../../parts/read-search.ts'

/** The search parameters of the Audit log: the filters, and the entry that is open. */
export interface AuditSearch {
  type?: AuditType
  account?: string
  entry?: number
}

/** Reads the address; what makes no sense is left out. */
export function readAuditSearch(address: Record<string, unknown>): AuditSearch {
  const type = readText(address['type'])
  const account = readText(address['account'])
  const entry = Number(address['entry'])
  return {
    ...(type !== undefined && isAuditType(type) ? { type } : {}),
    ...(account === undefined ? {} : { account }),
    ...(Number.isSafeInteger(entry) && entry > 0 ? { entry } : {}),
  }
}

/** The platform knows which ones there are, and says so; their list would only weigh on the first load. */
function isAuditType(text: string): text is AuditType {
  return /^(?:identity|cluster|models)\.[a-z_]+$/.test(text)
}
