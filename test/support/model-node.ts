import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createModelNodeServer } from '../fixtures/model-node-server.ts'

/** What a node can be told to be like. */
export type Behaviour =
  | 'normal'
  /** Answers properly, but only after 60 ms. */
  | 'slow'
  /** Closes its port: connections are refused. */
  | 'refuse'
  /** Takes the request and never answers. */
  | 'hang'
  /** Answers everything with status 500. */
  | 'error'
  /** Answers a page of HTML with status 200. */
  | 'rubbish'
  /** Answers JSON that is not what was asked for. */
  | 'wrong_shape'
  /** Has a model whose name would clear a terminal. */
  | 'control_characters'
  /** Closes the connection in the middle of an answer. */
  | 'cut_off'
  /** Answers without end. */
  | 'huge'
  /** Is an older runtime, which does not say what is in memory. */
  | 'no_ps'
  /** From here on probes are answered well, and only requests for models are not. Answers them with status 500. */
  | 'work_error'
  /** Takes requests and never answers. */
  | 'work_hang'
  /** Closes the connection before it answers. */
  | 'work_reset'
  /** Answers that it does not have the model it lists. */
  | 'work_lacks'
  /** Sends the head of an answer and closes the connection. */
  | 'work_head_only'
  /** Dies in the middle of an answer, after two tokens. */
  | 'work_dies'
  /** Sends two tokens and then nothing. */
  | 'work_stalls'
  /** Sends tokens without end, as fast as they are taken. */
  | 'work_floods'

export type Command =
  | { readonly do: 'listen'; readonly port: number }
  | { readonly do: 'behave'; readonly as: Behaviour }
  | { readonly do: 'have'; readonly models: readonly string[]; readonly loaded: readonly string[] }
  | { readonly do: 'tell' }

export interface NodeStats {
  /** By path. */
  readonly requests: Readonly<Record<string, number>>
  /** The maximum of concurrent requests. */
  readonly maxConcurrent: number
  /** Sent while answering without end. */
  readonly bytesSent: number
  /** Answers whose connection was closed before they were complete. */
  readonly cancelled: number
  /** The running model requests. */
  readonly working: number
  /** The last request for a model, as it came. */
  readonly lastWork: ReceivedWork | undefined
  /** Open now. */
  readonly connections: number
}

export interface ReceivedWork {
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface ModelNode extends AsyncDisposable {
  readonly url: string
  readonly port: number
  behave(as: Behaviour): Promise<void>
  have(models: readonly string[], loaded?: readonly string[]): Promise<void>
  stats(): Promise<NodeStats>
}

/** A node in a process of its own. */
export interface MortalModelNode extends ModelNode {
  /** Dies without a word, by `kill -9`. */
  kill(): Promise<void>
}

export interface ModelNodeOptions {
  /** The port of a node that was there before; a free one without. */
  readonly port?: number
  readonly models?: readonly string[]
  readonly loaded?: readonly string[]
  readonly behaviour?: Behaviour
}

const program = fileURLToPath(new URL('../fixtures/model-node.ts', import.meta.url))

/** Starts a model node in the process of the test: `await using node = await startModelNode()`. */
export async function startModelNode(options: ModelNodeOptions = {}): Promise<ModelNode> {
  const server = createModelNodeServer()
  // A test that asks again and again must not keep the node from what it waits for.
  const send = (command: Command) => nextTurn().then(() => server.obey(command))
  return await prepareNode(send, () => server.close(), options)
}

/** Starts a process that serves as a model node. `await using` ends it; so does the end of this process. */
export async function startMortalModelNode(options: ModelNodeOptions = {}): Promise<MortalModelNode> {
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  return { ...(await prepareNode(createSender(child), kill, options)), kill }
}

async function prepareNode(
  send: (command: Command) => Promise<unknown>,
  close: () => Promise<void>,
  { port = 0, models = ['gemma3:4b'], loaded = [], behaviour = 'normal' }: ModelNodeOptions,
): Promise<ModelNode> {
  try {
    await send({ do: 'have', models, loaded })
    const chosen = (await send({ do: 'listen', port })) as number
    await send({ do: 'behave', as: behaviour })
    return {
      url: `http://localhost:${chosen}`,
      port: chosen,
      behave: async (as) => void (await send({ do: 'behave', as })),
      have: async (newModels, newLoaded = []) =>
        void (await send({ do: 'have', models: newModels, loaded: newLoaded })),
      stats: async () => (await send({ do: 'tell' })) as NodeStats,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Reply {
  readonly id: number
  readonly result?: unknown
  readonly error?: string
}

/** Sends commands and waits for the answer to each; a node that ends in between is an error, not a wait without end. */
function createSender(child: ChildProcess): (command: Command) => Promise<unknown> {
  const open = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  child.on('message', (reply: Reply) => {
    const waiting = open.get(reply.id)
    open.delete(reply.id)
    if (reply.error === undefined) waiting?.resolve(reply.result)
    else waiting?.reject(new Error(`the model node said: ${reply.error}`))
  })
  child.on('exit', () => {
    for (const waiting of open.values()) waiting.reject(new Error('the model node ended'))
    open.clear()
  })
  return (command) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (!child.connected) return Promise.reject(new Error('the model node has ended'))
    lastId += 1
    open.set(lastId, { resolve, reject })
    child.send({ id: lastId, command })
    return promise
  }
}

/** A closed port: a node had it a moment ago. */
export async function findFreePort(): Promise<number> {
  await using node = await startModelNode()
  return node.port
}
