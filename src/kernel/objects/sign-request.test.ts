import { expect, test } from 'vitest'
import { signRequest } from './sign-request.ts'

// The example "GET Bucket Lifecycle" of the documentation of Signature Version 4 for Amazon S3.
test('signs as the documentation of the signature does', () => {
  const { authorization } = signRequest(
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/?lifecycle'),
      content: undefined,
      at: new Date('2013-05-24T00:00:00Z'),
    },
    {
      region: 'us-east-1',
      accessKey: 'AKIAIOSFODNN7EXAMPLE',
      secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
  )
  expect(authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=host;x-amz-content-sha256;x-amz-date, ' +
      'Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  )
})
