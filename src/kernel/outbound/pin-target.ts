import { type Address, parseAddress, refusalOfAddress } from './address.ts'
import type { AllowList } from './allow-list.ts'
import { outboundFailure, refuse } from './errors.ts'
import type { LookupOptions, Resolve } from './name-resolver.ts'
import { isPrivateName, type Target } from './target.ts'

/** A target with checked addresses. The connection only goes to one of these. */
export interface PinnedTarget extends Target {
  readonly addresses: readonly string[]
}

/**
 * Resolves the target and checks every address of it. One refused address refuses the target, because names with a public and a private
 * address are used to attack internal services. Throws `outbound_refused` or `outbound_unresolvable`.
 */
export async function pinTarget(
  target: Target,
  allow: AllowList,
  resolve: Resolve,
  { confidential, ...lookup }: LookupOptions & { readonly confidential: boolean },
): Promise<PinnedTarget> {
  const { host, port } = target
  const isPlain = confidential && target.url.protocol === 'http:'
  const byName = allow.permissionByName(host, port)
  const privateName = byName === 'nothing' && isPrivateName(host)
  if (privateName && !allow.hasNetworks) throw refuse('private_name', host)

  const addresses =
    target.address === undefined ? await resolveAddresses(host, resolve, lookup) : [target.address]
  for (const address of addresses) {
    const byAddress = allow.permissionByAddress(address, port)
    if (byName === 'nothing' && byAddress === 'nothing') {
      const reason = refusalOfAddress(address) ?? (privateName ? 'private_name' : undefined)
      if (reason !== undefined) throw refuse(reason, `${host} is ${address.toString()}`)
      if (isPlain) throw refuse('not_encrypted', host)
    }
    if (blockedPorts.has(port) && byName !== 'port' && byAddress !== 'port')
      throw refuse('port', String(port))
  }
  return { ...target, addresses: addresses.map((address) => address.toString()) }
}

const maxAddresses = 64

async function resolveAddresses(host: string, resolve: Resolve, lookup: LookupOptions): Promise<Address[]> {
  let texts: readonly string[]
  try {
    texts = await resolve(host, lookup)
  } catch (cause) {
    throw outboundFailure('outbound_unresolvable', { cause })
  }
  if (texts.length === 0 || texts.length > maxAddresses) throw outboundFailure('outbound_unresolvable')
  return texts.map((text) => {
    const address = parseAddress(text)
    if (address === undefined)
      throw outboundFailure('outbound_unresolvable', { cause: new Error(`not an address: ${text}`) })
    return address
  })
}

/**
 * The "bad ports" of the Fetch standard, which browsers refuse too: services such as mail and shells could take a request for a command.
 * An allow-list entry with the port allows it.
 */
const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])
