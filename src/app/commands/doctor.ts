import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, mkdtemp, rm, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type ClusterOptions, probeNode } from '#cluster'
import { createIdentityAdministration } from '#identity'
import type { Environment } from '#kernel/config'
import { type Database, type DatabaseSettings, migrationState, openDatabase } from '#kernel/database'
import { Failure, UserError } from '#kernel/errors'
import { createEvents } from '#kernel/events'
import { createLogger, createMetrics, type Logger } from '#kernel/telemetry'
import { type Channels, channelsOf, findMailProblem } from '#notifications'
import { clusterOptionsOf } from '../cluster-service.ts'
import { openConsole } from '../console.ts'
import { type ListenAddress, listenAddressesOf, urlOf } from '../listen.ts'
import { migrationSets } from '../migrations.ts'
import { besideRunning, givenSettings, type RunningPlatform } from '../running-platform.ts'
import { readPlatformSettings } from '../settings.ts'
import { checkClock, checkSpace } from './doctor-database.ts'
import { bad, type Finding, good, note } from './finding.ts'

const marks = { good: '✓', note: '!', bad: '✗' } as const

/** `tutti doctor`: checks everything a start needs and prints how to fix it. Returns whether the platform can start. */
export async function runDoctor(): Promise<boolean> {
  const { environment, running } = besideRunning(process.env)
  const settings = readPlatformSettings(environment)
  const log = createLogger({ level: 'silent', format: 'json' })
  const { database } = settings
  const addresses = listenAddressesOf(settings)
  const checks: (() => Finding[] | Promise<Finding[]>)[] = [
    () => [checkNode()],
    () => checkSettings(process.env, running),
    async () => (database.databaseUrl === undefined ? [await checkFolder(database.dataDir)] : []),
    () => checkDatabase(database, log),
    () => [checkConsole()],
    () => Promise.all([addresses.platform, addresses.cluster, addresses.metrics].map(checkPort)),
    () => checkNodes(clusterOptionsOf(settings)),
    () => checkMail(channelsOf(settings.notifications)),
  ]
  let canStart = true
  for (const check of checks) {
    for (const { outcome, text, advice } of await check()) {
      console.log(`${marks[outcome]} ${text}`)
      if (advice !== undefined) console.log(`  → ${advice}`)
      if (outcome === 'bad') canStart = false
    }
  }
  console.log(canStart ? '\nTutti can start.' : '\nTutti cannot start until the problems marked ✗ are fixed.')
  return canStart
}

const minMajor = 24

/** The platform runs TypeScript directly, which needs a recent Node.js. */
function checkNode(version = process.versions.node): Finding {
  const major = Number(version.split('.')[0])
  if (major >= minMajor) return good(`Node.js ${version}`)
  return bad(
    `Node.js ${version} is too old`,
    'Run `npm ci` and start through `npm start` or `npx tutti`: they bring their own.',
  )
}

/** Reports the settings that the other checks use: the settings of the platform that runs on this data folder, and of this terminal. */
function checkSettings(environment: Environment, running: RunningPlatform | undefined): Finding[] {
  const own = givenSettings(environment).map(({ variable }) => variable)
  if (running === undefined) {
    const given = own.length === 0 ? 'the defaults' : `${own.join(', ')}, and defaults`
    return [good(`No platform runs on this data folder; checked with ${given}`)]
  }
  const { pid, variables, secrets } = running
  const used = Object.keys(variables).filter((variable) => !own.includes(variable))
  const unread = secrets.filter((variable) => variable === 'TUTTI_SMTP_URL' && !own.includes(variable))
  const checked = used.length === 0 ? '' : `; checked with its settings: ${used.join(', ')}`
  return [
    good(`A platform runs on this data folder (process ${pid})${checked}`),
    ...unread.map((variable) =>
      note(
        `${variable} of that platform is a secret, so the mail server is not checked`,
        `To check it, set ${variable} for this command too.`,
      ),
    ),
  ]
}

const minFreeBytes = 1024 ** 3

/** The data folder has to be writable, private, and on a disk with free space. */
async function checkFolder(dataDir: string): Promise<Finding> {
  const folder = resolve(dataDir)
  const existing = await nearestExisting(folder)
  if (!(await stat(existing)).isDirectory()) {
    return bad(`${existing} is a file`, 'Set TUTTI_DATA_DIR to a folder.')
  }
  try {
    await access(existing, constants.W_OK | constants.X_OK)
  } catch {
    return bad(
      `${existing} cannot be written`,
      'Give this user the folder, or set TUTTI_DATA_DIR to another.',
    )
  }
  const { bavail, bsize } = await statfs(existing)
  const freeGigabytes = ((bavail * bsize) / 1024 ** 3).toFixed(1)
  if (bavail * bsize < minFreeBytes) {
    return note(
      `${folder} has only ${freeGigabytes} GB left`,
      'Free some space: the database stops when the disk is full.',
    )
  }
  if (existing !== folder) return good(`${folder} will be made at the first start (${freeGigabytes} GB free)`)
  const { mode } = await stat(folder)
  if ((mode & 0o077) !== 0) {
    return note(`${folder} can be read by other users`, `Close it: chmod 700 '${folder}'`)
  }
  return good(`${folder} is writable and private (${freeGigabytes} GB free)`)
}

async function nearestExisting(folder: string): Promise<string> {
  let current = folder
  for (;;) {
    try {
      await stat(current)
      return current
    } catch {
      const parent = dirname(current)
      if (parent === current) return current
      current = parent
    }
  }
}

function checkConsole(): Finding {
  try {
    openConsole()
    return good('The console is built')
  } catch {
    return bad('The console is not built', 'Run `npm run prepare`.')
  }
}

/** Connects as the platform does. Before the first start it checks whether the embedded database can run on this machine. */
async function checkDatabase(settings: DatabaseSettings, log: Logger): Promise<Finding[]> {
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
  const state =
    pending.length === 0
      ? [good(`${name} is up to date`), ...(await checkAccounts(database, log))]
      : [
          note(
            `${name} answers; ${pending.length} migrations are pending`,
            'Nothing to do: the next start applies them. To do it now: npx tutti migrate',
          ),
        ]
  return [...state, ...checkClock(database), ...(await checkSpace(database))]
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
      'No account that can sign in is an administrator',
      'Add one: npx tutti user add NAME --role administrator',
    ),
  ]
}

/** A port has to be free, or in use by a running Tutti. */
async function checkPort({ purpose, host, port, variables }: ListenAddress): Promise<Finding> {
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
    const answer = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(5000) })
    const body: unknown = await answer.json()
    return JSON.stringify(body) === '{"status":"alive"}'
  } catch {
    return false
  }
}

/** Probes every address of a model node. A configured node that does not respond is reported; a discovered one is not. */
async function checkNodes({ addresses }: ClusterOptions): Promise<Finding[]> {
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
async function checkMail({ mail }: Channels): Promise<Finding[]> {
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
