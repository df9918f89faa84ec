import { type ApiDefinition, plainErrorFormat } from '#kernel/http'

/** The API of the platform itself: health, system, events, OpenAPI. Unknown paths get its error format. */
export const platformApi: ApiDefinition = {
  ...plainErrorFormat,
  name: 'platform',
  title: 'Platform',
  version: '1.0.0',
  description:
    'Health, the state of this installation, its event log and the descriptions of its interfaces.',
  prefixes: ['/', '/api/v1/system', '/api/v1/events'],
}
