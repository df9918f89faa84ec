import { UserError } from '#kernel/errors'
import { openBucket } from './bucket.ts'
import { openFolder } from './folder.ts'
import type { ObjectStore } from './object-store.ts'
import type { ObjectsSettings } from './settings.ts'

/** Opens the configured store; undefined without one. Sends nothing yet. Throws a `UserError` for a bucket without keys. */
export function openObjectStore(settings: ObjectsSettings): ObjectStore | undefined {
  const { url, region, accessKey, secretKey } = settings
  if (url === undefined) return undefined
  if (url.startsWith('file:')) return openFolder(new URL(url))
  if (accessKey === undefined || secretKey === undefined)
    throw new UserError(
      'TUTTI_OBJECTS_URL names a bucket: set TUTTI_OBJECTS_ACCESS_KEY and TUTTI_OBJECTS_SECRET_KEY, too.',
    )
  return openBucket({ url: new URL(url), region, accessKey, secretKey })
}
