import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createModelNodeServer } from '../fixtures/model-node-server.ts'
import { findFreePort } from './free-port.ts'

/** The behaviours of a node. */
export type Behaviour =
  | 'normal'
  /** Responds correctly, after 60 ms. */
  | 'slow'
  /** Closes its port: connections are refused. */
  | 'refuse'
  /** Accepts the request and never responds. */
  | 'hang'
  /** Responds to everything with status 500. */
  | 'error'
  /** Responds with a page of HTML and status 200. */
  | 'rubbish'
  /** Responds with unexpected JSON. */
  | 'wrong_shape'
  /** Has a model whose name would clear a terminal. */
  | 'control_characters'
  /** Closes the connection in the middle of a response. */
  | 'cut_off'
  /** Sends an endless response. */
  | 'huge'
  /** Is an older runtime, which does not report models in memory. */
  | 'no_ps'
  /** From here on probes succeed, and only model requests fail. Responds to them with status 500. */
  | 'work_error'
  /** Responds to them with status 500 after a second. */
  | 'work_slow_error'
  /** Accepts requests and never responds. */
  | 'work_hang'
  /** Closes the connection before it responds. */
  | 'work_reset'
  /** Responds that it lacks the model it lists. */
  | 'work_lacks'
  /** Sends the head of a response and closes the connection. */
  | 'work_head_only'
  /** Dies in the middle of a response, after two tokens. */
  | 'work_dies'
  /** Dies after two tokens, also if they were the last. */
  | 'work_dies_late'
  /** Ends a stream after two tokens as if it were complete. */
  | 'work_ends_early'
  /** Sends the head of a stream and ends it as if it were complete. */
  | 'work_ends_at_once'
  /** Rejects a chat whose last message is of the assistant, with status 400. */
  | 'work_refuses_prefix'
  /** Sends two tokens and then nothing. */
  | 'work_stalls'
  /** Sends two tokens and then one byte every 300 ms. */
  | 'work_drips'
  /** Responds with a page of HTML and status 200. */
  | 'work_page'
  /** Responds with a page of HTML that it calls JSON. */
  | 'work_hidden_page'
  /** Sends endless tokens, as fast as the caller reads. */
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
  /** The bytes sent of an endless response. */
  readonly bytesSent: number
  /** Responses whose connection was closed before they were complete. */
  readonly cancelled: number
  /** The running model requests. */
  readonly working: number
  /** The last model request, unparsed. */
  readonly lastWork: ReceivedWork | undefined
  /** The bodies of the last model requests by path: a platform also asks for the details of models, at times of its own. */
  readonly lastBodies: Readonly<Record<string, string>>
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

/** A node in a separate process. */
export interface MortalModelNode extends ModelNode {
  /** Dies by `kill -9`. */
  kill(): Promise<void>
  /** Stops by SIGSTOP: the system accepts connections for it, and it responds to nothing. */
  freeze(): void
  /** Continues after `freeze`. */
  thaw(): void
}

export interface ModelNodeOptions {
  /** The port of an earlier node. Default: a free port. */
  readonly port?: number
  readonly models?: readonly string[]
  readonly loaded?: readonly string[]
  readonly behaviour?: Behaviour
}

const program = fileURLToPath(new URL('../fixtures/model-node.ts', import.meta.url))

/** Starts a model node in the process of the test: `await using node = await startModelNode()`. */
export async function startModelNode(options: ModelNodeOptions = {}): Promise<ModelNode> {
  const server = createModelNodeServer()
  // A test that polls must not starve the node.
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

  return {
    ...(await prepareNode(createSender(child), kill, options)),
    kill,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  }
}

async function prepareNode(
  send: (command: Command) => Promise<unknown>,
  close: () => Promise<void>,
  { port, models = ['gemma3:4b'], loaded = [], behaviour = 'normal' }: ModelNodeOptions,
): Promise<ModelNode> {
  try {
    await send({ do: 'have', models, loaded })
    // Not one that the system gives out: another server could get it while the node refuses connections.
    const chosen = (await send({ do: 'listen', port: port ?? (await findFreePort()) })) as number
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

/** Sends commands and waits for the response to each; a node that ends meanwhile is an error, not a hang. */
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
