import { connect, type Socket } from 'node:net'

export interface LoadResult {
  readonly answers: number
  readonly seconds: number
}

interface LoadOptions {
  readonly port: number
  readonly path: string
  readonly connections: number
  readonly durationMs: number
}

const body = JSON.stringify({ model: 'bench:1b', prompt: 'Why is the sky blue?' })

export function writeRequest(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Sends requests over many connections, each after the previous response. Plain sockets keep the cost of the client low. */
export async function putUnderLoad({
  port,
  path,
  connections,
  durationMs,
}: LoadOptions): Promise<LoadResult> {
  const request = writeRequest(path)
  const begun = performance.now()
  const connection = async (): Promise<number> => {
    const socket = await open(port)
    const read = createReader(socket)
    let answers = 0
    while (performance.now() - begun < durationMs) {
      socket.write(request)
      await read.answer()
      answers += 1
    }
    socket.destroy()
    return answers
  }
  const counts = await Promise.all(Array.from({ length: connections }, connection))
  return {
    answers: counts.reduce((sum, count) => sum + count, 0),
    seconds: (performance.now() - begun) / 1000,
  }
}

/** Milliseconds until the first token, for sequential requests. */
export async function timeFirstTokens(port: number, path: string, times: number): Promise<number[]> {
  const request = writeRequest(path)
  const socket = await open(port)
  const read = createReader(socket)
  const taken: number[] = []
  for (let round = 0; round < times; round++) {
    const begun = performance.now()
    socket.write(request)
    await read.firstToken()
    taken.push(performance.now() - begun)
    await read.answer()
  }
  socket.destroy()
  return taken
}

export async function open(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(port, '127.0.0.1', resolve)
  socket.setNoDelay(true)
  socket.once('error', reject)
  await promise
  return socket
}

/** Parses just enough HTTP to find the start and the end of a response. */
function createReader(socket: Socket) {
  let text = ''
  let wanted: { readonly isThere: () => boolean; readonly resolve: () => void } | undefined

  function bodyStart(): number {
    const headEnd = text.indexOf('\r\n\r\n')
    if (headEnd !== -1 && !text.startsWith('HTTP/1.1 200')) throw new Error(`answered: ${text.slice(0, 200)}`)
    return headEnd === -1 ? -1 : headEnd + 4
  }

  const hasToken = (): boolean => {
    const start = bodyStart()
    return start !== -1 && text.includes('\n', text.indexOf('{', start))
  }

  const isWhole = (): boolean => {
    const start = bodyStart()
    if (start === -1) return false
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, start))?.[1]
    return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= start + Number(length)
  }

  async function until(isThere: () => boolean): Promise<void> {
    if (isThere()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    wanted = { isThere, resolve }
    await promise
  }

  socket.on('data', (data) => {
    text += data.toString('latin1')
    if (wanted?.isThere() !== true) return
    wanted.resolve()
    wanted = undefined
  })
  return {
    firstToken: () => until(hasToken),
    async answer() {
      await until(isWhole)
      text = ''
    },
  }
}
