import { UserError } from '#kernel/errors'
import { oneLine, terminalWidth, writeTable } from '../text.ts'
import { readSecretValue } from './ask.ts'
import { connect } from './platform-api.ts'
import { exitCodes, inPath, printJson, type RemoteOptions } from './remote-command.ts'
import { columnsOf, findOwn, type StoredSecret } from './secrets.ts'

/** As in the responses of the API. */
interface Connection extends StoredSecret {
  readonly kind: ConnectionKind
  readonly settings: Readonly<Record<string, unknown>>
}

/** Each kind of connection has one secret value. */
const credentialOf = {
  bearer: ['token', 'token'],
  basic: ['password', 'password'],
  api_key: ['key', 'API key'],
  oauth2_client_credentials: ['client_secret', 'client secret'],
} as const

type ConnectionKind = keyof typeof credentialOf

/** `tutti connections list` */
export async function listConnections({ json, ...options }: RemoteOptions) {
  const api = await connect(options)
  const { entries } = await api.list<Connection>('/connections', { entries: 'connections' })
  if (json === true) {
    printJson(entries)
    return exitCodes.done
  }
  if (entries.length === 0) {
    console.error('No connections yet. Create one: npx tutti connections set --help')
    return exitCodes.done
  }
  const rows = entries.map((connection) => [connection.name, connection.kind, ...columnsOf(connection)])
  const header = ['NAME', 'KIND', 'HOSTS', 'OWNER', 'USED']
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [0, 2] }))
  return exitCodes.done
}

/** `tutti connections show` */
export async function showConnection(name: string, { json, ...options }: RemoteOptions) {
  const api = await connect(options)
  const connection = await api.call<Connection>(`/connections/${inPath(name)}`)
  if (json === true) {
    printJson(connection)
    return exitCodes.done
  }
  const [hosts = '', owner = '', used = ''] = columnsOf(connection)
  const flows = (connection.used_by ?? []).map(({ flow_id: id }) => id)
  const rows = [
    ['Kind', connection.kind],
    ...Object.entries(connection.settings).map(([key, value]) => [key, oneLine([value].flat().join(' '))]),
    ['Hosts', hosts],
    ['Owner', owner],
    ['Used', used],
    ['Flows', flows.length === 0 ? 'none' : oneLine(flows.join(', '))],
  ]
  console.log(`${connection.name}\n\n${writeTable(rows[0] ?? [], rows.slice(1))}`)
  return exitCodes.done
}

export interface SetOptions extends RemoteOptions {
  readonly kind?: ConnectionKind
  readonly host?: readonly string[]
  readonly setting?: readonly string[]
  readonly shared?: boolean
}

/** `tutti connections set`: adds a connection, or replaces the credentials of one. */
export async function setConnection(
  name: string,
  { kind, host, setting = [], shared, json, ...options }: SetOptions,
) {
  const api = await connect(options)
  const before = await findOwn<Connection>(api, 'connections', name)
  if (before !== undefined && kind !== undefined && kind !== before.kind) {
    throw new UserError(
      `The connection ${name} is of the kind ${before.kind}, which cannot be changed. Delete it first.`,
    )
  }
  const used = before?.kind ?? kind
  if (used === undefined) throw new UserError(`There is no connection ${name} yet. A new one needs --kind.`)
  if (before === undefined && host === undefined) {
    throw new UserError('A new connection needs --host: the host that may get its credential.')
  }
  const settings = { ...before?.settings, ...readSettings(setting) }
  const [field, word] = credentialOf[used]
  const body = {
    credentials: { [field]: await readSecretValue(word) },
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(host !== undefined && { allowed_hosts: host }),
    ...(shared !== undefined && { shared }),
  }
  const saved =
    before === undefined
      ? await api.call<Connection>('/connections', { method: 'POST', body: { name, kind: used, ...body } })
      : await api.call<Connection>(`/connections/${inPath(name)}`, { method: 'PUT', body })
  if (json === true) {
    printJson(saved)
    return exitCodes.done
  }
  const done = before === undefined ? 'stored' : 'changed'
  const hosts = oneLine(saved.allowed_hosts.join(', '))
  console.log(`The connection ${name} is ${done}. Its credential may be sent to ${hosts} only.`)
  console.log(`Try it: npx tutti connections test ${name}${api.flags}`)
  return exitCodes.done
}

/** `scopes` is a list, separated by spaces; every other setting is a text. */
function readSettings(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map((one) => {
      const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/s.exec(one) ?? []
      if (name === '')
        throw new UserError(`--setting must be NAME=VALUE, such as username=ada; this is ${one}`)
      return [name, name === 'scopes' ? value.split(' ').filter((scope) => scope !== '') : value]
    }),
  )
}

export interface TestOptions extends RemoteOptions {
  readonly target?: string
}

/** `tutti connections test` */
export async function testConnection(name: string, { target, json, ...options }: TestOptions) {
  const api = await connect(options)
  const result = await api.call<{ success: boolean; status: number | null; problem: string | null }>(
    `/connections/${inPath(name)}/test`,
    { method: 'POST', body: target === undefined ? {} : { url: target } },
  )
  if (json === true) printJson(result)
  else if (result.success) console.log(`The connection ${name} works: status ${result.status}.`)
  else console.log(`The connection ${name} does not work: ${oneLine(result.problem ?? 'no reason given')}`)
  return result.success ? exitCodes.done : exitCodes.failed
}
