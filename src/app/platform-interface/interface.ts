import { type InterfaceDefinition, plainVoice } from '#kernel/http'

/** What the platform says about itself: health, system, events, descriptions. It also speaks for unknown paths. */
export const platformInterface: InterfaceDefinition = {
  ...plainVoice,
  name: 'platform',
  title: 'Platform',
  version: '1.0.0',
  description:
    'Health, the state of this installation, its event log and the descriptions of its interfaces.',
  prefixes: ['/', '/api/v1/system', '/api/v1/events'],
}
