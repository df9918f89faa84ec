import type { IncomingMessage } from 'node:http'
import { type Failure, kernelFailure } from '#kernel/errors'

interface BodyReader {
  readonly limitBytes: number
  readonly done: (body: Buffer) => void
  readonly failed: (failure: Failure) => void
}

/** Collects the whole body: another node may need it after the first has failed. Nothing is called once the caller is gone. */
export function readBody(request: IncomingMessage, { limitBytes, done, failed }: BodyReader): void {
  const tooLarge = () =>
    kernelFailure('body_too_large', { message: `the request body is larger than ${limitBytes} bytes` })
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
    failed(tooLarge())
    return
  }
  const chunks: Buffer[] = []
  let bytes = 0
  const take = (chunk: Buffer): void => {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes <= limitBytes) return
    request.off('data', take).off('end', finish).pause()
    failed(tooLarge())
  }
  const finish = (): void => {
    const [only] = chunks
    done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
  }
  request.on('data', take)
  request.on('end', finish)
}
