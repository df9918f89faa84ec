import { createHash, createHmac } from 'node:crypto'

export interface SigningKeys {
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

export interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly content: Buffer | undefined
  readonly at: Date
}

/**
 * The headers of a request to an S3-compatible service, with AWS Signature Version 4 over method, path, host, time and content. By hand:
 * three kinds of requests need no more than this, and the library of the vendor has a hundred packages.
 */
export function signRequest(
  { method, url, content, at }: SignedRequest,
  { region, accessKey, secretKey }: SigningKeys,
): Record<string, string> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const digest = sha256(content ?? '')
  const headers = { host: url.host, 'x-amz-content-sha256': digest, 'x-amz-date': time }
  const signed = Object.keys(headers).join(';')
  const canonical = [
    method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    '',
    signed,
    digest,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretKey}`,
  )
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const { host: _, ...sent } = headers
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${signed}, Signature=${hmac(key, text).toString('hex')}`,
  }
}

/** Each segment percent-encoded as RFC 3986 says; a URL leaves a few characters that the signature needs encoded. */
function canonicalPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encode(decodeURIComponent(segment)))
    .join('/')
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
