import type { OauthClient } from '../../api/responses.ts'

interface ClientKind {
  readonly value: string
  readonly title: string
  readonly about: string
  readonly isPublic: boolean
  readonly grantTypes: ReadonlyArray<'authorization_code' | 'client_credentials'>
}

/** The client types the form offers. The place where an application runs decides how it authenticates. */
export const clientKinds: readonly ClientKind[] = [
  {
    value: 'web',
    title: 'Web application',
    about: 'Runs on a server that can keep a secret. Users sign in and give consent.',
    isPublic: false,
    grantTypes: ['authorization_code'],
  },
  {
    value: 'app',
    title: 'Browser, desktop or mobile application',
    about: 'Runs on the user’s device, so it has no secret and uses PKCE.',
    isPublic: true,
    grantTypes: ['authorization_code'],
  },
  {
    value: 'service',
    title: 'Service',
    about: 'Acts for your own account without user interaction.',
    isPublic: false,
    grantTypes: ['client_credentials'],
  },
]

/** The display name of a registered client's type. */
export function kindOf({ public: isPublic, grant_types }: OauthClient): string {
  const redirects = grant_types.includes('authorization_code')
  if (isPublic) return 'Public application'
  if (!redirects) return 'Service'
  return grant_types.includes('client_credentials') ? 'Web application and service' : 'Web application'
}

/** Whether the client uses redirect URIs after sign-in. */
export function usesRedirects({ grant_types }: Pick<OauthClient, 'grant_types'>): boolean {
  return grant_types.includes('authorization_code')
}

/** Parses the URLs of the form, one per line. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
