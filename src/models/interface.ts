import { type InterfaceDefinition, plainVoice } from '#kernel/http'

/** The models there are. Its callers are those of the identity interface, so it speaks with the same words. */
export const modelsInterface: InterfaceDefinition = {
  ...plainVoice,
  name: 'models',
  title: 'Models',
  version: '1.0.0',
  description: 'Which models there are and where they run.',
  prefixes: ['/api/v1/models'],
  wording: { ...plainVoice.wording, permission_denied: 'insufficient_scope' },
}
