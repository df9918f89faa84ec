import { UserError } from '#kernel/errors'
import { count, oneLine, terminalWidth, writeTable, writeTime } from '../text.ts'
import { confirm, readSecretValue } from './ask.ts'
import { connect, type PlatformApi, PlatformError } from './platform-api.ts'
import { type DeleteOptions, exitCodes, inPath, printJson, type RemoteOptions } from './remote-command.ts'

/** A secret or a connection, as in the responses of the API. */
export interface StoredSecret {
  readonly name: string
  readonly allowed_hosts: readonly string[]
  readonly shared: boolean
  readonly own: boolean
  readonly used_at: number | null
  /** In the response about one of them. */
  readonly used_by?: readonly { readonly flow_id: string }[]
}

/** `tutti secrets list` */
export async function listSecrets({ json, ...options }: RemoteOptions) {
  const api = await connect(options)
  const { entries } = await api.list<StoredSecret>('/secrets', { entries: 'secrets' })
  if (json === true) {
    printJson(entries)
    return exitCodes.done
  }
  if (entries.length === 0) {
    console.error(`No secrets yet. Store one: npx tutti secrets set NAME --host HOST${api.flags}`)
    return exitCodes.done
  }
  const header = ['NAME', 'HOSTS', 'OWNER', 'USED']
  const rows = entries.map((secret) => [secret.name, ...columnsOf(secret)])
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [0, 1] }))
  return exitCodes.done
}

/** The columns about hosts, owner and last use. */
export function columnsOf({ allowed_hosts: hosts, shared, own, used_at: usedAt }: StoredSecret): string[] {
  return [
    hosts.length === 0 ? 'none, set --host' : oneLine(hosts.join(', ')),
    own ? (shared ? 'you, shared' : 'you') : 'shared with you',
    usedAt === null ? 'never' : writeTime(usedAt, new Date(), process.stdout.isTTY),
  ]
}

export interface SetOptions extends RemoteOptions {
  readonly host?: readonly string[]
  readonly shared?: boolean
}

/** `tutti secrets set`: adds a secret, or replaces the value of one. */
export async function setSecret(name: string, { host, shared, json, ...options }: SetOptions) {
  const api = await connect(options)
  const before = await findOwn(api, 'secrets', name)
  if (before === undefined && host === undefined) {
    throw new UserError('A new secret needs --host: the host that may get its value.')
  }
  const value = await readSecretValue('value')
  const body = {
    value,
    ...(host !== undefined && { allowed_hosts: host }),
    ...(shared !== undefined && { shared }),
  }
  const saved =
    before === undefined
      ? await api.call<StoredSecret>('/secrets', { method: 'POST', body: { name, ...body } })
      : await api.call<StoredSecret>(`/secrets/${inPath(name)}`, { method: 'PUT', body })
  if (json === true) {
    printJson(saved)
    return exitCodes.done
  }
  console.log(`The secret ${name} is ${before === undefined ? 'stored' : 'replaced'}. ${whereItGoes(saved)}`)
  console.log(`HTTP steps use it as {{secrets.${name}}}.`)
  return exitCodes.done
}

/** A sentence about the hosts that may get a value. */
function whereItGoes({ allowed_hosts: hosts }: StoredSecret): string {
  if (hosts.length > 0) return `It may be sent to ${oneLine(hosts.join(', '))} only.`
  return 'It has no allowed hosts, so only your own flows may send it: set them with --host.'
}

/** One of the caller's own; undefined when there is none, also when another account shares one of this name. */
export async function findOwn<Found extends StoredSecret>(
  api: PlatformApi,
  group: 'secrets' | 'connections',
  name: string,
): Promise<Found | undefined> {
  try {
    const found = await api.call<Found>(`/${group}/${inPath(name)}`)
    return found.own ? found : undefined
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return undefined
    throw error
  }
}

/** `tutti secrets delete` and `tutti connections delete`: asks first at a terminal; elsewhere `--yes` is needed. */
export async function deleteStored(
  group: 'secrets' | 'connections',
  name: string,
  { yes, json, ...options }: DeleteOptions,
) {
  const api = await connect(options)
  const path = `/${group}/${inPath(name)}`
  const { used_by: flows = [] } = await api.call<StoredSecret>(path)
  const what = `the ${group === 'secrets' ? 'secret' : 'connection'} ${name}`
  const users = flows.map(({ flow_id: id }) => id).join(', ')
  const warning =
    flows.length === 0 ? '' : ` ${count(flows.length, 'flow')} would fail without it: ${oneLine(users)}.`
  if (yes !== true && !(await confirm(`Delete ${what}?${warning}`))) {
    console.error('Nothing was deleted.')
    return exitCodes.notPossible
  }
  const answer = await api.call(path, { method: 'DELETE' })
  if (json === true) printJson(answer)
  else console.log(`Deleted ${what}.`)
  return exitCodes.done
}
