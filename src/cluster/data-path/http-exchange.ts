import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BodyReader, DataRequest, DataResponse } from './data-exchange.ts'

/** Up to this size a body is sent in one packet with its head, as a string; Latin 1 keeps every byte. */
const maxTextBytes = 8192

/** A request that Node's HTTP server has read. */
export function dataRequestOf(request: IncomingMessage): DataRequest {
  return {
    method: request.method ?? '',
    url: request.url ?? '/',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    remoteAddress: request.socket.remoteAddress,
    readBody: (limitBytes, reader) => readBody(request, limitBytes, reader),
  }
}

function readBody(request: IncomingMessage, limitBytes: number, { done, tooLarge }: BodyReader): void {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
    tooLarge()
    return
  }
  const chunks: Buffer[] = []
  let bytes = 0
  const take = (chunk: Buffer): void => {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes <= limitBytes) return
    request.off('data', take).off('end', finish).pause()
    tooLarge()
  }
  const finish = (): void => {
    const [only] = chunks
    done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
  }
  request.on('data', take)
  request.on('end', finish)
}

/** The response to it. A caller that reads nothing for `maxIdleMs` counts as disconnected. */
export function dataResponseOf(response: ServerResponse, maxIdleMs: number): DataResponse {
  let idle: NodeJS.Timeout | undefined
  return {
    get isBegun() {
      return response.headersSent
    },
    get isClosed() {
      return response.destroyed
    },
    send(status, headers, body) {
      response.writeHead(status, [...headers])
      if (typeof body !== 'string' && body.length <= maxTextBytes)
        response.end(body.toString('latin1'), 'latin1')
      else response.end(body)
    },
    begin: (status, headers) => void response.writeHead(status, [...headers]),
    write(bytes) {
      if (response.write(Buffer.from(bytes))) return true
      clearTimeout(idle)
      idle = setTimeout(() => response.destroy(), maxIdleMs)
      return false
    },
    end(last, trailers) {
      if (trailers.length > 0) response.addTrailers(pairsOf(trailers))
      response.end(last)
    },
    destroy: () => void response.destroy(),
    onDrain: (callback) =>
      void response.on('drain', () => {
        clearTimeout(idle)
        callback()
      }),
    onClose: (callback) =>
      void response.on('close', () => {
        clearTimeout(idle)
        callback(response.writableFinished)
      }),
  }
}

function pairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < headers.length; index += 2) {
    pairs.push([headers[index] ?? '', headers[index + 1] ?? ''])
  }
  return pairs
}
