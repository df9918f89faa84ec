import { type Address, judgeAddress, parseAddress } from './address.ts'
import type { AllowList } from './allow-list.ts'
import { blockedPorts } from './blocked-ports.ts'
import { outboundFailure, refuse } from './errors.ts'
import type { LookupOptions, Resolve } from './names/name-resolver.ts'
import { isPrivateName, type Target } from './target.ts'

/** A target whose addresses were checked. The connection goes to one of these and to nothing else. */
export interface PinnedTarget extends Target {
  readonly addresses: readonly string[]
}

/**
 * Looks the target up and checks every address of it. One refused address refuses the target: a name that answers with
 * a public and a private address is how name servers are used to reach inside.
 */
export async function pinTarget(
  target: Target,
  allow: AllowList,
  resolve: Resolve,
  lookup: LookupOptions,
): Promise<PinnedTarget> {
  const { host, port } = target
  const byName = allow.openingByName(host, port)
  const privateName = byName === 'nothing' && isPrivateName(host)
  if (privateName && !allow.namesAddresses) throw refuse('private_name', host)

  const addresses =
    target.address === undefined ? await resolveAddresses(host, resolve, lookup) : [target.address]
  for (const address of addresses) {
    const byAddress = allow.openingByAddress(address, port)
    if (byName === 'nothing' && byAddress === 'nothing') {
      const reason = judgeAddress(address) ?? (privateName ? 'private_name' : undefined)
      if (reason !== undefined) throw refuse(reason, `${host} is ${address.toString()}`)
    }
    if (blockedPorts.has(port) && byName !== 'port' && byAddress !== 'port')
      throw refuse('port', String(port))
  }
  return { ...target, addresses: addresses.map((address) => address.toString()) }
}

const mostAddresses = 64

async function resolveAddresses(host: string, resolve: Resolve, lookup: LookupOptions): Promise<Address[]> {
  let texts: readonly string[]
  try {
    texts = await resolve(host, lookup)
  } catch (cause) {
    throw outboundFailure('outbound_unresolvable', { cause })
  }
  if (texts.length === 0 || texts.length > mostAddresses) throw outboundFailure('outbound_unresolvable')
  return texts.map((text) => {
    const address = parseAddress(text)
    if (address === undefined)
      throw outboundFailure('outbound_unresolvable', { cause: new Error(`no address: ${text}`) })
    return address
  })
}
