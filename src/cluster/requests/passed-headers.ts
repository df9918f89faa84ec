import { callerHeader, continueHeader, gatewayHopHeader } from '../client/route.ts'

/** Hop-by-hop headers; `host` and the length are rewritten. */
export const ofTheConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
])

/** Request headers for this service only. */
const forUs = [
  'x-cluster-strategy',
  callerHeader,
  continueHeader,
  'x-priority',
  'content-length',
  gatewayHopHeader,
]
const credentials = ['authorization', 'x-api-key']
const maxSpellings = 512

interface FilterOptions {
  /** Whether the callers' credentials are forwarded to nodes; otherwise they are for this service. */
  readonly keepCredentials: boolean
  /** The name of this cluster in forwarded requests. */
  readonly via: string
}

/** Creates the filter of request headers that are forwarded, as alternating names and values. */
export function createHeaderFilter({
  keepCredentials,
  via,
}: FilterOptions): (raw: readonly string[]) => string[] {
  const dropped = new Set([...ofTheConnection, ...forUs, ...(keepCredentials ? [] : credentials)])
  // Clients spell a header the same way each time; caching saves the conversion to lower case.
  const fates = new Map<string, 'pass' | 'drop' | 'via'>()

  function fateOf(name: string): 'pass' | 'drop' | 'via' {
    const known = fates.get(name)
    if (known !== undefined) return known
    // A part of a head would keep the whole head in memory, with its credentials.
    const copy = Buffer.from(name, 'latin1').toString('latin1')
    const lower = copy.toLowerCase()
    const fate = lower === 'via' ? 'via' : dropped.has(lower) ? 'drop' : 'pass'
    if (fates.size < maxSpellings) fates.set(copy, fate)
    return fate
  }

  return (raw) => {
    const passed: string[] = []
    let passedBefore = ''
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index] ?? ''
      const value = raw[index + 1] ?? ''
      const fate = fateOf(name)
      if (fate === 'pass') passed.push(name, value)
      else if (fate === 'via') passedBefore += `${value}, `
    }
    passed.push('via', `${passedBefore}1.1 ${via}`)
    return passed
  }
}

/** Filters the response headers: all except those this service sets. Both as alternating names and values. */
export function headersForCaller(
  { headers }: { readonly headers: readonly string[] },
  own: string[],
): string[] {
  const passed: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (!isAmong(own, name)) passed.push(name, headers[index + 1] ?? '')
  }
  passed.push(...own)
  return passed
}

function isAmong(own: readonly string[], name: string): boolean {
  for (let index = 0; index < own.length; index += 2) {
    const candidate = own[index]
    if (candidate?.length === name.length && candidate === name.toLowerCase()) return true
  }
  return false
}
