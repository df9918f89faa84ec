import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Measurement } from '../benchmark.ts'
import type { FromClients, FromServer, ToClients, ToServer } from './messages.ts'

/** A server with its streams, which are opened at their first use and stay open. */
export interface StreamStage extends AsyncDisposable {
  /** The time until all streams have received this number of events. */
  measure(events: number): Promise<Measurement>
}

interface StageOptions {
  readonly serverFile: URL
  readonly path: string
  readonly streams: number
  readonly env?: Readonly<Record<string, string>>
}

export function createStreamStage({ serverFile, path, streams, env = {} }: StageOptions): StreamStage {
  let opened: Promise<Opened> | undefined
  let run = 0

  async function open(): Promise<Opened> {
    const server = fork(serverFile.pathname, { execArgv: ['--expose-gc'], env: { ...process.env, ...env } })
    const [{ port = 0 }] = (await once(server, 'message')) as [FromServer]
    const clients = fork(new URL('./clients-process.ts', import.meta.url).pathname)
    const ask = async (message: ToServer) => await asked<FromServer>(server, message)
    const before = (await ask({ ask: 'memory' })).residentBytes ?? 0
    await asked<FromClients>(clients, { ask: 'open', port, path, count: streams } satisfies ToClients)
    const after = (await ask({ ask: 'memory' })).residentBytes ?? 0
    return { server, clients, ask, kibPerStream: (after - before) / streams / 1024 }
  }

  return {
    async measure(events) {
      const { clients, ask, kibPerStream } = await (opened ??= open())
      run += 1
      const { cpuMs: cpuBefore = 0 } = await ask({ ask: 'cpu' })
      const heard = asked<FromClients>(clients, { ask: 'hear', run, count: events } satisfies ToClients)
      const { toldAt = 0 } = await ask({ ask: 'tell', run, count: events })
      const ms = ((await heard).heardAt ?? []).map((at) => at - toldAt).toSorted((one, other) => one - other)
      const { cpuMs: cpuAfter = 0 } = await ask({ ask: 'cpu' })
      const last = ms.at(-1) ?? Number.NaN
      return {
        value: last,
        beside: {
          'p50 ms': ms[Math.floor(ms.length / 2)] ?? Number.NaN,
          'p99 ms': ms[Math.floor(ms.length * 0.99)] ?? Number.NaN,
          'messages/s': (streams * events * 1000) / last,
          'CPU ms': cpuAfter - cpuBefore,
          'KiB/stream': kibPerStream,
        },
      }
    },
    async [Symbol.asyncDispose]() {
      const { server, clients } = (await opened) ?? {}
      for (const child of [clients, server]) {
        if (child === undefined) continue
        child.kill()
        await once(child, 'exit')
      }
    },
  }
}

interface Opened {
  readonly server: ChildProcess
  readonly clients: ChildProcess
  readonly ask: (message: ToServer) => Promise<FromServer>
  readonly kibPerStream: number
}

async function asked<Answer>(child: ChildProcess, message: ToServer | ToClients): Promise<Answer> {
  const answer = once(child, 'message') as Promise<[Answer]>
  child.send(message)
  return (await answer)[0]
}
