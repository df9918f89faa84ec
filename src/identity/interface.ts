import { type InterfaceDefinition, plainVoice } from '#kernel/http'

/** Accounts and credentials. It also speaks for everything under /api/v1 that no other interface claims. */
export const identityInterface: InterfaceDefinition = {
  ...plainVoice,
  name: 'identity',
  title: 'Identity',
  version: '1.0.0',
  description: 'Who is asking: sign-in, sessions, API keys, tokens, OAuth 2.0, accounts and roles.',
  prefixes: ['/api/v1', '/user', '/session', '/oauth', '/.well-known'],
  // Callers of this interface know one word for "you may not", whichever rule it was.
  wording: { ...plainVoice.wording, permission_denied: 'insufficient_scope' },
}
