import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type BenchDatabase, openBenchDatabase } from '../embedded-database.ts'
import { launcherFlags } from '../launcher-flags.ts'
import type { Answer, Question, Ready } from './contender-process.ts'
import { installPeers, peerVersions } from './peers.ts'
import { processorMs } from './processor-time.ts'

export interface ContenderProcess {
  ask<Told extends Answer>(question: Exclude<Question, { kind: 'end' }>): Promise<Told>
  /** Processor milliseconds of the Node process and of the program that stores the data. */
  processorMs(): { readonly node: number; readonly server: number }
}

export interface Contenders extends AsyncDisposable {
  readonly ours: ContenderProcess
  /** Undefined when it is not available. */
  readonly dbos: ContenderProcess | undefined
  readonly restate: ContenderProcess | undefined
  readonly versions: Readonly<Record<string, string>>
}

/** Starts all contenders on one embedded PostgreSQL. A peer that is not available is skipped with a message. */
export async function startContenders(): Promise<Contenders> {
  await using closing = new AsyncDisposableStack()
  const bench = closing.use(await openBenchDatabase())
  const postgresPid = await readPostgresPid(bench)

  async function start(
    file: URL,
    env: Readonly<Record<string, string>>,
    flags: readonly string[] = [],
  ): Promise<ContenderProcess> {
    const { child, ready } = await startChild(file, env, flags)
    closing.defer(() => end(child))
    return {
      ask: (question) => askChild(child, question),
      processorMs: () => ({
        node: processorMs(child.pid ?? 0, ready.serverPid),
        server: processorMs(ready.serverPid ?? postgresPid),
      }),
    }
  }

  async function startPeer(
    name: string,
    file: URL,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ContenderProcess | undefined> {
    try {
      await installPeers()
      return await start(file, env)
    } catch (error) {
      process.stdout.write(
        `${name} is passed over: ${error instanceof Error ? error.message : String(error)}\n`,
      )
      return undefined
    }
  }

  const ours = await start(
    new URL('./ours.ts', import.meta.url),
    { DATABASE_URL: await createOwn(bench, 'bench_ours') },
    launcherFlags,
  )
  const dbos = await startPeer('DBOS', new URL('./dbos.ts', import.meta.url), {
    DATABASE_URL: await createOwn(bench, 'bench_dbos'),
    DBOS_POOL_SIZE: '20',
  })
  const restate = await startPeer('Restate', new URL('./restate.ts', import.meta.url), {
    RESTATE_LOGGING: 'ERROR',
  })
  const opened = closing.move()
  return {
    ours,
    dbos,
    restate,
    versions: {
      PostgreSQL: bench.database.version,
      ...(dbos !== undefined && { DBOS: peerVersions['@dbos-inc/dbos-sdk'] }),
      ...(restate !== undefined && { Restate: peerVersions['@restatedev/restate-server'] }),
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Creates a separate database on the shared server. */
async function createOwn({ database, url }: BenchDatabase, name: string): Promise<string> {
  await database.query(`create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
}

async function readPostgresPid({ database }: BenchDatabase): Promise<number> {
  const [row] = await database.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::integer as pid`,
  )
  return row?.pid ?? 0
}

async function startChild(
  file: URL,
  env: Readonly<Record<string, string>>,
  flags: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly ready: Ready }> {
  const child = fork(file, {
    execArgv: [...flags],
    env: { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1', ...env },
  })
  const [ready] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`its process ended with ${String(code)}`))),
  ])) as [Ready]
  return { child, ready }
}

async function askChild<Told extends Answer>(child: ChildProcess, question: Question): Promise<Told> {
  const answered = once(child, 'message')
  child.send(question)
  const [answer] = (await answered) as [Answer]
  if ('error' in answer) throw new Error(answer.error)
  return answer as Told
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || !child.connected) return
  const ended = once(child, 'exit')
  child.send({ kind: 'end' } satisfies Question)
  await ended
}
