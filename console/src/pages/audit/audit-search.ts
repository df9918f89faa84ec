import type { AuditType } from '../../api/responses.ts'
import { readText } from '../../parts/read-search.ts'

/** The search parameters of the Audit log: the filters, and the open entry. */
export interface AuditSearch {
  type?: AuditType
  account?: string
  entry?: number
}

/** Parses the search parameters and drops invalid values. */
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

/** The server validates the exact type. A list of all types here would enlarge the first load. */
function isAuditType(text: string): text is AuditType {
  return /^(?:identity|cluster|models)\.[a-z_]+$/.test(text)
}
