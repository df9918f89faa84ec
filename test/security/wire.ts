import { once } from 'node:events'
import { connect } from 'node:net'

export interface WireAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** Sends these very bytes, as no HTTP library would, and reads what comes until the connection ends. */
export async function sendRaw(url: string, lines: readonly string[], body = ''): Promise<WireAnswer> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const closed = once(socket, 'close')
  socket.on('error', () => {})
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  await closed
  return read(text)
}

function read(text: string): WireAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...rest] = text.slice(0, end).split('\r\n')
  const headers = new Headers()
  for (const line of rest) {
    const colon = line.indexOf(':')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return { status: Number(first.split(' ')[1]), headers, body: text.slice(end + 4) }
}
