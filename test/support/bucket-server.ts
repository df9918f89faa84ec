import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type SigningKeys, signRequest } from '../../src/kernel/objects/sign-request.ts'

/** A service with one bucket that checks signatures, as S3-compatible services do, and can be told to fail. */
export interface BucketServer extends AsyncDisposable {
  readonly url: string
  readonly keys: SigningKeys
  readonly objects: Map<string, Buffer>
  /** The requests so far, such as `PUT`. */
  readonly methods: string[]
  /** The status of all following responses; undefined: it works. */
  failWith: number | undefined
}

export async function startBucketServer(): Promise<BucketServer> {
  const keys = { region: 'eu-central-1', accessKey: 'AKIDEXAMPLE', secretKey: 'a-secret-key-of-a-test' }
  const objects = new Map<string, Buffer>()
  const methods: string[] = []
  const server = createServer((request, response) => {
    const { method = '', headers, url: path = '' } = request
    const end = (status: number, body: string | Buffer = '') => response.writeHead(status).end(body)
    void (async () => {
      const content = await buffer(request)
      methods.push(method)
      if (bucket.failWith !== undefined) return end(bucket.failWith, '<Code>SlowDown</Code>')
      const time = String(headers['x-amz-date']).replace(
        /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
        '$1-$2-$3T$4:$5:$6Z',
      )
      const signed = signRequest(
        {
          method,
          url: new URL(path, bucket.url),
          content: method === 'PUT' ? content : undefined,
          at: new Date(time),
        },
        keys,
      )
      if (headers.authorization !== signed['authorization'])
        return end(403, '<Code>SignatureDoesNotMatch</Code>')
      if (!path.startsWith('/bucket/')) return end(404, '<Code>NoSuchBucket</Code>')
      if (method === 'PUT') objects.set(path, content)
      if (method === 'DELETE') return end(objects.delete(path) ? 204 : 404)
      const stored = objects.get(path)
      return stored === undefined
        ? end(404, '<Code>NoSuchKey</Code>')
        : end(200, method === 'GET' ? stored : '')
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bucket: BucketServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/tutti`,
    keys,
    objects,
    methods,
    failWith: undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return bucket
}
