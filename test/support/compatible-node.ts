import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** What a node is and does. */
export interface CompatibleNodeState {
  readonly runtime: 'vllm' | 'sglang' | 'llama.cpp' | 'lmstudio' | 'tgi' | 'openai'
  readonly models: readonly string[]
  /** What it reports about its load. */
  readonly running?: number
  readonly waiting?: number
  readonly slots?: number
  /** `/health` fails while the lists still respond. */
  readonly isSick?: boolean
  /** An earlier version, without `/v1/models`. */
  readonly isOld?: boolean
  /** Its model reasons before it answers. */
  readonly thinks?: boolean
  /** Closes the connection after this many words. */
  readonly diesAfter?: number | undefined
  /** Sends an error in place of a further word. */
  readonly breaksAfter?: number | undefined
  /** Waits before each answer, and after each word. */
  readonly delayMs?: number
  readonly tokenDelayMs?: number
  /** Answers every request with this error, in its own form. */
  readonly refusal?: { readonly status: number; readonly message: string } | undefined
}

export interface CompatibleRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Readonly<Record<string, unknown>>
}

export interface NodeMessage {
  readonly id: number
  readonly change: Partial<CompatibleNodeState>
}

interface CompatibleNodeStats {
  /** The last POST. */
  readonly last: CompatibleRequest | undefined
  /** Requests by path. */
  readonly counts: Readonly<Record<string, number>>
  readonly working: number
  readonly maxWorking: number
}

/** A process that speaks the wire format of an OpenAI-compatible runtime. */
export interface CompatibleNode extends AsyncDisposable {
  readonly url: string
  readonly port: number
  set(change: Partial<CompatibleNodeState>): Promise<void>
  stats(): Promise<CompatibleNodeStats>
  /** Dies by `kill -9`. */
  kill(): Promise<void>
  /** Stops by SIGSTOP. */
  freeze(): void
  thaw(): void
}

const program = fileURLToPath(new URL('../fixtures/compatible-node.ts', import.meta.url))

/** Starts a node process. `await using` ends it; so does the end of this process. */
export async function startCompatibleNode(
  state: Partial<CompatibleNodeState> & Pick<CompatibleNodeState, 'runtime'>,
): Promise<CompatibleNode> {
  const child = fork(program, {
    execArgv: [],
    // JSON would drop what a change takes back.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  let lastId = 0
  const ended = once(child, 'exit').then((): never => {
    throw new Error('the node has ended')
  })
  ended.catch(() => {})

  async function send(change: Partial<CompatibleNodeState>): Promise<CompatibleNodeStats> {
    lastId += 1
    const id = lastId
    const { promise, resolve } = Promise.withResolvers<CompatibleNodeStats>()
    const take = (reply: CompatibleNodeStats & { id: number }) => {
      if (reply.id !== id) return
      child.off('message', take)
      resolve(reply)
    }
    child.on('message', take)
    child.send({ id, change } satisfies NodeMessage)
    return await Promise.race([promise, ended])
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  await send({ models: ['Qwen/Qwen3-0.6B'], ...state })
  return {
    url: `http://localhost:${port}`,
    port,
    set: async (change) => void (await send(change)),
    stats: () => send({}),
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    [Symbol.asyncDispose]: kill,
  }
}
