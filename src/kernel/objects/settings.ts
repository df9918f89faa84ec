import { defineSettings, refineSetting, type SettingsOf, setting } from '#kernel/config'

/** Environment variables of the object store. */
export const objectsSettings = defineSettings({
  url: refineSetting(
    setting.url('TUTTI_OBJECTS_URL', ['https:', 'http:', 'file:'], {
      about:
        'Where outputs of steps above 64 KB are stored, encrypted with TUTTI_SECRET: a bucket of an S3-compatible service with an optional prefix, such as https://s3.eu-central-1.amazonaws.com/my-bucket/tutti, or a folder that all replicas share, such as file:///var/lib/tutti/objects. Without it they are stored in the database',
      optional: true,
    }),
    checkUrl,
  ),
  region: setting.text('TUTTI_OBJECTS_REGION', {
    about: 'Region of the bucket',
    default: 'us-east-1',
  }),
  accessKey: setting.text('TUTTI_OBJECTS_ACCESS_KEY', {
    about: 'Access key id for the bucket; it needs the permissions to put, get and delete objects',
    optional: true,
  }),
  secretKey: setting.secretText('TUTTI_OBJECTS_SECRET_KEY', {
    about: 'Secret access key for the bucket',
    optional: true,
  }),
})

export type ObjectsSettings = SettingsOf<typeof objectsSettings>

function checkUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const { protocol, host, pathname, search, hash, username, password } = new URL(text)
  if (search + hash + username + password !== '')
    throw new Error('must have no user, query or fragment; the keys have variables of their own')
  if (protocol === 'file:' && host !== '')
    throw new Error('must be a folder such as file:///var/lib/tutti/objects')
  if (pathname === '/') throw new Error('must name a bucket or a folder after the host')
  return text
}
