import { setTimeout } from 'node:timers/promises'
import { objectsFailure } from './errors.ts'
import { maxObjectBytes, type ObjectStore } from './object-store.ts'
import { type SigningKeys, signRequest } from './sign-request.ts'

export interface BucketOptions extends SigningKeys {
  /** With the bucket and an optional prefix as path: the path style, which every S3-compatible service has. */
  readonly url: URL
}

/** A request that takes longer has failed. */
const timeoutMs = 5000
const attempts = 2
const pauseMs = 200

/** A bucket of an S3-compatible service. */
export function openBucket({ url, ...keys }: BucketOptions): ObjectStore {
  const urlOf = (key: string) => new URL(`${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(key)}`, url)

  async function sendOnce(method: string, key: string, content?: Buffer): Promise<Response> {
    const address = urlOf(key)
    const response = await fetch(address, {
      method,
      headers: signRequest({ method, url: address, content, at: new Date() }, keys),
      // A redirect would lead to an address that the signature does not cover.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(content !== undefined && { body: new Uint8Array(content) }),
    })
    if (response.ok || response.status === 404) return response
    const text = await response.text()
    throw new BucketError(`${method} responded ${response.status} ${text.slice(0, 300)}`, response.status)
  }

  async function request<Result>(
    method: string,
    key: string,
    read: (response: Response) => Promise<Result>,
    content?: Buffer,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read(await sendOnce(method, key, content))
      } catch (cause) {
        if (attempt === attempts || !mayPass(cause)) throw objectsFailure('objects_unavailable', { cause })
        await setTimeout(pauseMs)
      }
    }
  }

  return {
    put: (key, content) =>
      request('PUT', key, async (response) => requireFound(await emptied(response)), content),
    get: (key) => request('GET', key, readContent),
    delete: (key) => request('DELETE', key, async (response) => void (await emptied(response))),
  }
}

class BucketError extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Failures of the network, overload and failures of the service may pass; a refused request stays refused. */
function mayPass(error: unknown): boolean {
  return !(error instanceof BucketError) || error.status === 429 || error.status >= 500
}

/** Reads the body, so that the connection can be used again. */
async function emptied(response: Response): Promise<Response> {
  await response.arrayBuffer()
  return response
}

function requireFound({ status }: Response): void {
  if (status === 404) throw new BucketError('PUT responded 404: there is no such bucket', status)
}

/** A missing bucket responds 404 as well. Only the code of a missing object says that it is gone. */
async function readContent(response: Response): Promise<Buffer | undefined> {
  if (response.status === 404) {
    const text = await response.text()
    if (text.includes('NoSuchKey')) return undefined
    throw new BucketError(`GET responded 404 ${text.slice(0, 300)}`, 404)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxObjectBytes) throw new BucketError(`the object has more than ${maxObjectBytes} bytes`, 413)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
