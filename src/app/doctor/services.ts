import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClusterOptions, probeNode } from '#cluster'
import { createIdentityAdministration } from '#identity'
import { type Database, type DatabaseSettings, migrationState, openDatabase } from '#kernel/database'
import { Failure, UserError } from '#kernel/errors'
import { createEvents } from '#kernel/events'
import { createMetrics, type Logger } from '#kernel/telemetry'
import { type Channels, findMailProblem } from '#notifications'
import { type ListenAddress, urlOf } from '../listen.ts'
import { migrationSets } from '../migrations.ts'
import { bad, type Finding, good, note } from './finding.ts'

/** Connects as the platform does. Before the first start it checks whether the embedded database can run on this machine. */
export async function checkDatabase(settings: DatabaseSettings, log: Logger): Promise<Finding[]> {
  try {
    const first = settings.databaseUrl === undefined && !(await exists(settings.dataDir))
    return first ? [await tryEmbedded(settings, log)] : await checkExisting(settings, log)
  } catch (error) {
    if (error instanceof UserError || error instanceof Failure) {
      return [bad(error.message, 'Mend that, or set DATABASE_URL to a database this machine reaches.')]
    }
    throw error
  }
}

async function checkExisting(settings: DatabaseSettings, log: Logger): Promise<Finding[]> {
  await using database = await openDatabase({ settings, log, embedded: 'join' })
  const { pending } = await migrationState(database, migrationSets)
  const name = `PostgreSQL ${database.version} (${database.kind})`
  if (pending.length === 0) return [good(`${name} is up to date`), ...(await checkAccounts(database, log))]
  return [
    note(
      `${name} answers; ${pending.length} migrations are pending`,
      'Nothing to do: the next start applies them. To do it now: npx tutti migrate',
    ),
  ]
}

/** In a temporary folder: a check must not create the database it checks. */
async function tryEmbedded(settings: DatabaseSettings, log: Logger): Promise<Finding> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tutti-doctor-'))
  try {
    await using database = await openDatabase({ settings: { ...settings, dataDir }, log })
    return good(`PostgreSQL ${database.version} (embedded) runs on this machine`)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function exists(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  )
}

/** Reports accounts without an administrator among them. No account at all is fine: the first start creates one. */
async function checkAccounts(database: Database, log: Logger): Promise<Finding[]> {
  const metrics = createMetrics({ watchProcess: false })
  await using events = createEvents({ database, log, metrics })
  const administration = createIdentityAdministration({ database, events, metrics })
  if (await administration.hasAdministrator()) return []
  if ((await administration.listUsers()).length === 0) return []
  return [
    note(
      'Nobody who can sign in is an administrator',
      'Add one: npx tutti user add NAME --role administrator',
    ),
  ]
}

/** A port has to be free, or in use by a running Tutti. */
export async function checkPort({ purpose, host, port, variables }: ListenAddress): Promise<Finding> {
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
    if (await isTutti(urlOf(host, port))) return good(`${purpose}: Tutti is running on port ${port}`)
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

/** Probes every address of a model node. A configured node that does not respond is reported; a discovered one is not. */
export async function checkNodes({ addresses }: ClusterOptions): Promise<Finding[]> {
  const findings = await Promise.all(
    addresses.map(async ({ url, source }): Promise<Finding[]> => {
      const { ok, models, error } = await probeNode(url, { timeoutMs: 3000 })
      if (ok) return [good(`Model node ${url} answers with ${models.length} models`)]
      if (source === 'discovery') return []
      return [
        note(
          `Model node ${url} does not answer (${error ?? 'no reason'})`,
          'Start it, or take it out of CLUSTER_NODES.',
        ),
      ]
    }),
  )
  const reported = findings.flat()
  if (reported.length > 0) return reported
  return [
    note(
      'No model node found',
      'Start one on this machine, or list yours in CLUSTER_NODES. The platform runs without.',
    ),
  ]
}

/** Signs in to the mail server as the platform does, and sends nothing. */
export async function checkMail({ mail }: Channels): Promise<Finding[]> {
  if (mail === undefined) return []
  const { host, port } = mail.server
  const problem = await findMailProblem(mail)
  if (problem === undefined) return [good(`Mail server ${host}:${port} answers`)]
  return [
    note(
      `Mail server ${host}:${port} cannot be used (${problem})`,
      'Mend TUTTI_SMTP_URL. Until then mail waits, for a day at most.',
    ),
  ]
}
