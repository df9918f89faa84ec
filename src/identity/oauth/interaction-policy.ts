import type { interactionPolicy, KoaContextWithOIDC, errors as ProviderErrors } from 'oidc-provider'

/** The provider's error code when the user has to sign in first. The route then redirects to the sign-in page. */
export const signInFirst = 'sign_in_first'

/** The only resource (RFC 8707) that access tokens are issued for. */
export const platformResource = 'urn:tutti:platform'

type Policy = typeof interactionPolicy

/**
 * The checks before a code is issued:
 *
 * | user | missing | result |
 * |---|---|---|
 * | not signed in | a session | redirect to the sign-in page and back with the same request; `login_required` for `prompt=none` |
 * | signed in | consent for a scope, or the client sent `prompt=consent` | the consent page; `consent_required` for `prompt=none` |
 * | signed in | nothing | the code |
 */
export function createInteractionPolicy(
  { Prompt, Check }: Policy,
  errors: typeof ProviderErrors,
): interactionPolicy.Prompt[] {
  const session = new Check('no_session', 'The user has to sign in first', 'login_required', ({ oidc }) => {
    if (oidc.session?.accountId !== undefined) return Check.NO_NEED_TO_PROMPT
    if (oidc.prompts.has('none')) return Check.REQUEST_PROMPT
    // No state is stored before sign-in: the redirect back carries the whole request.
    throw Object.assign(new errors.CustomOIDCProviderError(signInFirst), { allow_redirect: false })
  })
  const scopes = new Check(
    'scopes_missing',
    'The account has not consented to a scope',
    'consent_required',
    (ctx) => (missingScopes(ctx).length > 0 ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT),
  )
  return [
    new Prompt({ name: 'login', requestable: false }, session),
    new Prompt({ name: 'consent', requestable: true }, scopes),
  ]
}

function missingScopes({ oidc }: KoaContextWithOIDC): readonly string[] {
  const granted = oidc.entities.Grant?.getResourceScope(platformResource).split(' ') ?? []
  return [...oidc.requestParamScopes].filter((scope) => !granted.includes(scope))
}
